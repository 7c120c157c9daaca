// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The captures of streams that have begun and not ended, and the calls that they do not permit.
//
// A call that is not permitted invalidates the captures that it meets, as in CUDA. Each check costs one load while
// there is no capture.
#pragma once

#include <thread>

#include "runtime/state/device_state.hpp"
#include "runtime/state/recorder.hpp"

namespace cohort::runtime {

struct capture_entry {
  recorder* capture;
  cudaStreamCaptureMode mode;
  std::thread::id thread;  // that began the capture
};

// pre, for both: the caller holds the scheduler's lock
void add_capture(const capture_entry& entry);
void remove_capture(const recorder* capture);

// The calling thread's mode: how strictly captures of this thread and of others restrict its calls.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

// For a call that may wait or change the device beside all streams, such as cudaMalloc: returns
// cudaErrorStreamCaptureUnsupported if a capture restricts the calling thread.
cudaError_t permit_unsafe_call();
// For a call that waits for all work of a device.
cudaError_t permit_device_wait(const device_state& device);
// For a call that waits for `s` or polls it: an unsafe call, which a captured stream never permits. The default stream
// beside captured blocking streams is cudaErrorStreamCaptureImplicit.
cudaError_t permit_stream_wait(stream& s);
// For work that the calling thread does in the order of `s`, which is not captured.
cudaError_t permit_work(const stream& s);
// permit_work() under the scheduler's lock, which the caller holds.
cudaError_t permit_work_locked(const stream& s);

}  // namespace cohort::runtime
