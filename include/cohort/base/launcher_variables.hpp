// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that launchers of several processes set.
#pragma once

namespace cohort {
namespace detail {

// Variables with the number of processes: set by Open MPI, by MPICH and its relatives, and by other PMI
// implementations.
inline constexpr const char* process_count_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"};
// Slurm's number of tasks. Slurm sets it in batch scripts too, so it is read only where slurm_process_variable is also
// set. Batch scripts lack that variable.
inline constexpr const char* slurm_count_variable = "SLURM_STEP_NUM_TASKS";
inline constexpr const char* slurm_process_variable = "SLURM_PROCID";

}  // namespace detail
}  // namespace cohort
