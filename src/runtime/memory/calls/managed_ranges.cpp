// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/calls/managed_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace cohort::runtime {

managed_ranges& managed_ranges::instance() {
  static managed_ranges* const all = new managed_ranges;
  return *all;
}

void managed_ranges::split(const char* at) {
  auto next = parts_.upper_bound(at);
  if (next == parts_.begin()) return;
  const auto before = std::prev(next);
  if (before->first == at || before->second.end <= at) return;
  parts_[at] = before->second;
  before->second.end = at;
}

std::vector<range_advice> managed_ranges::find(const void* first, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const char* const begin = static_cast<const char*>(first);
  const char* const end = begin + bytes;
  std::vector<range_advice> found;
  const char* at = begin;
  auto part = parts_.upper_bound(begin);
  if (part != parts_.begin() && std::prev(part)->second.end > begin) --part;
  for (; part != parts_.end() && part->first < end; ++part) {
    if (part->first > at) found.emplace_back();
    found.push_back(part->second.advice);
    at = part->second.end;
  }
  if (at < end) found.emplace_back();
  return found;
}

void managed_ranges::clear(const void* first, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const char* const begin = static_cast<const char*>(first);
  split(begin);
  split(begin + bytes);
  parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(begin + bytes));
}

}  // namespace cohort::runtime
