// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COHORT_SCHEDULE=search:N. The process forks before main: each copy runs the whole program under one order, and this
// process compares them. This process itself never reaches main.
#pragma once

namespace cohort::engine {

// Prints a warning if the setting requests a search and none was made. A call of this function also makes the linker
// include the code of the search, which no other code refers to.
void warn_of_missing_search();

}  // namespace cohort::engine
