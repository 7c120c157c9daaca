// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the engine's events while the recorder exists. Objects that an event points to may have ended before it is
// read.
#pragma once

#include <mutex>
#include <variant>
#include <vector>

#include "engine/sync/event.hpp"

class event_recorder : public cohort::engine::event_listener {
 public:
  event_recorder() { cohort::engine::add_listener(*this); }
  ~event_recorder() override { cohort::engine::remove_listener(*this); }
  event_recorder(const event_recorder&) = delete;
  event_recorder& operator=(const event_recorder&) = delete;

  void handle(const cohort::engine::event& raised) override {
    const std::lock_guard lock(mutex_);
    events_.push_back(raised);
  }

  template <class Event>
  std::vector<Event> all() const {
    std::vector<Event> found;
    for (const cohort::engine::event& each : events_) {
      if (const Event* e = std::get_if<Event>(&each)) found.push_back(*e);
    }
    return found;
  }
  template <class Event>
  size_t count() const {
    return all<Event>().size();
  }

 private:
  std::mutex mutex_;
  std::vector<cohort::engine::event> events_;
};
