// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: begin behind those of the even side
place = cg::binary_partition(warp, is_odd).thread_rank();
