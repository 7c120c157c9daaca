// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both passes find the error; one prints it.
// EXPECT: syntax.cu:4:29: error: use of undeclared identifier 'missing'
__global__ void k(int* p) { missing(p); }
