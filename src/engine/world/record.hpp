// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace cohort::engine {

// The step of its program at which a process exchanges records. All processes must be at the same step.
enum class world_step : uint32_t {
  open,        // value: ranks of a process
  grid_size,   // value: blocks that fit
  allocation,  // value: bytes for each rank
  allocated,
  release,   // value: number of the segment
  launch,    // value: hash of kernel and shape
  refused,   // value: the error for which the launch was refused
  barrier,   // value: number of the barrier in the launch
  finished,  // all threads of the launch have returned
  failed,    // value: the error of the kernel
  close,
};

// The first bytes that a process sends in an exchange.
struct world_record {
  world_step step = world_step::barrier;
  uint32_t has_messages = 0;     // 1: the process has messages for single processes
  uint64_t value = 0;            // all processes must have the same; see the steps
  uint64_t published_bytes = 0;  // of data for all processes, behind the record if there is room, else separate
};

}  // namespace cohort::engine
