// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>
#include <pybind11/pybind11.h>

#include <cstdint>

cudaError_t add(float* values, int n, float term);

PYBIND11_MODULE(add, m) {
  m.def("add", [](std::uintptr_t memory, int n, float term) {
    return static_cast<int>(add(reinterpret_cast<float*>(memory), n, term));
  });
  m.def("make_stream", [] {
    cudaStream_t stream = nullptr;
    return cudaStreamCreate(&stream) == cudaSuccess ? reinterpret_cast<std::uintptr_t>(stream) : 0;
  });
}
