// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/trace/trace.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "engine/report/json_text.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

constexpr double default_limit = 64.0 * 1024 * 1024;

// The trace of the process; null if there is none. Never destroyed: a detached worker may record while the process
// ends.
std::atomic<trace*> traced{nullptr};

// A pointer, because thread-local objects of the thread that calls exit() are destroyed before static objects, whose
// destructors may launch.
thread_local track* track_of_thread = nullptr;
pthread_key_t end_of_thread;  // its destructor ends the track; exit() does not call it

uint64_t clock_now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

}  // namespace

trace::trace(std::string pattern, uint64_t limit)
    : file_(std::move(pattern), limit), origin_(clock_now()), process_(static_cast<uint64_t>(getpid())) {}

trace* trace::of_process() {
  static const bool began = [] {
    const double limit = read_setting("COHORT_TRACE_SIZE", default_limit);
    const char* pattern = read_form_setting("COHORT_TRACE");
    if (!pattern) return false;
    auto* made = new trace(pattern, static_cast<uint64_t>(limit));
    if (!made->open()) return false;
    // Without a key the tracks of threads that have ended stay until the process ends.
    pthread_key_create(&end_of_thread, [](void* ended) {
      if (trace* t = traced.load(std::memory_order_acquire)) t->retire(*static_cast<track*>(ended));
    });
    traced.store(made, std::memory_order_release);
    std::atexit([] {
      if (trace* t = traced.load(std::memory_order_acquire)) t->finish();
    });
    pthread_atfork(
        [] {
          if (trace* t = traced.load()) t->mutex_.lock();
        },
        [] {
          if (trace* t = traced.load()) t->mutex_.unlock();
        },
        [] {
          if (trace* t = traced.load()) t->begin_in_child();
        });
    return true;
  }();
  return began ? traced.load(std::memory_order_acquire) : nullptr;
}

track* trace::host_track() {
  trace* t = of_process();
  return t ? &t->mine_as_host() : nullptr;
}

void trace::abandon() { traced.store(nullptr, std::memory_order_release); }

uint64_t trace::now() const { return clock_now() - origin_; }

track& trace::mine() {
  if (!track_of_thread) {
    const std::lock_guard lock(mutex_);
    tracks_.push_back(std::make_unique<track>(*this, ++made_));
    track_of_thread = tracks_.back().get();
    pthread_setspecific(end_of_thread, track_of_thread);
  }
  return *track_of_thread;
}

track& trace::mine_as_host() {
  track& found = mine();
  if (!found.has_name()) found.name("host thread " + std::to_string(gettid()));
  return found;
}

void trace::record(stream_place stream, const char* category, std::string_view name, std::string_view arguments,
                   uint64_t begin, uint64_t end) {
  track& mine = mine_as_host();
  stream_rows::assignment assigned;
  {
    const std::lock_guard lock(mutex_);
    assigned = rows_.assign(stream, begin, end);
  }
  const timeline_row row = {process_ + assigned.process, assigned.thread};
  if (assigned.is_new) {
    const std::string device = "device " + std::to_string(stream.device);
    if (assigned.is_first_of_device) {
      mine.name_row(row, "process_name", device + " of " + program_invocation_short_name);
    }
    mine.name_row(row, "thread_name", device + ", " + row_title(stream, assigned.lane));
  }
  mine.slice_in(row, category, name, arguments, begin, end);
}

// The text of an event about the process. `arguments`: JSON members.
std::string trace::about_process(std::string_view name, std::string_view arguments) const {
  std::string text = "{\"ph\":\"M\",\"pid\":";
  append_number(text, process_);
  text += ",\"tid\":0,\"name\":";
  append_quoted(text, name);
  text += ",\"args\":{";
  text += arguments;
  return text + "}}";
}

bool trace::open() {
  return file_.open() &&
         file_.write(about_process("process_name", "\"name\":" + quoted(program_invocation_short_name)) + ",\n") > 0;
}

size_t trace::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (opens_later_) {
    opens_later_ = false;
    if (!open()) abandon();
  }
  const size_t taken = file_.write(text);
  if (taken < text.size()) full_.store(true, std::memory_order_relaxed);
  return taken;
}

void trace::retire(track& ended) {
  track_of_thread = nullptr;
  std::unique_ptr<track> mine;
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    const auto found = std::find_if(tracks_.begin(), tracks_.end(), [&](const auto& t) { return t.get() == &ended; });
    mine = std::move(*found);
    tracks_.erase(found);
  }
  mine->flush(true);
  const std::lock_guard lock(mutex_);
  left_out_ += mine->left_out();
  dropped_ += mine->dropped();
}

void trace::finish() {
  std::vector<track*> tracks;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    for (const auto& t : tracks_) tracks.push_back(t.get());
  }
  for (track* const t : tracks) {
    t->flush(true);
    left_out_ += t->left_out();
    dropped_ += t->dropped();
  }
  const std::lock_guard lock(mutex_);
  const std::string counts = "\"left_out\":" + std::to_string(left_out_) + ",\"dropped\":" + std::to_string(dropped_);
  if (dropped_ && file_.is_open()) {
    std::fprintf(stderr, "cohort: COHORT_TRACE: the file is full, %llu events were dropped (%s)\n",
                 static_cast<unsigned long long>(dropped_), file_.limit_name());
  }
  file_.close_with(about_process("cohort_trace", counts) + "\n]\n");
}

// Resets the trace in the child of a fork, whose only thread is the calling one.
void trace::begin_in_child() {
  mutex_.unlock();
  process_ = static_cast<uint64_t>(getpid());
  // The tracks hold events of the parent, and other threads may have locked them.
  for (auto& t : tracks_) static_cast<void>(t.release());
  tracks_.clear();
  track_of_thread = nullptr;
  pthread_setspecific(end_of_thread, nullptr);
  rows_ = {};
  left_out_ = dropped_ = 0;
  full_.store(false, std::memory_order_relaxed);
  opens_later_ = file_.leave_to_parent();  // a copy of the process that records nothing has no file
  if (!opens_later_) abandon();
}

}  // namespace cohort::engine
