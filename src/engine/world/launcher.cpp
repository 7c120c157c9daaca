// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/launcher.hpp"

#include <algorithm>
#include <cohort/base/launcher_variables.hpp>
#include <cstdlib>

#include "engine/settings/environment.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

uint32_t launched_processes() {
  for (const char* name : detail::process_count_variables) {
    if (const char* text = environment_variable(name)) {
      return static_cast<uint32_t>(std::clamp(std::strtol(text, nullptr, 10), 1l, 1l << 30));
    }
  }
  const char* tasks = environment_variable(detail::slurm_count_variable);
  if (!tasks || !environment_variable(detail::slurm_process_variable)) return 1;
  return static_cast<uint32_t>(std::clamp(std::strtol(tasks, nullptr, 10), 1l, 1l << 30));
}

bool shares_memory() { return read_setting("COHORT_WORLD_SHARED", 1) != 0; }

}  // namespace cohort::engine
