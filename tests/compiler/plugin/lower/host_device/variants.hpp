// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function, two bodies: 1 on the host, 2 on the device.
#pragma once

inline __host__ __device__ int variant() {
#ifdef __CUDA_ARCH__
  return 2;
#else
  return 1;
#endif
}

template <class T>
__host__ __device__ T scaled(T x) {
#ifdef __CUDA_ARCH__
  return x * 20;
#else
  return x * 10;
#endif
}

struct widget {
  static int count() {
    static const int steps = variant();
    return steps;
  }
  __host__ __device__ virtual int kind() const { return variant(); }
};

int host_in_other_file();
int device_in_other_file();  // runs a kernel of its own
