// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events. Each record of an event appends a mark to a stream; the event refers to its latest mark.
#pragma once

#include <chrono>
#include <memory>

#include "../state/operation.hpp"

namespace cohort::runtime {

// A mark that stores the time at which its stream reached it.
class event_mark : public operation {
 public:
  event_mark() : operation(operation_kind::mark) {}
  // The time at which the stream reached the mark. pre: the mark has finished
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
