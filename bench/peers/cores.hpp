// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over all CPUs of the process, for the hand-written peers.
#pragma once

#include <cstddef>
#include <functional>

namespace bench {

// Runs part(first, last) for consecutive ranges of 0 .. count, each `chunk` long at most. Every CPU takes the next
// range when it has finished one.
void for_each_range(size_t count, size_t chunk, const std::function<void(size_t, size_t)>& part);

// A chunk that divides the elements evenly: one range for each CPU.
inline constexpr size_t even_share = 0;

}  // namespace bench
