// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: comes thread 0
sum = polynomial(element);
block.barrier_wait(std::move(token));
sum += shared[t + 1];
