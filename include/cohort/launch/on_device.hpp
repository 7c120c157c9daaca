// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that is current while something is done for it.
#pragma once

#include <cuda_runtime.h>

namespace cohort {
namespace detail {

// Makes another device current for a while.
class on_device {
 public:
  explicit on_device(int device) {
    if (device < 0) return;
    result_ = cudaGetDevice(&before_);
    if (result_ == cudaSuccess) result_ = cudaSetDevice(device);
  }
  on_device(const on_device&) = delete;
  ~on_device() {
    if (before_ >= 0) static_cast<void>(cudaSetDevice(before_));
  }
  cudaError_t result() const { return result_; }

 private:
  int before_ = -1;
  cudaError_t result_ = cudaSuccess;
};

}  // namespace detail
}  // namespace cohort
