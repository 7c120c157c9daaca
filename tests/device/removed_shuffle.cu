// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Must not compile: the shuffle without a mask has gone.
__global__ void kernel(int* values) { values[threadIdx.x] = __shfl_down(values[threadIdx.x], 1); }
int main() { return 0; }
