// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tools/tool_port.hpp"

#include "engine/sync/suspend.hpp"

namespace cohort::tools {

void pass_preemption_point(const void* place) { engine::pass_preemption_point(place); }

}  // namespace cohort::tools
