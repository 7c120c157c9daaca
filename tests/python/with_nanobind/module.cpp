// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

namespace nb = nanobind;

cudaError_t square(float* values, size_t n);

NB_MODULE(square, m) {
  m.def("square", [](nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu> values) {
    if (const cudaError_t error = square(values.data(), values.size()))
      throw std::runtime_error(cudaGetErrorString(error));
  });
}
