// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream: operations that run one after another, in the order of submission.
#pragma once

#include <cstdint>

#include "operation.hpp"

namespace cohort::runtime {

struct stream {
  device_state* device = nullptr;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  uint64_t id = 0;
  bool is_legacy = false;  // waits for all blocking streams, and they for it
  bool of_thread = false;  // the default stream of one thread: no call destroys it
  bool destroyed = false;  // only kept until its last operation has finished
  operation_ref last;      // newest operation; null or finished where the stream is idle

  bool blocking() const { return !is_legacy && !(flags & cudaStreamNonBlocking); }
  bool idle() const { return !last || last->finished(); }
};

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

// The stream that `handle` names for the calling thread: the default stream, the thread's own, or a created one.
// cudaErrorInvalidResourceHandle if it is none of these; what killed the stream's device, if anything did.
cudaError_t find_stream(cudaStream_t handle, stream** found);
// Destroys all created streams of a device that is reset.
void forget_streams(device_state& device);

}  // namespace cohort::runtime
