// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct grid;

// Selects the gang versions of the launch, by the rule of cohort_kernel::gang_versions. pre: g.launch and g.stack_bytes
// are set
void select_gangs(grid& g);

}  // namespace cohort::engine
