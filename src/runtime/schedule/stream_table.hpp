// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The streams of all devices: created ones, and the default streams of host threads.
#pragma once

#include "runtime/state/device_state.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

inline cudaStream_t handle_of(stream* s) { return reinterpret_cast<cudaStream_t>(s); }

// Makes a stream of `device`, or of a part of it. A priority out of range becomes the nearest bound.
stream* add_stream(device_state& device, unsigned flags, int priority, green_context* green = nullptr);
// Makes the default stream of a host thread or of a green context, which no call destroys.
stream* add_default_stream(device_state& device, unsigned flags, green_context* green);
// Destroys a created stream once its last operation has finished.
void drop_stream(stream* s);
// Finds the stream of a handle for the calling thread: the default stream, which a green context has too, the thread's
// own, or a created one. cudaErrorInvalidResourceHandle for any other handle, cudaErrorContextIsDestroyed for a stream
// of a destroyed green context; the fatal error of the stream's device, if it has one.
cudaError_t find_stream(cudaStream_t handle, stream** found);
// The stream of a handle, if its green context is destroyed; null for all others.
stream* find_detached_stream(cudaStream_t handle);
// Destroys all created streams of a device that is reset.
void forget_streams(device_state& device);

}  // namespace cohort::runtime
