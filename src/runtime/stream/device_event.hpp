// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of all streams of a device: cuCtxRecordEvent and cuCtxWaitEvent.
#pragma once

#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// Records the event after all work that was submitted to the device. cudaErrorStreamCaptureUnsupported while a stream
// of the device is captured; the captures are then invalid. cudaErrorInvalidResourceHandle for an event of another
// device.
cudaError_t record_on_device(cudaEvent_t event, device_state& device);
// Makes all later work of the device wait for the event, also in streams that do not exist yet.
// cudaErrorStreamCaptureUnsupported as above, and for an event that a capture has recorded.
cudaError_t wait_on_device(cudaEvent_t event, device_state& device);

}  // namespace cohort::runtime
