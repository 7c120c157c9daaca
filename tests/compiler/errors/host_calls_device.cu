// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: host_calls_device.cu:5:
// EXPECT: call to __device__ function from __host__ function
__device__ int device_only() { return 1; }
int host() { return device_only(); }
