// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tools/tool_port.hpp"

#include "engine/sync/suspend.hpp"

// A linker takes this file from an archive that stands before the checker's because of this symbol, which cohortcc
// --check names as undefined.
extern "C" void cohort_engine_tools() {}

namespace cohort::tools {

void pass_preemption_point(const void* place) { engine::pass_preemption_point(place); }

}  // namespace cohort::tools
