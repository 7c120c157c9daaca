// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch over several devices does for itself, beside captures of streams that other threads have begun.
#pragma once

#include <cuda_runtime.h>

namespace cohort {
namespace detail {

// While any thread captures a stream in the global mode, calls that make memory or ask for events fail in all threads,
// and end the capture. None of ours concerns a captured stream, which is what the relaxed mode says.
class relaxed_capture {
 public:
  relaxed_capture() { exchange(); }
  relaxed_capture(const relaxed_capture&) = delete;
  ~relaxed_capture() { exchange(); }

 private:
  void exchange() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }

  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace detail
}  // namespace cohort
