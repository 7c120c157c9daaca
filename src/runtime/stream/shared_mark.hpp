// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks and waits of events that several processes use (cudaEventInterprocess).
#pragma once

#include <memory>

#include "runtime/ipc/shared_event.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

// A mark that other processes see.
class shared_mark : public event_mark {
 public:
  explicit shared_mark(std::shared_ptr<shared_event> event)
      : event_(std::move(event)), maker_(this_process()), ticket_(event_->begin_record()) {}
  uint64_t ticket() const { return ticket_; }

 protected:
  cudaError_t execute() override;

 private:
  std::shared_ptr<shared_event> event_;
  process_id maker_;
  uint64_t ticket_;
};

// A record of a shared event that has no mark in this process.
struct remote_record {
  std::shared_ptr<shared_event> event;
  uint64_t ticket = 0;

  // True if there is a record of another process.
  explicit operator bool() const { return ticket != 0; }
};

// The latest record of the event, if another process has made it. pre: the caller holds the scheduler's lock
remote_record latest_remote(const event& e);

// Returns cudaSuccess, or cudaErrorExternalDevice with a report if the process ended before its stream reached the
// record.
cudaError_t result_of(const remote_record& record, shared_event::progress found);

// Waits for a record of another process in stream order.
class remote_wait_operation : public operation {
 public:
  explicit remote_wait_operation(remote_record record) : operation(operation_kind::work), record_(std::move(record)) {
    uses_memory = false;  // the other process may wait for an export of memory by this one
  }
  operation_label label() const override { return {"wait", "wait for an event of another process"}; }

 protected:
  cudaError_t execute() override { return result_of(record_, record_.event->wait(record_.ticket)); }

 private:
  remote_record record_;
};

}  // namespace cohort::runtime
