// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: failure: calls no sync() before it
sum = polynomial(element);
block.sync();
sum += shared[(t + 1) % n];
