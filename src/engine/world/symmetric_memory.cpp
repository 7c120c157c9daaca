// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/symmetric_memory.hpp"

#include <utility>

namespace cohort::engine {

size_t symmetric_memory::add(symmetric_segment segment) {
  segments_.push_back(std::move(segment));
  return segments_.size() - 1;
}

std::ptrdiff_t symmetric_memory::find_begin(const void* memory) const {
  for (size_t i = 0; i < segments_.size(); ++i) {
    if (!segments_[i].of_process.empty() && segments_[i].of_process[process_] == memory) {
      return static_cast<std::ptrdiff_t>(i);
    }
  }
  return -1;
}

bool symmetric_memory::find(const void* address, symmetric_place* found) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (size_t i = 0; i < segments_.size(); ++i) {
    const symmetric_segment& s = segments_[i];
    if (s.of_process.empty()) continue;
    const uintptr_t distance = at - reinterpret_cast<uintptr_t>(s.of_process[process_]);
    if (distance >= s.rank_bytes * local_ranks_) continue;
    *found = {i, distance % s.rank_bytes};
    return true;
  }
  return false;
}

char* symmetric_memory::address(const symmetric_place& place, uint32_t rank) const {
  const symmetric_segment& s = segments_[place.segment];
  char* begin = s.of_process[rank / local_ranks_];
  return begin ? begin + rank % local_ranks_ * s.rank_bytes + place.offset : nullptr;
}

bool symmetric_memory::contains(const symmetric_place& place, size_t bytes) const {
  return bytes <= segments_[place.segment].rank_bytes - place.offset;
}

}  // namespace cohort::engine
