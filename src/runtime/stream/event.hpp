// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event: a name for the newest mark that was put into a stream with it.
#pragma once

#include <chrono>
#include <memory>

#include "operation.hpp"

namespace cohort::runtime {

// Notes when its stream reached it.
class event_mark : public operation {
 public:
  event_mark() : operation(operation_kind::mark) {}
  // pre: finished
  std::chrono::steady_clock::time_point reached() const { return reached_; }

 protected:
  cudaError_t execute() override {
    reached_ = std::chrono::steady_clock::now();
    return cudaSuccess;
  }

 private:
  std::chrono::steady_clock::time_point reached_;
};

struct event {
  device_state* device = nullptr;
  unsigned flags = cudaEventDefault;
  std::shared_ptr<event_mark> mark;  // null before the first record; guarded by the scheduler's lock
};

// Destroys all events of a device that is reset.
void forget_events(const device_state& device);

}  // namespace cohort::runtime
