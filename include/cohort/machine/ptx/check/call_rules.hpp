// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of checked collectives: what a thread concludes from the records of other threads. No instructions, so
// tests on the host run the rules.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "call_record.hpp"

namespace cohort {
namespace ptx {

enum class failure : uint32_t {
  none,
  not_a_member,   // the caller's lane is not in the group's mask
  missing_lanes,  // the mask names lanes that the warp does not have
  other_call,     // a thread of the group waits in another collective, and so waits for the caller too
  other_line,     // a thread of the group waits in the same collective, called by another line
  other_group,    // a thread of the group waits in the same collective, of another group
  absent,         // a thread of the group has not arrived
  other_block_call,
  other_block_line,
  absent_block,
  absent_blocks,  // arrivals at the grid's counter are missing
  absent_grids,   // other grids have not arrived, or have not sent their values
};

/// A failure, and the thread or block that shows it.
struct finding {
  failure kind = failure::none;
  uint32_t other = 0;           ///< rank of the thread in its block, or of the block; for missing ones their number
  call_record others_record{};  ///< latest call of that thread or block
};

/// The block as the rules see it.
struct block_view {
  uint32_t threads;  ///< number of threads
  bool strict;       ///< compares the source lines of barriers too
};

/// True if `thread` is in the group that a thread of rank `of` has called a collective of.
COHORT_ANY_SIDE constexpr bool takes_part(uint32_t thread, uint32_t of, const call_record& call) {
  switch (call.scope()) {
    case call_scope::lanes:
      return thread / 32u == of / 32u && (call.members() >> (thread % 32u) & 1u) != 0;
    case call_scope::team:
      return thread / call.members() == of / call.members();
    default:
      return true;
  }
}

/// True if the call waits for the other threads of its block. barrier_wait() of a cluster only waits for arrivals.
COHORT_ANY_SIDE constexpr bool waits_for_threads(const call_record& call) {
  return !(call.scope() == call_scope::cluster && call.call() == checked_call::barrier_wait);
}

/// True if a call cannot complete without `thread`, a member of its group. A barrier of the block or above does not
/// wait for threads that have returned, except for thread 0 above the block.
COHORT_ANY_SIDE constexpr bool must_come(uint32_t thread, const call_record& call) {
  if (call.scope() < call_scope::block || !is_barrier_call(call.call())) return true;
  return call.scope() > call_scope::block && thread == 0;
}

/// True if two calls are the same collective: a barrier can be one call or two.
COHORT_ANY_SIDE constexpr bool is_same_call(checked_call a, checked_call b) {
  return a == b || (is_barrier_call(a) && is_barrier_call(b));
}

/// The failure of two calls that wait for each other; none if they are one rendezvous.
COHORT_ANY_SIDE constexpr failure compare_calls(const call_record& mine, const call_record& theirs, bool strict) {
  if (mine.scope() != theirs.scope() || !is_same_call(mine.call(), theirs.call())) return failure::other_call;
  if (mine.members() != theirs.members()) return failure::other_group;
  if (mine.line() != theirs.line() && (strict || !is_barrier_call(mine.call()))) return failure::other_line;
  return failure::none;
}

/// The failure that the caller's own call shows: whether it can be a member of the call's group.
COHORT_ANY_SIDE constexpr finding check_membership(const block_view& block, uint32_t self, const call_record& mine) {
  if (mine.scope() != call_scope::lanes) return {};
  if ((mine.members() >> (self % 32u) & 1u) == 0) return {failure::not_a_member, self, mine};
  const uint32_t first = self & ~31u;
  const uint32_t participating = detail::low_bits(block.threads - first < 32u ? block.threads - first : 32u);
  return (mine.members() & ~participating) == 0 ? finding{} : finding{failure::missing_lanes, self, mine};
}

/// Compares the caller's call once with the records of the block's threads, after the caller has posted its own. A
/// mismatch is a failure at once; `absent` is a failure only if it lasts.
/// @param records records(thread) is the thread's latest record, an empty one if it has called no collective.
template <class Fn>
COHORT_FN constexpr finding look_at_threads(const block_view& block, uint32_t self, const call_record& mine,
                                            const Fn& records) {
  finding found;
  const bool is_in_warp = mine.scope() == call_scope::lanes;
  const uint32_t begin = is_in_warp ? self & ~31u : 0u;
  const uint32_t end = is_in_warp && begin + 32u < block.threads ? begin + 32u : block.threads;
  for (uint32_t thread = begin; thread < end; ++thread) {
    if (thread == self || !takes_part(thread, self, mine)) continue;
    const call_record theirs = records(thread);
    const bool waits_for_me = theirs.is_waiting() && waits_for_threads(theirs) && takes_part(self, thread, theirs);
    if (waits_for_me) {
      const failure kind = compare_calls(mine, theirs, block.strict);
      if (kind != failure::none) return {kind, thread, theirs};
    } else if (found.kind == failure::none && must_come(thread, mine)) {
      found = {failure::absent, thread, theirs};
    }
  }
  return found;
}

/// The records of a block above the block count its barriers. True if a block with the count `theirs` has begun the
/// call that is number `mine`: it is at most one call ahead or behind.
COHORT_ANY_SIDE constexpr bool has_arrived(uint32_t theirs, uint32_t mine) {
  return ((theirs - mine) & (call_record::most_counted - 1u)) < call_record::most_counted / 2u;
}

/// Compares the call of the caller's block once with the record of another block of the cluster or grid.
/// @param mine   the record of the caller's block, counted
/// @param theirs the record of block `other` for the same kind of group; an empty one if it has posted none
COHORT_ANY_SIDE constexpr finding look_at_block(const call_record& mine, const call_record& theirs, uint32_t other,
                                                bool strict) {
  if (!has_arrived(theirs.count(), mine.count())) return {failure::absent_block, other, theirs};
  if (theirs.count() != mine.count()) return {};
  // A block that waits at a barrier is compared with blocks that have only arrived, at another line.
  const bool compares_lines = strict && mine.call() == theirs.call();
  switch (compare_calls(mine.counted(0, 0), theirs.counted(0, 0), compares_lines)) {
    case failure::other_call:
      return {failure::other_block_call, other, theirs};
    case failure::other_line:
      return {failure::other_block_line, other, theirs};
    default:
      return {};
  }
}

}  // namespace ptx
}  // namespace cohort
