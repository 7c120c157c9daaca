// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variants.hpp"

namespace {
__global__ void ask(int* out) {
  int (*volatile device_variant)() = variant;
  *out = device_variant();
}
}  // namespace

int host_in_other_file() {
  int (*volatile host_variant)() = variant;
  return host_variant();
}

int device_in_other_file() {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  ask<<<1, 1>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? *out : -1;
}
