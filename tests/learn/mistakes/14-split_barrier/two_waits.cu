// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: failure: Each thread waits once
sum = polynomial(element);
auto again = token;
block.barrier_wait(std::move(token));
sum += shared[(t + 1) % n];
block.barrier_wait(std::move(again));
