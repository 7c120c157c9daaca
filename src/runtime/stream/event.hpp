// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events. Each record of an event appends a mark to a stream; the event refers to its latest mark.
#pragma once

#include <chrono>
#include <memory>

#include "../state/operation.hpp"
#include "../state/recorder.hpp"

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
  // The scheduler's lock guards the following members. Null before the first record.
  std::shared_ptr<event_mark> mark;
  recorded_place_ref captured;  // the latest record was in a captured stream; its place
};

// Records an event: the prototype of a graph's node. again() makes the event refer to the new mark.
// pre, for again(): the caller holds the scheduler's lock
class event_record_operation : public event_mark {
 public:
  explicit event_record_operation(cudaEvent_t event) : event_(event) {}
  cudaEvent_t event() const { return event_; }
  operation_ref again() const override;

 private:
  cudaEvent_t event_;
};

// Waits for an event: the prototype of a graph's node.
class event_wait_operation : public operation {
 public:
  explicit event_wait_operation(cudaEvent_t event) : operation(operation_kind::mark), event_(event) {}
  cudaEvent_t event() const { return event_; }
  // The event's latest mark; null if there is none. pre: the caller holds the scheduler's lock
  operation_ref awaited() const;
  operation_ref again() const override { return std::make_shared<event_wait_operation>(event_); }

 private:
  cudaEvent_t event_;
};

// True for an event that exists. pre: the caller holds the scheduler's lock
bool is_event(cudaEvent_t event);

// Destroys all events of a device that is reset.
void forget_events(const device_state& device);

}  // namespace cohort::runtime
