// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: sequences of operations that run one after another, in the order of submission.
#pragma once

#include <cstdint>

#include "operation.hpp"

namespace cohort::runtime {

struct stream {
  device_state* device = nullptr;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  uint64_t id = 0;
  bool is_legacy = false;  // the default stream: it waits for all blocking streams, and they wait for it
  bool of_thread = false;  // the default stream of one host thread, which no call destroys
  bool destroyed = false;  // deleted once its last operation has finished
  operation_ref last;      // latest operation; null or finished if the stream is idle

  bool blocking() const { return !is_legacy && !(flags & cudaStreamNonBlocking); }
  bool idle() const { return !last || last->finished(); }
};

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

// Finds the stream of a handle for the calling thread: the default stream, the thread's own, or a created one.
// cudaErrorInvalidResourceHandle for any other handle; the fatal error of the stream's device, if it has one.
cudaError_t find_stream(cudaStream_t handle, stream** found);
// Destroys all created streams of a device that is reset.
void forget_streams(device_state& device);

}  // namespace cohort::runtime
