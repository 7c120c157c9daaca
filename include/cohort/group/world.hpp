// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// world_group: all threads of a launch over several processes.
#pragma once

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

/// All threads of all ranks of a launch over a world (cohort::launch_world). Each rank is a grid on one device of one
/// process. To a machine a world is a multi-grid whose grids run in several processes, so the group is also valid in
/// launches over several devices of one process.
class world_group : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_system;
  /// The result of barrier_arrive().
  using arrival_token = detail::arrival<barrier_kind::multi_grid>;

  /// Whether the launch is over a world or over several devices. In other launches all numbers of the group are zero,
  /// and a barrier fails the launch.
  COHORT_FN bool is_valid() const { return this_machine::multi_grid_count() != 0; }

  /// Waits until all threads of all ranks have arrived. All puts before the call are done after it, and writes to
  /// symmetric memory through on() before the call are visible after it.
  /// @snippet examples/14_world_sum/world_sum.cpp world_sync
  COHORT_FN void sync(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(sync, multi_grid, 0u);
    this_machine::sync_multi_grid();
  }

  /// Arrives at the group's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the world.
  ///      The CPU reports a violation.
  COHORT_FN arrival_token barrier_arrive(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_arrive, multi_grid, 0u);
    return arrival_token::arrive("world_group::barrier_arrive");
  }
  /// Waits until all threads of the world have arrived. Their puts and writes before the arrival are visible
  /// afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_wait, multi_grid, 0u);
    token.wait("world_group::barrier_wait");
  }

  /// The rank of the calling thread: rank() * threads of a grid + its rank in the grid.
  COHORT_FN unsigned long long thread_rank() const { return detail::multi_grid_thread_rank(); }
  /// Number of threads of all ranks.
  COHORT_FN unsigned long long num_threads() const { return detail::multi_grid_size(); }
  /// Number of threads of all ranks (CUDA's older name).
  COHORT_FN unsigned long long size() const { return num_threads(); }

  /// The rank of the calling thread's grid. Ranks are numbered process by process.
  COHORT_FN unsigned int rank() const { return this_machine::multi_grid_rank(); }
  /// Number of ranks.
  COHORT_FN unsigned int num_ranks() const { return this_machine::multi_grid_count(); }

  /// Finds the location of `p` in the symmetric memory of a rank. The CPU fails the launch for other memory.
  /// @param p  address in the symmetric memory of a rank of this process, such as a kernel's argument
  /// @param rank  the rank whose memory is meant
  /// @return the address; null for a rank on another host, whose memory only put() can write
  template <class T, class Machine = this_machine>
  COHORT_FN T* on(T* p, unsigned int rank) const {
    return static_cast<T*>(Machine::world_address(p, rank));
  }

 private:
  friend struct detail::group_access;
  COHORT_FN world_group() : thread_group(detail::kind_multi_grid) {}
};

/// All ranks of the calling thread's launch.
COHORT_FN world_group this_world() { return detail::group_access::make<world_group>(); }

}  // namespace cohort
