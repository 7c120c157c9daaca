// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events. Each record of an event appends a mark to a stream; the event refers to its latest mark.
#pragma once

#include <chrono>
#include <memory>

#include "runtime/ipc/shared_event.hpp"
#include "runtime/state/operation.hpp"
#include "runtime/state/recorder.hpp"

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
  event() = default;
  event(const event&) = delete;
  ~event() {
    if (shared) shared->retire();
  }

  device_state* device = nullptr;
  unsigned flags = cudaEventDefault;
  std::shared_ptr<shared_event> shared;  // the part that other processes see; null without cudaEventInterprocess
  // The scheduler's lock guards the following members. Null before the first record.
  std::shared_ptr<event_mark> mark;
  recorded_place_ref captured;  // place of the latest record if it was in a captured stream
};

// A new mark for the event. pre: the caller holds the scheduler's lock
std::shared_ptr<event_mark> make_mark(const event& e);
// The event of a handle; null if the handle is unknown. pre: the caller holds the scheduler's lock
event* find_event(cudaEvent_t handle);
// Adds the event to the table of all events. pre: the caller holds the scheduler's lock
cudaEvent_t add_event(std::unique_ptr<event> fresh);

// Makes later work of a stream wait for the event, or a capture of the stream record that it does. `flags` as those of
// cudaStreamWaitEvent. pre: the caller holds the scheduler's lock
cudaError_t wait_for_event(stream& s, const event& e, cudaEvent_t handle, unsigned flags = cudaEventWaitDefault);

// The record of an event, kept by a graph's node. For each launch again() makes a mark, to which the event then refers.
// pre, for again(): the caller holds the scheduler's lock
class event_record_operation : public event_mark {
 public:
  explicit event_record_operation(cudaEvent_t event) : event_(event) {}
  cudaEvent_t event() const { return event_; }
  operation_ref again() const override;
  // Whether a node of a graph may record the event. pre: the caller holds the scheduler's lock
  static cudaError_t permits(cudaEvent_t event);

 private:
  cudaEvent_t event_;
};

// The wait for an event, kept by a graph's node, of which again() makes a copy for each launch.
class event_wait_operation : public operation {
 public:
  explicit event_wait_operation(cudaEvent_t event) : operation(operation_kind::mark), event_(event) {}
  cudaEvent_t event() const { return event_; }
  // The event's latest mark; null if there is none. pre: the caller holds the scheduler's lock
  operation_ref awaited() const;
  // Refuses a node of a graph that waits for an interprocess event: a node's wait cannot block until another process
  // records the event. pre: the caller holds the scheduler's lock
  static cudaError_t permits(cudaEvent_t event);
  operation_ref again() const override { return std::make_shared<event_wait_operation>(event_); }

 private:
  cudaEvent_t event_;
};

// Destroys all events of a device that is reset.
void forget_events(const device_state& device);

}  // namespace cohort::runtime
