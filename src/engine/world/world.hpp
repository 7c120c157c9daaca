// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A world: processes that launch together, with symmetric memory. Implements the functions of world_port.hpp.
#pragma once

#include <chrono>
#include <cohort/machine/cpu/world_port.hpp>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "engine/world/exchange.hpp"
#include "engine/world/symmetric_memory.hpp"
#include "engine/world/verdict.hpp"

struct cohort_world {
  static constexpr size_t staging = 0;  // the segment of the staging buffers for arrays: open_world() allocates it

  cohort_world(const cohort_network& n, uint32_t devices, double timeout)
      : network(n),
        view{n.process, n.processes, devices},
        timeout_seconds(timeout),
        records(network),
        memory(n.process, devices) {}
  cohort_world(const cohort_world&) = delete;

  uint32_t ranks() const { return view.processes * view.local_ranks; }
  uint32_t first_rank() const { return view.process * view.local_ranks; }

  cohort_network network;  // a table of null pointers in a world of one process
  cohort::engine::world_view view;
  double timeout_seconds;  // 0: no process is ever lost
  cohort::engine::exchange records;
  cohort::engine::symmetric_memory memory;
  uint64_t launches = 0;
  bool lost = false;
  bool keep_after_loss = false;

  // Guards `collected`, the data that kernels have put for the next exchange.
  std::mutex mutex;
  cohort::engine::outgoing collected;
};

namespace cohort::engine {

// Measures how long an exchange has been in flight. The time begins with the first is_over(), because most exchanges
// end before: reading the clock at each start would cost a tenth of a barrier.
class deadline {
 public:
  void begin() { begun_.reset(); }
  bool is_over(const cohort_world& w) {
    const auto now = std::chrono::steady_clock::now();
    if (!begun_) begun_ = now;
    const std::chrono::duration<double> passed = now - *begun_;
    return w.timeout_seconds > 0 && passed.count() > w.timeout_seconds;
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> begun_;
};

// The sentence about processes that have not arrived at the exchange.
std::string describe_missing(const cohort_world& w);
// Marks the world as lost.
void mark_lost(cohort_world& w);
// Ends all processes after a report about a loss, unless the world is kept.
void end_lost_world(cohort_world& w);

// Exchanges a record outside of a launch. Returns error_none if all processes are at one step; otherwise prints a
// report.
int agree(cohort_world& w, world_step step, uint64_t value);
// Exchanges a record and waits. False, with a sentence in `why`, if the world was lost.
bool exchange_and_wait(cohort_world& w, world_step step, uint64_t value, std::string* why);

int open_world(const cohort_network* network, cohort_world** made);
int close_world(cohort_world* w);
int allocate_symmetric(cohort_world& w, size_t bytes, void** memory);
int free_symmetric(cohort_world& w, void* memory);
void* symmetric_address(const cohort_world& w, const void* address, uint32_t rank);
int find_smallest(cohort_world& w, uint64_t value, uint64_t* smallest);
int refuse_launch(cohort_world& w, int error);

// Number of processes that a launcher started together with this one; 1 without a launcher.
uint32_t launched_processes();
// The value of the setting COHORT_WORLD_SHARED.
bool shares_memory();

// Begins a launch over the world: checks that all processes launch one kernel with one shape. `refused`: the error for
// which this process cannot launch, or 0. Returns the launch's error, after a report unless it is `refused`.
int begin_world_launch(cohort_world& w, const cohort_launch& launch, int refused);

}  // namespace cohort::engine
