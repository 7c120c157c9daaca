// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multi_grid_group: all threads of a launch over several devices.
#pragma once

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

/// All threads of all grids of a launch over several devices (cohort::launch_multi_device,
/// cudaLaunchCooperativeKernelMultiDevice).
class multi_grid_group : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_system;
  /// The result of barrier_arrive().
  using arrival_token = detail::arrival<barrier_kind::multi_grid>;

  /// Whether the launch is a multi-device launch, also over one device. In other launches all numbers of the group are
  /// zero, and a barrier fails the launch.
  COHORT_FN bool is_valid() const { return this_machine::multi_grid_count() != 0; }

  /// Waits until all threads of all grids have arrived. Writes to the global memory of all devices before the call are
  /// visible after it.
  /// @snippet examples/13_multi_device/multi_device.cu multi_grid
  COHORT_FN void sync(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(sync, multi_grid, 0u);
    this_machine::sync_multi_grid();
  }

  /// Arrives at the group's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the
  /// multi-grid.
  ///      The CPU reports a violation.
  COHORT_FN arrival_token barrier_arrive(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_arrive, multi_grid, 0u);
    return arrival_token::arrive("multi_grid_group::barrier_arrive");
  }
  /// Waits until all threads of the multi-grid that have not returned have arrived. Their writes before the arrival are
  /// visible afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_wait, multi_grid, 0u);
    token.wait("multi_grid_group::barrier_wait");
  }

  /// The rank of the calling thread: grid_rank() * threads of a grid + its rank in the grid.
  COHORT_FN unsigned long long thread_rank() const { return detail::multi_grid_thread_rank(); }
  /// Number of threads of all grids.
  COHORT_FN unsigned long long num_threads() const { return detail::multi_grid_size(); }
  /// Number of threads of all grids (CUDA's older name).
  COHORT_FN unsigned long long size() const { return num_threads(); }

  /// The rank of the grid: its position in the list of the launch.
  COHORT_FN unsigned int grid_rank() const { return this_machine::multi_grid_rank(); }
  /// Number of grids of the launch.
  COHORT_FN unsigned int num_grids() const { return this_machine::multi_grid_count(); }

 private:
  friend struct detail::group_access;
  COHORT_FN multi_grid_group() : thread_group(detail::kind_multi_grid) {}
};

/// All grids of the calling thread's launch.
COHORT_FN multi_grid_group this_multi_grid() { return detail::group_access::make<multi_grid_group>(); }

}  // namespace cohort
