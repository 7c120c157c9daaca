// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of the process: a file, and one track for each OS thread. A track formats its events into its own buffer,
// so threads contend only when a buffer is full.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/stream_rows.hpp"
#include "engine/trace/trace_file.hpp"
#include "engine/trace/track.hpp"

namespace cohort::engine {

class trace {
 public:
  // The trace of this process, or null without COHORT_TRACE. The first call opens the file.
  static trace* of_process();
  // Stops recording in this process, and leaves the file unchanged.
  static void abandon();

  // The calling OS thread's track, for events of host code, or null without a trace.
  static track* host_track();

  // The calling OS thread's track.
  track& mine();
  // mine() for events of host code: a track without a name gets that of a host thread.
  track& mine_as_host();
  uint64_t now() const;
  // An operation of a stream, which the calling OS thread has executed: a slice of the stream's row.
  void record(stream_place stream, const char* category, std::string_view name, std::string_view arguments,
              uint64_t begin, uint64_t end);
  // The number of the process. Stored, because each event contains it, and getpid() is a system call.
  uint64_t process() const { return process_; }

 private:
  friend class track;
  trace(std::string pattern, uint64_t limit);
  std::string about_process(std::string_view name, std::string_view arguments) const;
  bool open();
  void finish();
  void begin_in_child();
  // Appends whole events. Returns how many bytes of them were written.
  size_t write(std::string_view text);
  void retire(track& ended);

  trace_file file_;
  const uint64_t origin_;
  uint64_t process_;
  std::atomic<bool> full_{false};
  std::mutex mutex_;
  std::vector<std::unique_ptr<track>> tracks_;
  uint32_t made_ = 0;
  stream_rows rows_;
  bool opens_later_ = false;             // opens the file at the first event
  bool finished_ = false;                // the trace has ended; its tracks stay, because threads refer to them
  uint64_t left_out_ = 0, dropped_ = 0;  // sums over the tracks of threads that have ended
};

// Begins to record launches, blocks, barriers and collectives if the process has a trace. Called once.
void trace_launches();

}  // namespace cohort::engine
