// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of one OS thread in the trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace cohort::engine {

class trace;

// A row of the timeline: a process and a thread of the trace event format.
struct timeline_row {
  uint64_t process, thread;
};

class track {
 public:
  track(trace& owner, uint32_t number) : owner_(owner), number_(number) {}
  track(const track&) = delete;
  track& operator=(const track&) = delete;

  // Whether an event is recorded now. Recording takes a fifth of the thread's time at most. Events beyond that are left
  // out and counted, most of them without reading the clock.
  bool admit() {
    if (skip_ == 0) return decide();
    --skip_;
    return false;
  }
  // The time of the last admit() or now().
  uint64_t last_time() const { return last_; }
  uint64_t now();

  // Records an event from `begin` until `end`, times of the trace's clock. `arguments`: JSON members, or empty.
  void slice(const char* category, std::string_view name, std::string_view arguments, uint64_t begin, uint64_t end);
  // A slice in another row than the thread's own.
  void slice_in(timeline_row row, const char* category, std::string_view name, std::string_view arguments,
                uint64_t begin, uint64_t end);
  void mark(const char* category, std::string_view name, std::string_view arguments, uint64_t at);
  void range(const char* category, std::string_view name, std::string_view arguments, uint64_t id, bool begins,
             uint64_t at);
  bool has_name() const { return named_; }
  // Names the track. pre: the track has no name
  void name(std::string_view title);
  // Names another row, or with `kind` "process_name" the row's process.
  void name_row(timeline_row row, const char* kind, std::string_view title);
  void leave_out() { count(left_out_, 1); }

  // Writes the buffer to the file. `final`: closes the track.
  void flush(bool final);
  // Counts of events; any thread may read them.
  uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  // Only the track's thread writes, so an atomic addition is not needed.
  static void count(std::atomic<uint64_t>& counter, uint64_t more) {
    counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  bool decide();
  bool has_room();
  timeline_row own_row() const;
  void begin_event(timeline_row row, char kind, const char* category, std::string_view name, uint64_t at);
  void end_event(std::string_view arguments, uint64_t began);
  void write_buffer();

  trace& owner_;
  const uint32_t number_;
  std::mutex mutex_;
  std::string buffer_;
  std::atomic<uint64_t> dropped_{0};   // events dropped because the file was full
  std::atomic<uint64_t> left_out_{0};  // events left out because recording would have taken too long
  uint64_t last_ = 0;
  uint64_t written_at_ = 0;
  uint64_t spent_ = 0;
  uint64_t skip_ = 0;
  uint64_t stride_ = 1;
  bool named_ = false;
  bool closed_ = false;
};

}  // namespace cohort::engine
