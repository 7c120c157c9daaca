// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that the runtime stores: the latest of each host thread, and those of each device.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct device_state;

// Stores an error as the calling thread's latest, which cudaGetLastError returns; ignores cudaSuccess. Returns `error`.
cudaError_t remember(cudaError_t error);

// Restores the calling thread's latest error at the end of a scope.
class last_error_guard {
 public:
  last_error_guard();
  ~last_error_guard();
  last_error_guard(const last_error_guard&) = delete;

 private:
  const cudaError_t before_;
};

// True for an error after which the device runs nothing until its reset.
bool is_fatal(cudaError_t error);
// Stores an error of an operation of a stream in the device's state.
void record_failure(device_state& device, cudaError_t error);
// The error that a synchronisation with `device` returns: the fatal one, else the pending one, which is cleared.
cudaError_t take_failure(device_state& device);

}  // namespace cohort::runtime
