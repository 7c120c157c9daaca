// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Support for tests of several devices: the process has three, whatever its environment.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "test_module.hpp"

namespace test {

inline const bool has_three_devices = setenv("COHORT_DEVICES", "3", 1) == 0;

// Makes another device current in a scope.
class device_scope {
 public:
  explicit device_scope(int device) {
    EXPECT_EQ(cudaSuccess, cudaGetDevice(&before_));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(device));
  }
  ~device_scope() { EXPECT_EQ(cudaSuccess, cudaSetDevice(before_)); }
  device_scope(const device_scope&) = delete;

 private:
  int before_ = 0;
};

// Starts on device 0 and resets all devices at the end.
class devices : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaSuccess, cudaSetDevice(0)); }
  void TearDown() override {
    for (int d = 2; d >= 0; --d) {
      EXPECT_EQ(cudaSuccess, cudaSetDevice(d));
      EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    }
    (void)cudaGetLastError();
  }
  template <class T>
  static T* managed(size_t count) {
    T* memory = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMallocManaged(&memory, count * sizeof(T)));
    std::memset(static_cast<void*>(memory), 0, count * sizeof(T));
    return memory;
  }
  static cudaStream_t stream() {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamCreate(&made));
    return made;
  }
};

}  // namespace test
