// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the cores of the machine, for libraries that compute by themselves.
#pragma once

#include <cstdint>
#include <functional>

namespace cohort::libraries {

/// Calls `run(begin, end)` for consecutive parts of [0, count), on several threads in any order, and returns after the
/// last one. A result does not depend on the number of threads if each part's work depends on its indices only.
/// @param step  indices in one part: work of about 20 us, because waking a thread costs about 5 us
/// @throws the first exception of `run`
void parallel_for(int64_t count, int64_t step, const std::function<void(int64_t begin, int64_t end)>& run);

}  // namespace cohort::libraries
