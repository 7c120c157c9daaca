// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of an event that several processes use: one page, which all of them map.
//
// Each record of the event gets the next ticket. The page stores the latest ticket, and for the last records the
// recording process and whether the record was reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

class shared_event {
 public:
  enum class progress : unsigned char { open, reached, lost };  // lost: the recording process has ended early

  // Makes an event; null if the system refuses it.
  static std::shared_ptr<shared_event> make();
  // Opens the event of a handle; null if the handle is stale or forged.
  static std::shared_ptr<shared_event> open(const ipc_handle& handle);
  ~shared_event();
  shared_event(const shared_event&) = delete;
  shared_event& operator=(const shared_event&) = delete;

  // True in the process that made the event, and in its forked children, until retire().
  bool is_own() const { return file_ >= 0; }
  // Ends the validity of the handle when the event is destroyed. Marks in streams may still refer to this object. pre:
  // the caller holds the scheduler's lock
  void retire();
  // The handle of the event. pre: is_own()
  ipc_handle handle() const;

  // Begins a record by this process, and returns its ticket.
  uint64_t begin_record();
  void reach(uint64_t ticket);

  // The ticket of the latest record; 0 before the first one.
  uint64_t latest() const;
  progress poll(uint64_t ticket) const;
  // Blocks until the record is reached or lost.
  progress wait(uint64_t ticket) const;
  // The process that made the record.
  process_id recorder_of(uint64_t ticket) const;

 private:
  struct page;
  shared_event(page* shared, int file) : page_(shared), file_(file) {}
  static page* map(int file);

  page* const page_;
  int file_;
  const process_id maker_ = this_process();
};

}  // namespace cohort::runtime
