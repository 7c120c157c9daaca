// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Support for tests of the driver API.
#pragma once

#include <cuda.h>

#include "../devices.hpp"

namespace test {

inline CUdeviceptr address(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

// A test that starts after cuInit, on device 0.
class driver : public devices {
 protected:
  void SetUp() override {
    ASSERT_EQ(CUDA_SUCCESS, cuInit(0));
    devices::SetUp();
    for (int d = 0; d < 3; ++d) ASSERT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&primaries_[d], d));
  }
  void TearDown() override {
    devices::TearDown();
    for (int d = 0; d < 3; ++d) EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(d));
  }
  static CUfunction function(const kernel& k) {
    CUfunction f = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGetFuncBySymbol(&f, k.stub()));
    return f;
  }
  static CUresult launch(CUfunction f, unsigned grid, unsigned block, void** parameters = nullptr,
                         unsigned shared = 0) {
    return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, nullptr, parameters, nullptr);
  }
  CUcontext primary(int device) const { return primaries_[device]; }

 private:
  CUcontext primaries_[3] = {};
};

}  // namespace test
