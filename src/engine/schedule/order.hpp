// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of threads as the engine's own order and switches: points at which another thread runs than in that order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cohort::engine {

inline constexpr uint64_t no_block = ~uint64_t{0};

// A place in the run of one thread: it has reached `number` points since its launch began. A point is a wait, a return,
// or a point of preemption. Block no_block, number 0: the begin of the launch.
struct thread_point {
  uint64_t block = no_block;
  uint32_t thread = 0;
  uint64_t number = 0;

  bool operator==(const thread_point&) const = default;
};

struct order_switch {
  uint64_t launch = 0;  // number of the launch in the process, from 1
  thread_point at;      // the last point that a thread has reached
  uint64_t block = 0;   // the thread that runs next
  uint32_t thread = 0;
  bool polled = false;  // threads that poll may run before the next thread, although its block is the one that runs

  bool operator==(const order_switch&) const = default;
};

// How a thread stops.
enum class stop_kind : uint8_t { switched, waits, polls, returns };

// The run of one thread up to a stop.
struct order_step {
  uint64_t launch = 0;
  thread_point stop;
  stop_kind how = stop_kind::waits;
  const void* place = nullptr;  // return address of the call at which it stops; null: unknown, or it has returned
};

struct launch_facts {
  const char* kernel = nullptr;        // the symbol; null for a plain C++ kernel
  const void* plain_kernel = nullptr;  // the code of a plain C++ kernel
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  bool cooperative = false;
};

// Notes of a run for another process, which maps them.
struct order_record {
  static constexpr size_t most_switches = 50000;
  static constexpr size_t most_steps = 4096;
  static constexpr size_t most_launches = 64;
  static constexpr uint64_t steps_after_last_switch = 64;

  struct noted_launch {
    uint64_t number;
    launch_facts facts;
  };

  static constexpr size_t most_points = 8192;

  struct noted_point {
    thread_point at;
    bool polls;  // the thread has polled memory in vain
  };

  // Numbers of used entries. Entries beyond the size of an array are left out.
  size_t switch_count, step_count, launch_count, point_count;
  order_switch switches[most_switches];
  order_step steps[most_steps];  // steps of launches with switches
  noted_launch launches[most_launches];
  uint64_t points_of;  // the launch whose points are noted, set by the other process; 0: none
  noted_point points[most_points];

  void clear() { switch_count = step_count = launch_count = point_count = 0; }
};

}  // namespace cohort::engine
