// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: partial: Only some threads of the group have called memcpy_async
if (block.thread_rank() == 0) cg::memcpy_async(block, part, from, n * sizeof(int));
cg::wait(block);
