// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COHORT_SCHEDULE=search:N. The process forks before main: each copy runs the whole program under one order, and this
// process compares them. This process itself never reaches main.
#pragma once

namespace cohort::engine {

// Prints a warning if the setting asks for a search and none was made. The call also makes the linker take the search
// out of the archive.
void warn_of_missing_search();

}  // namespace cohort::engine
