// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/trace/track.hpp"

#include <algorithm>

#include "engine/report/json_text.hpp"
#include "engine/trace/trace.hpp"

namespace cohort::engine {

namespace {

constexpr size_t buffer_bytes = size_t{1} << 16;
constexpr uint64_t share = 5;              // recording may take this fraction, 1 / share, of the thread's time
constexpr uint64_t cost_of_clock_ns = 60;  // cost of reading the clock, and of the calls around an event
constexpr uint64_t credit_ns = 2'000'000;  // time by which a track may exceed the share
constexpr uint64_t longest_stride = 4096;
constexpr uint64_t longest_delay_ns = 5'000'000;  // time that an event stays in the buffer while more events follow

}  // namespace

uint64_t track::now() { return last_ = owner_.now(); }

bool track::decide() {
  if (spent_ * share > now() + credit_ns) {
    stride_ = std::min(stride_ * 2, longest_stride);
    skip_ = stride_;
    return false;
  }
  stride_ = std::max<uint64_t>(stride_ / 2, 1);
  return true;
}

// Returns false if the event is dropped: the track is closed or the file is full. A dropped event counts as one clock
// read, its only cost.
bool track::has_room() {
  if (closed_) return false;
  if (!owner_.full_.load(std::memory_order_relaxed)) return true;
  count(dropped_, 1);
  spent_ += cost_of_clock_ns;
  return false;
}

timeline_row track::own_row() const { return {owner_.process(), number_}; }

void track::begin_event(timeline_row row, char kind, const char* category, std::string_view name, uint64_t at) {
  buffer_ += "{\"ph\":\"";
  buffer_ += kind;
  buffer_ += "\",\"pid\":";
  append_number(buffer_, row.process);
  buffer_ += ",\"tid\":";
  append_number(buffer_, row.thread);
  buffer_ += ",\"ts\":";
  append_microseconds(buffer_, at);
  if (category) {
    buffer_ += ",\"cat\":";
    append_quoted(buffer_, category);
  }
  buffer_ += ",\"name\":";
  append_quoted(buffer_, name);
}

void track::end_event(std::string_view arguments, uint64_t began) {
  if (!arguments.empty()) {
    buffer_ += ",\"args\":{";
    buffer_ += arguments;
    buffer_ += '}';
  }
  buffer_ += "},\n";
  // Bounds the events that a program loses when it aborts: 64 KiB or 5 ms.
  if (buffer_.size() > buffer_bytes || last_ > written_at_ + longest_delay_ns) write_buffer();
  spent_ += owner_.now() - began + cost_of_clock_ns;
}

void track::slice(const char* category, std::string_view name, std::string_view arguments, uint64_t begin,
                  uint64_t end) {
  slice_in(own_row(), category, name, arguments, begin, end);
}

void track::slice_in(timeline_row row, const char* category, std::string_view name, std::string_view arguments,
                     uint64_t begin, uint64_t end) {
  const std::lock_guard lock(mutex_);
  if (!has_room()) return;
  begin_event(row, 'X', category, name, begin);
  buffer_ += ",\"dur\":";
  append_microseconds(buffer_, end - begin);
  end_event(arguments, end);
}

void track::mark(const char* category, std::string_view name, std::string_view arguments, uint64_t at) {
  const std::lock_guard lock(mutex_);
  if (!has_room()) return;
  begin_event(own_row(), 'i', category, name, at);
  buffer_ += ",\"s\":\"t\"";
  end_event(arguments, at);
}

void track::range(const char* category, std::string_view name, std::string_view arguments, uint64_t id, bool begins,
                  uint64_t at) {
  const std::lock_guard lock(mutex_);
  if (!has_room()) return;
  begin_event(own_row(), begins ? 'b' : 'e', category, name, at);
  buffer_ += ",\"id\":";
  append_number(buffer_, id);
  end_event(arguments, owner_.now());
}

void track::name(std::string_view title) {
  named_ = true;
  name_row(own_row(), "thread_name", title);
}

void track::name_row(timeline_row row, const char* kind, std::string_view title) {
  std::string arguments = "\"name\":";
  append_quoted(arguments, title);
  const std::lock_guard lock(mutex_);
  if (!has_room()) return;
  begin_event(row, 'M', nullptr, kind, 0);
  end_event(arguments, owner_.now());
}

void track::write_buffer() {
  const size_t taken = owner_.write(buffer_);
  // Counts the lines, because each event is one line.
  count(dropped_,
        static_cast<uint64_t>(std::count(buffer_.begin() + static_cast<ptrdiff_t>(taken), buffer_.end(), '\n')));
  buffer_.clear();
  written_at_ = last_;
}

void track::flush(bool final) {
  const std::lock_guard lock(mutex_);
  if (!buffer_.empty()) write_buffer();
  closed_ |= final;
}

}  // namespace cohort::engine
