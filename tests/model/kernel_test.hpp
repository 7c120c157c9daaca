// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools for tests of kernels: managed memory, and launches that must succeed. They have one spelling for plain C++ and
// .cu sources.
#pragma once

#include <gtest/gtest.h>

#include <cohort/cohort.hpp>
#include <cstddef>
#include <cstring>
#include <vector>

#include "grid_model.hpp"

#if COHORT_CUDA_SOURCE
#include <cuda_runtime.h>
#else
#include <cohort/launch.hpp>
#endif

namespace testing_kernels {

inline cohort::dim3 shape(model::extent e) { return cohort::dim3(e.x, e.y, e.z); }

// Memory that host and kernels can access.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t count) : count_(count) {
#if COHORT_CUDA_SOURCE
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&data_), count * sizeof(T)), cudaSuccess);
#else
    data_ = static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64}));
#endif
    __builtin_memset(static_cast<void*>(data_), 0xee, count * sizeof(T));
  }
  buffer(const buffer&) = delete;
  ~buffer() {
#if COHORT_CUDA_SOURCE
    cudaFree(data_);
#else
    ::operator delete(data_, std::align_val_t{64});
#endif
  }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Runs kernel(arguments...) for each thread of the grid; the launch must succeed.
#if COHORT_CUDA_SOURCE
template <class... P, class... A>
void run(model::extent grid, model::extent block, void (*kernel)(P...), A... arguments) {
  kernel<<<shape(grid), shape(block)>>>(P(arguments)...);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}
template <class... P, class... A>
void run_cooperative(model::extent grid, model::extent block, void (*kernel)(P...), A... arguments) {
  void* pointers[] = {&arguments...};
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), shape(grid), shape(block), pointers, 0, 0),
            cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}
#else
template <class... P, class... A>
void run(model::extent grid, model::extent block, void (*kernel)(P...), A... arguments) {
  const cohort::error e = cohort::launch(shape(grid), shape(block), kernel, arguments...);
  ASSERT_FALSE(e) << cohort::message(e);
}
template <class... P, class... A>
void run_cooperative(model::extent grid, model::extent block, void (*kernel)(P...), A... arguments) {
  const cohort::error e = cohort::launch_cooperative(shape(grid), shape(block), kernel, arguments...);
  ASSERT_FALSE(e) << cohort::message(e);
}
#endif

// A value of exactly Bytes bytes, made from a number; every byte depends on the number.
template <std::size_t Bytes>
struct sized {
  unsigned char bytes[Bytes];

  COHORT_HOST_DEVICE static sized of(unsigned number) {
    sized value;
    for (std::size_t i = 0; i < Bytes; ++i) value.bytes[i] = static_cast<unsigned char>(number * 37u + i * 11u + 1u);
    return value;
  }
  COHORT_HOST_DEVICE friend bool operator==(const sized& a, const sized& b) {
    for (std::size_t i = 0; i < Bytes; ++i) {
      if (a.bytes[i] != b.bytes[i]) return false;
    }
    return true;
  }
};

// Neither associative nor commutative: the result depends on the whole order of the operands.
struct trace_op {
  COHORT_HOST_DEVICE unsigned operator()(unsigned a, unsigned b) const {
    return (a * 2654435761u) ^ (b * 40503u + 77u);
  }
};

}  // namespace testing_kernels
