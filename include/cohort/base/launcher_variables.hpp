// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that launchers of several processes set.
#pragma once

namespace cohort {
namespace detail {

// Number of processes: of Open MPI, of MPICH and its relatives, and of other PMI implementations.
inline constexpr const char* process_count_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"};
// Slurm sets the number of tasks also in batch scripts, where there is no step: it counts only beside the process's
// number.
inline constexpr const char* slurm_count_variable = "SLURM_STEP_NUM_TASKS";
inline constexpr const char* slurm_process_variable = "SLURM_PROCID";

}  // namespace detail
}  // namespace cohort
