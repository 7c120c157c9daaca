// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launcher.hpp"

#include <algorithm>
#include <cstdlib>

#include "../settings/environment.hpp"
#include "../settings/settings.hpp"

namespace cohort::engine {

namespace {

// Set by the launchers of Open MPI, of MPICH and its relatives, and of other PMI implementations.
constexpr const char* counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"};

}  // namespace

uint32_t launched_processes() {
  for (const char* name : counts) {
    if (const char* text = environment_variable(name)) {
      return static_cast<uint32_t>(std::clamp(std::strtol(text, nullptr, 10), 1l, 1l << 30));
    }
  }
  // Slurm sets the number of tasks also in batch scripts, where there is no step.
  const char* tasks = environment_variable("SLURM_STEP_NUM_TASKS");
  if (!tasks || !environment_variable("SLURM_PROCID")) return 1;
  return static_cast<uint32_t>(std::clamp(std::strtol(tasks, nullptr, 10), 1l, 1l << 30));
}

bool shares_memory() { return read_setting("COHORT_WORLD_SHARED", 1) != 0; }

}  // namespace cohort::engine
