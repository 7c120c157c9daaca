// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of all streams of a context: cuCtxRecordEvent and cuCtxWaitEvent, and those of green contexts.
#pragma once

#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// Records the event after all work that was submitted to the device, or to the streams of its green context `part`.
// cudaErrorStreamCaptureUnsupported while one of these streams is captured; the captures are then invalid.
// cudaErrorInvalidResourceHandle for an event of another device.
cudaError_t record_on_device(cudaEvent_t event, device_state& device, green_context* part);
// Makes all later work of the device, or of the part, wait for the event, also in streams that do not exist yet.
// cudaErrorStreamCaptureUnsupported while one of these streams is captured, and for an event that a capture has
// recorded.
cudaError_t wait_on_device(cudaEvent_t event, device_state& device, green_context* part);

}  // namespace cohort::runtime
