// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of memcpy_async by the threads of a group. Each thread copies its part, so a thread that does not call
// leaves a part uncopied. Only a comparison of the calls finds that.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace cohort::check {

// One group and the arguments of its copy.
struct group_copy {
  uint32_t first;    // rank of the group's first thread; for groups within a warp, of the warp's first thread
  uint32_t threads;  // number of threads of the group
  const void* to;
  const void* from;
  uint64_t bytes;
  auto operator<=>(const group_copy&) const = default;
};

struct group_copy_calls {
  std::vector<uint32_t> by_rank;  // number of calls of each rank in the group
  uint64_t total = 0;
  uint32_t most = 0;
  const void* place = nullptr;  // return address of the first call
  uint32_t thread = 0;
};

// Copies that the threads of their group have not all called equally often.
using group_copy_table = std::map<group_copy, group_copy_calls>;

}  // namespace cohort::check
