// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: inside of a condition
step = 0;
if (tile.thread_rank() > 0) step = mine - tile.shfl_up(mine, 1);
