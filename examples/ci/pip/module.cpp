// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "scale.hpp"

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// Returns the address of device memory as a number, which other modules of the process can use.
std::uintptr_t upload(const std::vector<float>& values) {
  void* memory = nullptr;
  const size_t bytes = values.size() * sizeof(float);
  check(cudaMalloc(&memory, bytes));
  check(cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice));
  return reinterpret_cast<std::uintptr_t>(memory);
}

std::vector<float> download(std::uintptr_t memory, size_t n) {
  std::vector<float> values(n);
  check(cudaMemcpy(values.data(), reinterpret_cast<void*>(memory), n * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

}  // namespace

PYBIND11_MODULE(scale, m) {
  m.def("upload", &upload);
  m.def("download", &download);
  m.def("scale", [](std::uintptr_t memory, size_t n, float factor) {
    check(scale(reinterpret_cast<float*>(memory), n, factor));
  });
}
