// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/world/world.hpp"

namespace cohort::engine {

// Begins a launch over the world: checks that all processes launch the same kernel with the same shape. `refused`: the
// error for which this process cannot launch, or 0. Returns the launch's error, after a report unless it is `refused`.
int begin_world_launch(cohort_world& w, const cohort_launch& launch, int refused);

}  // namespace cohort::engine
