// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: without its own
before = __popc(warp.ballot(is_above) & ((2u << warp.thread_rank()) - 1));
