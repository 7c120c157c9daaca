// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence that reports a failure, as a template of the printing function, so that tests on the host read it.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "call_record.hpp"
#include "call_rules.hpp"

namespace cohort {
namespace ptx {

/// An index with three axes, or an extent.
struct index_3d {
  uint32_t x, y, z;
};

/// The index with the rank `rank`, x fastest.
COHORT_ANY_SIDE constexpr index_3d index_of(uint32_t rank, const index_3d& extent) {
  return {rank % extent.x, rank / extent.x % extent.y, rank / extent.x / extent.y};
}

/// The call that reports a failure: its source line, its thread, and the shape of the launch.
struct reporting_call {
  const char* file;
  uint32_t line;
  index_3d block, thread;
  index_3d grid_dim, block_dim;
  call_record call;
  double seconds;  ///< the time limit of a wait
};

#define COHORT_REPORT_BEGIN "cohort: %s:%u: block (%u,%u,%u), thread (%u,%u,%u): %s of %s"
#define COHORT_REPORT_PLACE(by)                                                                \
  by.file, by.line, by.block.x, by.block.y, by.block.z, by.thread.x, by.thread.y, by.thread.z, \
      call_name(by.call.call()), scope_name(by.call.scope())
#define COHORT_REPORT_INDEX(index) index.x, index.y, index.z

/// Prints a wait that has lasted too long, for a thread or a block.
/// @param word "thread" or "block"
template <class Fn>
COHORT_FN void describe_absence(const finding& found, const reporting_call& by, const char* word, const index_3d& other,
                                Fn print) {
  const call_record& theirs = found.others_record;
  if (theirs.is_waiting()) {
    print(COHORT_REPORT_BEGIN
          " has waited %g s for %s (%u,%u,%u), which waits at line %u in %s of %s: all threads of a group call its "
          "collectives in one order\n",
          COHORT_REPORT_PLACE(by), by.seconds, word, COHORT_REPORT_INDEX(other), theirs.line(),
          call_name(theirs.call()), scope_name(theirs.scope()));
  } else if (theirs.call() == checked_call::none) {
    print(COHORT_REPORT_BEGIN
          " has waited %g s for %s (%u,%u,%u), which has called no collective: it has returned or does not come here\n",
          COHORT_REPORT_PLACE(by), by.seconds, word, COHORT_REPORT_INDEX(other));
  } else {
    print(COHORT_REPORT_BEGIN
          " has waited %g s for %s (%u,%u,%u), which has returned or does not come here: its last collective was %s "
          "at line %u\n",
          COHORT_REPORT_PLACE(by), by.seconds, word, COHORT_REPORT_INDEX(other), call_name(theirs.call()),
          theirs.line());
  }
}

/// Prints the sentence of a failure by print(format, values...), in one call.
template <class Fn>
COHORT_FN void describe(const finding& found, const reporting_call& by, Fn print) {
  const call_record& theirs = found.others_record;
  const index_3d thread = index_of(found.other, by.block_dim);
  const index_3d block = index_of(found.other, by.grid_dim);
  switch (found.kind) {
    case failure::none:
      return;
    case failure::not_a_member:
      return print(COHORT_REPORT_BEGIN " by a thread that is not in it: lane %u, the group's lanes are 0x%08x\n",
                   COHORT_REPORT_PLACE(by), found.other % 32u, by.call.members());
    case failure::missing_lanes:
      return print(COHORT_REPORT_BEGIN
                   " whose lanes 0x%08x do not all exist in this warp: the group belongs to another warp\n",
                   COHORT_REPORT_PLACE(by), by.call.members());
    case failure::other_call:
      return print(
          COHORT_REPORT_BEGIN
          ", while thread (%u,%u,%u) waits for this thread at line %u in %s of %s: all threads of a group call "
          "its collectives in one order\n",
          COHORT_REPORT_PLACE(by), COHORT_REPORT_INDEX(thread), theirs.line(), call_name(theirs.call()),
          scope_name(theirs.scope()));
    case failure::other_line:
      return print(COHORT_REPORT_BEGIN
                   ", while thread (%u,%u,%u) waits at line %u in another call of %s: all threads of a group make the "
                   "same call\n",
                   COHORT_REPORT_PLACE(by), COHORT_REPORT_INDEX(thread), theirs.line(), call_name(theirs.call()));
    case failure::other_group:
      return print(COHORT_REPORT_BEGIN
                   " with the members 0x%08x, while thread (%u,%u,%u) waits at line %u with the members 0x%08x: the "
                   "threads use different groups\n",
                   COHORT_REPORT_PLACE(by), by.call.members(), COHORT_REPORT_INDEX(thread), theirs.line(),
                   theirs.members());
    case failure::absent:
      return describe_absence(found, by, "thread", thread, print);
    case failure::other_block_call:
    case failure::other_block_line:
      return print(COHORT_REPORT_BEGIN
                   ", while block (%u,%u,%u) is at line %u in %s of %s: all blocks make the same call\n",
                   COHORT_REPORT_PLACE(by), COHORT_REPORT_INDEX(block), theirs.line(), call_name(theirs.call()),
                   scope_name(theirs.scope()));
    case failure::absent_block:
      return describe_absence(found, by, "block", block, print);
    case failure::absent_blocks:
      return print(COHORT_REPORT_BEGIN " has waited %g s: blocks that have not arrived: %u of %u\n",
                   COHORT_REPORT_PLACE(by), by.seconds, found.other, by.grid_dim.x * by.grid_dim.y * by.grid_dim.z);
    case failure::absent_grids:
      return print(COHORT_REPORT_BEGIN " has waited %g s for the other grids of a launch of %u\n",
                   COHORT_REPORT_PLACE(by), by.seconds, found.other);
  }
}

#undef COHORT_REPORT_BEGIN
#undef COHORT_REPORT_PLACE
#undef COHORT_REPORT_INDEX

}  // namespace ptx
}  // namespace cohort
