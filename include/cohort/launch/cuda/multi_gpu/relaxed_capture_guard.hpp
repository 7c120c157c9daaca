// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guard that changes the stream capture mode of the calling thread for a scope.
#pragma once

#include "../api/runtime_api.hpp"

namespace cohort {
namespace detail {

// Sets the thread's capture mode to relaxed in the scope. While any thread captures a stream in global mode, calls that
// allocate memory or query events fail in all threads and invalidate the capture. Launches over several devices make
// such calls. Relaxed mode permits them, because none of them uses a captured stream.
class relaxed_capture_guard {
 public:
  relaxed_capture_guard() { exchange(); }
  relaxed_capture_guard(const relaxed_capture_guard&) = delete;
  ~relaxed_capture_guard() { exchange(); }

 private:
  void exchange() { static_cast<void>(api::exchange_capture_mode(&mode_)); }

  api::capture_mode mode_ = api::relaxed_capture;
};

}  // namespace detail
}  // namespace cohort
