// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Must not compile: CUDA has removed the shuffles without a mask.
__global__ void kernel(int* values) { values[threadIdx.x] = __shfl_down(values[threadIdx.x], 1); }
int main() { return 0; }
