// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools of the suite's tests: the numbers of the tested statements, managed memory, and launches that must succeed.
// This header uses CUDA's names only: any machine and any implementation of Cooperative Groups can run the suite.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <model/grid_model.hpp>
#include <string>
#include <vector>

#include "machine.hpp"

namespace cg = cooperative_groups;

namespace conformance {

using model::extent;

inline dim3 shape(extent e) { return dim3(e.x, e.y, e.z); }

inline std::string text(extent e) {
  return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

// Records the numbers of statements.txt that the current test proves; tools/conformance.py reads them from the results.
template <class... Numbers>
void conforms(const char* first, Numbers... others) {
  std::string all = first;
  const char* rest[] = {"", others...};
  for (const char* number : rest) {
    if (*number != 0) all += std::string(" ") + number;
  }
  testing::Test::RecordProperty("conforms", all);
}
#define CONFORMS(...) conformance::conforms(__VA_ARGS__)

// Managed memory for `count` values, filled with 0xee.
template <class T>
class memory {
 public:
  explicit memory(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&data_), (count + 1) * sizeof(T)), cudaSuccess);
    std::memset(static_cast<void*>(data_), 0xee, (count + 1) * sizeof(T));
  }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  ~memory() { cudaFree(data_); }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }
  void fill(const T& value) const {
    for (T& each : *this) each = value;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline int device_count() {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  return count;
}

// Launches a kernel and waits for its end, plain or cooperative. An error is a failure of the test.
template <class... P, class... A>
void run(extent grid, extent block, void (*kernel)(P...), A... arguments) {
  kernel<<<shape(grid), shape(block)>>>(P(arguments)...);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess) << "launch of " << text(grid) << " blocks of " << text(block);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "in " << text(grid) << " blocks of " << text(block);
}
template <class... P, class... A>
void run_cooperative(extent grid, extent block, void (*kernel)(P...), A... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), shape(grid), shape(block), pointers, 0,
                                        nullptr),
            cudaSuccess)
      << "launch of " << text(grid) << " blocks of " << text(block);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "in " << text(grid) << " blocks of " << text(block);
}

inline int device_attribute(cudaDeviceAttr attribute, int device = 0) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, attribute, device), cudaSuccess);
  return value;
}
inline int compute_capability(int device = 0) {
  return 10 * device_attribute(cudaDevAttrComputeCapabilityMajor, device) +
         device_attribute(cudaDevAttrComputeCapabilityMinor, device);
}

// A value of exactly Bytes bytes, made from a number; every byte depends on the number.
template <std::size_t Bytes>
struct sized {
  unsigned char bytes[Bytes];

  __host__ __device__ static sized of(unsigned number) {
    sized value;
    for (std::size_t i = 0; i < Bytes; ++i) value.bytes[i] = static_cast<unsigned char>(number * 37u + i * 11u + 1u);
    return value;
  }
  __host__ __device__ friend bool operator==(const sized& a, const sized& b) {
    for (std::size_t i = 0; i < Bytes; ++i) {
      if (a.bytes[i] != b.bytes[i]) return false;
    }
    return true;
  }
};

// A position or shape for arrays of results: dim3 and uint3 convert to it.
struct position {
  unsigned int x, y, z;
};
__host__ __device__ inline position of(dim3 d) { return position{d.x, d.y, d.z}; }
__host__ __device__ inline position of(uint3 d) { return position{d.x, d.y, d.z}; }
inline position of(model::position p) { return position{p.x, p.y, p.z}; }
inline position of(extent e) { return position{e.x, e.y, e.z}; }
inline bool operator==(const position& a, const position& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline std::ostream& operator<<(std::ostream& out, const position& p) {
  return out << "(" << p.x << ", " << p.y << ", " << p.z << ")";
}

template <class A, class B>
constexpr bool same_type = false;
template <class A>
constexpr bool same_type<A, A> = true;

}  // namespace conformance
