// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

int device_count() {
  int count = 0;
  cudaGetDeviceCount(&count);
  return count;
}
