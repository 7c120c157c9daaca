// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: before the wait
sum = polynomial(element) + shared[(t + 1) % n];
block.barrier_wait(std::move(token));
