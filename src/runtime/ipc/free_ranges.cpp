// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/free_ranges.hpp"

#include <iterator>

namespace cohort::runtime {

void free_ranges::add(uint64_t first, uint64_t length) {
  const auto after = free_.lower_bound(first);
  if (after != free_.end() && first + length == after->first) {
    length += after->second;
    free_.erase(after);
  }
  const auto behind = free_.lower_bound(first);
  if (behind != free_.begin()) {
    const auto before = std::prev(behind);
    if (before->first + before->second == first) {
      before->second += length;
      return;
    }
  }
  free_[first] = length;
}

// Removes a range from the free range that contains it.
void free_ranges::remove(ranges::iterator from, uint64_t first, uint64_t length) {
  const auto [begin, available] = *from;
  free_.erase(from);
  if (first > begin) free_[begin] = first - begin;
  const uint64_t end = begin + available;
  if (first + length < end) free_[first + length] = end - (first + length);
}

std::optional<uint64_t> free_ranges::take(uint64_t length, uint64_t alignment, uint64_t margin) {
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [begin, available] = *at;
    const uint64_t skipped = (begin + margin + alignment - 1) / alignment * alignment - begin;
    if (available < skipped || available - skipped < length || available - skipped - length < margin) continue;
    remove(at, begin + skipped, length);
    return begin + skipped;
  }
  return std::nullopt;
}

bool free_ranges::take_at(uint64_t first, uint64_t length) {
  auto at = free_.upper_bound(first);
  if (at == free_.begin()) return false;
  --at;
  const uint64_t skipped = first - at->first;
  if (at->second < skipped || at->second - skipped < length) return false;
  remove(at, first, length);
  return true;
}

}  // namespace cohort::runtime
