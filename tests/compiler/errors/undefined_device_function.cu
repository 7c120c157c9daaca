// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: undefined_device_function.cu:5:34: error: device function 'elsewhere(int)' is not defined in this file
// EXPECT: -rdc=true
__device__ int elsewhere(int x);
__global__ void k(int* p) { *p = elsewhere(*p); }
