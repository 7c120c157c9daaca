// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes memory and a stream from the runtime that this file is linked with, for a kernel in scale.cu.
#include <cmath>

#include "scale.hpp"

int main() {
  const int count = 331;
  float* values = nullptr;
  cudaStream_t stream = nullptr;
  if (cudaMallocManaged(reinterpret_cast<void**>(&values), count * sizeof(float)) != cudaSuccess) return 1;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 2;
  for (int i = 0; i < count; ++i) values[i] = 0.01f * static_cast<float>(i);
  if (exponentials(values, count, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess) return 3;
  for (int i = 0; i < count; ++i) {
    if (std::fabs(values[i] - std::exp(0.01 * i)) > 1e-5 * values[i]) return 4;
  }
  return print_right();
}
