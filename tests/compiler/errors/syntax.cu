// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seen by both passes, printed by one.
// EXPECT: syntax.cu:4:29: error: use of undeclared identifier 'missing'
__global__ void k(int* p) { missing(p); }
