// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of the process: sentences on stderr, reports of kernels, and the errors that calls return. The calls of CUDA
// for logs read it.
#pragma once

#include <cstddef>
#include <string>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Adds an entry and passes it to the callbacks of the program. Callbacks must not call CUDA: the caller may hold locks.
void log_message(cudaLogLevel level, const std::string& message);
// Adds an entry for an error that a call returns, if there is memory for it.
void log_error(const char* name, const char* text) noexcept;

// Prints "cohort: " and the sentence on stderr, and adds the sentence to the log.
__attribute__((format(printf, 2, 3))) void say(cudaLogLevel level, const char* format, ...);

// A call of the program that is in progress on this thread. Calls may call each other: only the outermost one logs its
// error.
class call_in_progress {
 public:
  call_in_progress() { ++depth_; }
  ~call_in_progress() { --depth_; }
  call_in_progress(const call_in_progress&) = delete;
  bool is_outermost() const { return depth_ == 1; }

 private:
  static constinit thread_local int depth_;
};

}  // namespace cohort::runtime
