// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multi_grid_group: all threads of all grids of a launch over several devices
// (cohort::launch_multi_device, cudaLaunchCooperativeKernelMultiDevice).
#pragma once

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

class multi_grid_group : public thread_group {
 public:
  static constexpr cohort::thread_scope thread_scope = thread_scope_system;
  using arrival_token = detail::arrival<barrier_kind::multi_grid>;

  // The launch spans devices (also if it is only one). If not, all numbers are zero and a barrier fails the launch.
  COHORT_FN bool is_valid() const { return this_machine::multi_grid_count() != 0; }

  // Barrier of all threads of all grids; global memory of all devices written before is seen after.
  COHORT_FN void sync() const { this_machine::sync_multi_grid(); }

  // Barrier in two halves: each thread arrives, may do something else, then waits once with its token.
  COHORT_FN arrival_token barrier_arrive() const { return arrival_token::arrive("multi_grid_group::barrier_arrive"); }
  COHORT_FN void barrier_wait(arrival_token&& token) const { token.wait("multi_grid_group::barrier_wait"); }

  // grid_rank() * threads of a grid + rank in the grid
  COHORT_FN unsigned long long thread_rank() const { return detail::multi_grid_thread_rank(); }
  COHORT_FN unsigned long long num_threads() const { return detail::multi_grid_size(); }
  COHORT_FN unsigned long long size() const { return num_threads(); }

  // The grid's place in the launch's list, and how many grids there are.
  COHORT_FN unsigned int grid_rank() const { return this_machine::multi_grid_rank(); }
  COHORT_FN unsigned int num_grids() const { return this_machine::multi_grid_count(); }

 private:
  friend struct detail::group_access;
  COHORT_FN multi_grid_group() : thread_group(detail::kind_multi_grid) {}
};

// All grids of the calling thread's launch.
COHORT_FN multi_grid_group this_multi_grid() { return detail::group_access::make<multi_grid_group>(); }

}  // namespace cohort
