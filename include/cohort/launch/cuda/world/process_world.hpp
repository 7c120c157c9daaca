// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu_world: one process of a world, with one GPU; and its exchanges of records with the others.
#pragma once

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "../../../base/cuda_error.hpp"
#include "../../../machine/ptx/port.hpp"
#include "../api/runtime_api.hpp"
#include "environment.hpp"
#include "host_board.hpp"
#include "network.hpp"

namespace cohort {

namespace detail {

// One allocation of symmetric memory. In a world of one process it is ordinary device memory without a window.
struct symmetric_segment {
  void* allocation = nullptr;  // null after the segment was freed
  ncclWindow_t window = nullptr;
  char* mine = nullptr;  // this process's memory, from which addresses of other ranks are computed
  size_t bytes = 0;
};

// A rank's host memory that its kernels poll and write.
struct launch_control {
  alignas(128) volatile uint32_t ended;    // see multi_grid_descriptor::ended
  alignas(128) volatile uint32_t overdue;  // see multi_grid_descriptor::overdue
};

// One process of a world, and its GPU.
struct gpu_world {
  gpu_network network = {};
  uint32_t process = 0, processes = 1;
  int device = 0;
  double timeout_seconds = 60;
  bool lost = false, keep_after_loss = false;
  host_board board;

  ncclComm_t communicator = nullptr;
  int64_t rank_stride = 0;
  bool links_add = true;  // the GPUs have atomics on each other's memory
  std::vector<symmetric_segment> segments;
  multi_grid_words* words = nullptr;  // this rank's words, in the first segment after the staging buffer for arrays
  bool has_messages_left = false;     // a launch has failed, perhaps amid an exchange of arrays

  uint32_t launches = 0;
  api::stream stream = nullptr;
  api::event ended = nullptr;
  multi_grid_descriptor* descriptor = nullptr;  // device memory: source of the copy into the kernel's variable
  launch_control* control = nullptr;
};

// Seconds since an arbitrary moment, for differences.
inline double clock_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// A wait for other processes: yields the core, then sleeps for short times.
class patient_wait {
 public:
  explicit patient_wait(double limit_seconds) : limit_(limit_seconds), begin_(clock_seconds()) {}
  // Waits a moment. Returns true about once a millisecond, when slow checks are due.
  bool pause() {
    ++polls_;
    if (polls_ < 2000) {
      sched_yield();
      return polls_ % 256 == 0;
    }
    usleep(20);
    return polls_ % 16 == 0;
  }
  bool is_over() const { return limit_ != 0 && clock_seconds() - begin_ > limit_; }

 private:
  double limit_, begin_;
  uint32_t polls_ = 0;
};

inline std::string rank_name(const gpu_world& w) {
  return "rank " + std::to_string(w.process) + " of " + std::to_string(w.processes);
}

inline void print_world_report(const std::string& sentence) {
  ::fputs(("cohort: world: " + sentence + "\n").c_str(), stderr);
}

// Reports that other processes are lost, and ends this process unless the program keeps it. Returns
// error_launch_failure.
inline int lose_world(gpu_world& w, const std::string& sentence) {
  constexpr useconds_t time_for_reports = 400000;
  w.lost = true;
  w.board.give_up();
  print_world_report(sentence);
  if (w.keep_after_loss) return error_launch_failure;
  usleep(time_for_reports);
  if (w.network.abort != nullptr) w.network.abort(w.network.state);
  ::_Exit(1);
}

// Finds a process that has ended or given up; -1: none.
inline int64_t find_gone(const gpu_world& w) {
  for (uint32_t p = 0; p < w.processes; ++p) {
    if (p != w.process && (w.board.gave_up(p) || w.board.has_ended(p))) return p;
  }
  return -1;
}

inline std::string describe_gone(const gpu_world& w, int64_t p) {
  return (w.board.gave_up(static_cast<uint32_t>(p)) ? "rank " + std::to_string(p) + " has given the world up"
                                                    : "the process of rank " + std::to_string(p) + " has ended");
}

inline std::string describe_overdue(const gpu_world& w) {
  char seconds[32];
  ::snprintf(seconds, sizeof seconds, "%g", w.timeout_seconds);
  return rank_name(w) + " waits for the others, and not all of them have arrived within " + seconds +
         " s (COHORT_TIMEOUT): ";
}

inline std::string describe(const board_record& r, world_step mine) {
  const world_step_text text = describe_world_step(r.step, mine);
  return text.after == nullptr ? text.before : text.before + std::to_string(r.value) + text.after;
}

// The time limit of a wait for the records of other processes; 0: none. After a launch it is longer than the limit of
// the kernels: if one rank has returned and another waits in its kernel, the kernel's report has more facts and should
// come first.
inline double limit_of(const gpu_world& w, world_step step) {
  constexpr double head_start = 0.5;
  return w.timeout_seconds == 0 || step != world_step::finished ? w.timeout_seconds : w.timeout_seconds + head_start;
}

// Publishes this process's record and waits for those of all others. Returns an error number: 0, or that of a lost
// world.
inline int exchange_records(gpu_world& w, world_step step, uint64_t value) {
  if (w.lost) return error_launch_failure;
  w.board.begin({step, value});
  patient_wait wait(limit_of(w, step));
  for (uint32_t p = 0; p < w.processes;) {
    if (w.board.has_begun(p)) {
      ++p;
    } else if (wait.pause()) {
      // A process may have begun the exchange and ended since the test above.
      const bool is_gone = w.board.gave_up(p) || w.board.has_ended(p);
      if (is_gone && !w.board.has_begun(p)) {
        return lose_world(
            w, rank_name(w) + " " + describe({step, value}, world_step::barrier) + ", but " + describe_gone(w, p));
      }
      if (wait.is_over()) {
        return lose_world(w, describe_overdue(w) + "rank " + std::to_string(p) +
                                 " has stopped, computes for longer, or runs on another host");
      }
    }
  }
  return error_none;
}

inline bool is_failure(const board_record& r) { return r.step == world_step::failed || r.step == world_step::refused; }

// The process whose record contradicts this process's; failed ones first. -1: none, all are at one step.
inline int64_t find_other_step(const gpu_world& w) {
  const board_record mine = w.board.record_of(w.process);
  int64_t other = -1;
  for (uint32_t p = 0; p < w.processes; ++p) {
    const board_record r = w.board.record_of(p);
    if (p != w.process && is_failure(r)) return p;
    const bool alike = r.step == mine.step && (r.value == mine.value || mine.step == world_step::grid_size);
    if (!alike && other < 0) other = p;
  }
  return other < 0 && is_failure(mine) ? w.process : other;
}

// Exchanges records. All processes must be at one step with one value: otherwise each reports the difference and
// returns an error.
inline int agree(gpu_world& w, world_step step, uint64_t value) {
  if (w.processes == 1) return error_none;
  if (const int lost = exchange_records(w, step, value)) return lost;
  const int64_t other = find_other_step(w);
  if (other < 0) return error_none;
  const board_record mine = w.board.record_of(w.process), theirs = w.board.record_of(static_cast<uint32_t>(other));
  std::string sentence = rank_name(w) + " ";
  if (other == w.process) {
    sentence += describe(mine, step);
  } else {
    sentence +=
        describe(mine, world_step::barrier) + ", but rank " + std::to_string(other) + " " + describe(theirs, step);
  }
  // A process that has closed its world takes part in no further exchange.
  for (uint32_t p = 0; p < w.processes; ++p) {
    if (w.board.record_of(p).step == world_step::close) return lose_world(w, sentence);
  }
  print_world_report(sentence);
  return error_launch_failure;
}

}  // namespace detail
}  // namespace cohort
