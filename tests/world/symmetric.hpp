// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads symmetric memory in host code: an ordinary access on CPUs, a copy from the device on GPUs.
#pragma once

#include <cohort/world.hpp>
#include <cstddef>
#include <cstring>
#include <vector>

namespace testing_kernels {

// The `count` elements at `p` in the memory of `rank`, a rank of this process.
template <class T>
std::vector<T> read_symmetric(const cohort::world& w, T* p, int rank, std::size_t count) {
  std::vector<T> found(count);
  const T* const from = w.on(p, rank);
#if COHORT_ON_GPU
  if (cudaMemcpy(found.data(), from, count * sizeof(T), cudaMemcpyDefault) != cudaSuccess) found.clear();
#else
  std::memcpy(static_cast<void*>(found.data()), from, count * sizeof(T));
#endif
  return found;
}

template <class T>
T read_symmetric(const cohort::world& w, T* p, int rank) {
  return read_symmetric(w, p, rank, 1).at(0);
}

}  // namespace testing_kernels
