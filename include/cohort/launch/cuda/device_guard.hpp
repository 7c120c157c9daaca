// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guard that changes the current device of the calling thread for a scope.
#pragma once

#include <cuda_runtime.h>

namespace cohort {
namespace detail {

// Makes `device` current in the scope. A negative number leaves the current device.
class device_guard {
 public:
  explicit device_guard(int device) {
    if (device < 0) return;
    result_ = cudaGetDevice(&before_);
    if (result_ == cudaSuccess) result_ = cudaSetDevice(device);
  }
  device_guard(const device_guard&) = delete;
  ~device_guard() {
    if (before_ >= 0) static_cast<void>(cudaSetDevice(before_));
  }
  cudaError_t result() const { return result_; }

 private:
  int before_ = -1;
  cudaError_t result_ = cudaSuccess;
};

}  // namespace detail
}  // namespace cohort
