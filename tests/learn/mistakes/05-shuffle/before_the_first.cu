// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: Thread 0 has no element before it
step = mine - in[block.thread_rank() - 1];
