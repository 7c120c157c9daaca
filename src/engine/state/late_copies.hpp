// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of cp.async of a block, in stages: the groups of each thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "engine/state/copy_groups.hpp"

namespace cohort::engine {

struct late_copy {
  void* to;
  const void* from;
  size_t bytes;
};

// Executes a copy. A function object: a template inlines its call.
inline constexpr auto make_late_copy = [](const late_copy& c) { std::memcpy(c.to, c.from, c.bytes); };

// The copies of a thread.
using late_copies = copy_groups<late_copy>;

// Index: thread rank.
using copy_table = std::vector<late_copies>;

}  // namespace cohort::engine
