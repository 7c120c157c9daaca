// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

// Begins to record launches, blocks, barriers and collectives if the process has a trace. Called once.
void trace_launches();

}  // namespace cohort::engine
