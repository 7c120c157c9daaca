// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that the runtime keeps: the latest of each host thread, and those of each device.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct device_state;

// Keeps `error`, if it is one, as the calling thread's newest; returns it.
cudaError_t remember(cudaError_t error);

// Keeps what the calls of a scope would leave for cudaGetLastError from doing so.
class last_error_guard {
 public:
  last_error_guard();
  ~last_error_guard();
  last_error_guard(const last_error_guard&) = delete;

 private:
  const cudaError_t before_;
};

// True for an error after which nothing runs on the device any more.
bool is_fatal(cudaError_t error);
// Keeps an error that came up while a stream worked.
void record_failure(device_state& device, cudaError_t error);
// What a call that waited for `device` has to return.
cudaError_t take_failure(device_state& device);

}  // namespace cohort::runtime
