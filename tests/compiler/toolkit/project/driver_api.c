// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>

int main(void) {
  int count = 0;
  return cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 1;
}
