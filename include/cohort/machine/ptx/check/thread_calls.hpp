// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the threads of one block: each thread posts its call, compares it with those of the other threads, and
// clears it at the end.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../barrier.hpp"
#include "../block/team_barrier.hpp"
#include "../identity.hpp"
#include "block_table.hpp"
#include "call_record.hpp"
#include "call_rules.hpp"
#include "wait_limit.hpp"

namespace cohort {
namespace ptx {

/// Reads the records of the block's threads, for look_at_threads().
struct posted_calls {
  COHORT_FN call_record operator()(uint32_t thread) const { return block_table::read(thread); }
};

struct thread_calls {
  // The level of the checks: 2 compares the lines of barriers too.
#if defined(COHORT_GPU_CHECK)
  static constexpr bool is_strict = COHORT_GPU_CHECK + 0 >= 2;
#else
  static constexpr bool is_strict = false;
#endif

  /// True if the thread is in a checked call. The first call in a block returns false.
  COHORT_FN static bool is_in_call() {
    const uint32_t thread = identity::block_thread_rank();
    block_table::enter(thread);
    return block_table::load(thread).is_waiting();
  }

  /// Posts a call, and waits until all threads that must come have posted theirs. Fails if one waits for the caller in
  /// another call, or at the limit of a wait.
  /// @pre not is_in_call()
  COHORT_FN static void begin(const call_record& mine, const char* file) {
    const uint32_t thread = identity::block_thread_rank();
    const block_view block{identity::block_threads(), is_strict};
    const finding own = check_membership(block, thread, mine);
    if (own.kind != failure::none) check_failure::report(own, mine, file);
    block_table::store(thread, mine);
    block_table::fence();
    if (!waits_for_threads(mine)) return;
    wait_limit limit;
    for (;;) {
      const finding found = look_at_threads(block, thread, mine, posted_calls());
      if (found.kind == failure::none) return;
      if (found.kind != failure::absent || limit.is_over()) check_failure::report(found, mine, file);
      __nanosleep(200);
    }
  }

  /// Clears the thread's call. A barrier of the group keeps its threads together until all have cleared theirs.
  COHORT_FN static void end() {
    const uint32_t thread = identity::block_thread_rank();
    const call_record mine = block_table::load(thread).ended();
    block_table::store(thread, mine);
    block_table::fence();
    if (!waits_for_threads(mine)) return;
    if (mine.scope() == call_scope::lanes) return barrier::sync_lanes(mine.members(), "");
    if (mine.scope() == call_scope::team) return team_barrier::sync_team(mine.members(), "");
    barrier::sync_block();
  }
};

}  // namespace ptx
}  // namespace cohort
