// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.hpp"
#include "variants.hpp"

__global__ void ask(int* out, int (*unused)()) {
  widget w;
  const widget* base = &w;
  out[0] = variant();
  out[1] = scaled(3);
  out[2] = base->kind();
#ifdef __CUDA_ARCH__
  out[3] = __CUDA_ARCH__;
#endif
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 4 * sizeof(int)));
  ask<<<1, 1>>>(out, nullptr);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  int (*volatile host_variant)() = variant;  // not inlined, so it shows which definition the linker chose
  const widget w;
  expect_equal(host_variant(), 1, "host variant");
  expect_equal(scaled(3), 30, "host template");
  expect_equal(w.kind(), 1, "host virtual function");
  expect_equal(widget::count(), 1, "host local variable");
  expect_equal(out[0], 2, "device variant");
  expect_equal(out[1], 60, "device template");
  expect_equal(out[2], 2, "device virtual function");
  expect_equal(out[3], 900, "__CUDA_ARCH__");
  expect_equal(host_in_other_file(), 1, "host variant in another file");
  expect_equal(device_in_other_file(), 2, "device variant in another file");
  return result();
}
