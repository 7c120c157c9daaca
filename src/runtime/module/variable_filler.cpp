// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/variable_filler.hpp"

#include <algorithm>
#include <iterator>

#include <cohort/base/red_zone.hpp>

#include "runtime/guard/filler.hpp"

namespace cohort::runtime {

namespace {

// Bytes of filler on each side of a variable. Gaps may be large, because host variables lie between the linked ones.
constexpr std::ptrdiff_t most_filler = 256;

}  // namespace

void variable_filler::add(const cohort_module& module) {
  for (uint64_t i = 0; i < module.zero_count; ++i) variables_[module.zeros[i].address] = module.zeros[i].bytes;
  for (uint64_t i = 0; i < module.filled_count; ++i) variables_[module.filled[i].address] = module.filled[i].bytes;
}

template <class Visit>
void variable_filler::visit_gaps(const char* first, const char* end, Visit visit) const {
  const auto visit_gap = [&](const char* from, const char* to) {
    if (from >= to) return true;
    if (to - from <= 2 * most_filler) return visit(from, to);
    return visit(from, from + most_filler) && visit(to - most_filler, to);
  };
  for (const auto& [address, bytes] : variables_) {
    if (address >= first && !visit_gap(first, address)) return;
    first = std::max<const char*>(first, address + bytes);
  }
  visit_gap(first, end);
}

void variable_filler::fill(const char* first, const char* end, std::ptrdiff_t delta) const {
  visit_gaps(first, end, [&](const char* from, const char* to) {
    fill_bytes(const_cast<char*>(from) + delta, const_cast<char*>(to) + delta);
    return true;
  });
}

void variable_filler::make_red_zones(const char* first, const char* end, std::ptrdiff_t delta) const {
  visit_gaps(first, end, [&](const char* from, const char* to) {
    detail::make_red_zone(from + delta, to + delta);
    return true;
  });
}

void variable_filler::end_red_zones(const char* first, const char* end, std::ptrdiff_t delta) const {
  visit_gaps(first, end, [&](const char* from, const char* to) {
    detail::end_red_zone(from + delta, to + delta);
    return true;
  });
}

const char* variable_filler::find_damage(const char* first, const char* end, std::ptrdiff_t delta) const {
  const char* found = nullptr;
  visit_gaps(first, end, [&](const char* from, const char* to) {
    found = find_changed_byte(from + delta, to + delta);
    return found == nullptr;
  });
  return found;
}

bool variable_filler::find_nearest(const char* at, cohort_own_variable* found) const {
  if (variables_.empty()) return false;
  const auto behind = variables_.upper_bound(const_cast<char*>(at));
  auto nearest = behind;
  if (behind == variables_.begin()) {
    nearest = behind;
  } else if (const auto before = std::prev(behind); behind == variables_.end()) {
    nearest = before;
  } else {
    nearest = at - (before->first + before->second) < behind->first - at ? before : behind;
  }
  *found = {nearest->first, nearest->second};
  return true;
}

}  // namespace cohort::runtime
