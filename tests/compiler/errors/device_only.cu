// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: device_only.cu:5:
// EXPECT: call to __host__ function from __global__ function
int host_only() { return 1; }
__global__ void k(int* p) { *p = host_only(); }
