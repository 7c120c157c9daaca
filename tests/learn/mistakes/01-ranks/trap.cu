// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: failure: The kernel has failed
if (block.thread_rank() == 40) __trap();
mine[block.thread_rank()] = 10 * block.thread_rank();
