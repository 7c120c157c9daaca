// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps at which the processes of a world exchange records, and their descriptions in reports.
#pragma once

#include <stdint.h>

namespace cohort {
namespace detail {

// The step at which a process exchanges records. All processes must be at one step.
enum class world_step : uint32_t {
  open,        // value: ranks of a process
  grid_size,   // value: blocks that fit
  allocation,  // value: bytes for each rank
  allocated,
  release,   // value: number of the segment; segment 0 is the library's own
  launch,    // value: hash of kernel and shape
  refused,   // value: the error for which the launch was refused
  barrier,   // value: number of the barrier in the launch
  finished,  // all threads of the launch have returned
  failed,    // value: the error of the kernel
  close,
};

// The text after the name of a rank: `before`, and if `after` is set, the record's value, then `after`.
struct world_step_text {
  const char* before;
  const char* after = nullptr;
};

// Describes the step of another process, for a report of a process at step `mine`.
inline world_step_text describe_world_step(world_step step, world_step mine) {
  switch (step) {
    case world_step::open:
      return {"opens a world with ", " devices in each process (COHORT_DEVICES)"};
    case world_step::grid_size:
      return {"prepares a launch over the world"};
    case world_step::allocation:
    case world_step::allocated:
      return {"allocates ", " bytes of symmetric memory"};
    case world_step::release:
      return {"frees symmetric memory, allocation ", ""};
    case world_step::launch:
      return {mine == world_step::launch ? "launches another kernel, grid, block or shared memory"
                                         : "begins a launch over the world"};
    case world_step::refused:
      return {"cannot launch (error ", ")"};
    case world_step::barrier:
      return {"waits at world_group.sync() or in a collective, barrier ", " of the launch"};
    case world_step::finished:
      return {"has returned from the kernel with all threads"};
    case world_step::failed:
      return {"failed in the kernel (error ", ")"};
    case world_step::close:
      return {"closes the world"};
  }
  return {"is at an unknown step: the processes run different versions of Cohort"};
}

}  // namespace detail
}  // namespace cohort
