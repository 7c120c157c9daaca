// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards that change what the CUDA runtime keeps for the calling thread, and change it back at the end of a scope.
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

// Sets the thread's capture mode to relaxed in the scope. While any thread captures a stream in global mode, calls that
// allocate memory or query events fail in all threads and invalidate the capture. Launches over several devices make
// such calls, but none that concerns a captured stream, which relaxed mode permits.
class relaxed_capture_guard {
 public:
  relaxed_capture_guard() { exchange(); }
  relaxed_capture_guard(const relaxed_capture_guard&) = delete;
  ~relaxed_capture_guard() { exchange(); }

 private:
  void exchange() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }

  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace detail
}  // namespace cohort
