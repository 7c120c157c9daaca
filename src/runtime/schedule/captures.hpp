// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The captures of streams in progress, and the calls that they forbid.
//
// A forbidden call invalidates the captures that forbid it, as in CUDA. Each check costs one load while there is no
// capture.
#pragma once

#include <thread>

#include "runtime/state/device_state.hpp"
#include "runtime/state/recorder.hpp"

namespace cohort::runtime {

struct capture_entry {
  recorder* capture;
  cudaStreamCaptureMode mode;
  std::thread::id thread;  // the thread that began the capture
};

// pre, for both: the caller holds the scheduler's lock
void add_capture(const capture_entry& entry);
void remove_capture(const recorder* capture);

// Replaces the calling thread's mode: how strictly captures of this thread and of others restrict its calls. Returns
// the previous mode.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

// For a call that may wait, or that changes the device outside of all streams, such as cudaMalloc: returns
// cudaErrorStreamCaptureUnsupported if a capture restricts the calling thread.
cudaError_t permit_unsafe_call();
// The counterpart of permit_unsafe_call() for a call that waits for all work of a device.
cudaError_t permit_device_wait(const device_state& device);
// For a call that waits for `s` or polls it, which a captured stream never permits. For the default stream during a
// capture of a blocking stream: cudaErrorStreamCaptureImplicit.
cudaError_t permit_stream_wait(stream& s);
// For work that the calling thread does in the order of `s`. pre: `s` is not captured
cudaError_t permit_work(const stream& s);
// permit_work() for a caller that holds the scheduler's lock.
cudaError_t permit_work_locked(const stream& s);

}  // namespace cohort::runtime
