// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reads base[index[i] + addend] of one thread in a loop without writes. Elements lie apart, so loads of their slots
// miss caches: the slots of a group are prefetched before the first is compared. The allocation or variable, and the
// absence of flags, are checked once for each group.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "check/detect/fast_access.hpp"

namespace cohort::check {

template <size_t bytes, class Index>
class gathered_reads {
 public:
  // `first`, `stride`: address of the first index and distance of indices. `scale`: bytes from an element to the next
  // one. pre: the reads of the indices were checked
  gathered_reads(const accessor& c, uint64_t place, const char* first, int64_t stride, const char* base, uint64_t scale,
                 int8_t addend)
      : c_(c),
        place_(place),
        first_(first),
        stride_(stride),
        base_(reinterpret_cast<uintptr_t>(base)),
        scale_(scale),
        addend_(static_cast<unsigned_index>(addend)),
        quick_(c, place, 0) {}

  // Returns false if each read must be checked on its own.
  bool check(uint64_t count) {
    const bool are_words = bytes >= 4 && base_ % bytes == 0 && scale_ % bytes == 0 && !c_.block->may_have_flags();
    for (uint64_t i = 0; i < count; i += group) {
      const auto members = static_cast<uint32_t>(std::min<uint64_t>(group, count - i));
      request(i, members);
      const bool is_known = are_words && lie_in_one();
      for (uint32_t member = 0; member < members; ++member) {
        if (is_known && slots_[member]) {
          if (is_stable(slots_[member])) continue;
          if (quick_.check_words(slots_[member], addresses_[member], bytes, false)) continue;
        }
        if (!fast_access<effort::calls>(c_, place_, 0).check(addresses_[member], bytes)) return false;
      }
    }
    return true;
  }

 private:
  using unsigned_index = std::make_unsigned_t<Index>;  // sums wrap around as in the program
  static constexpr uint32_t group = 16;

  void request(uint64_t from, uint32_t members) {
    std::atomic<slot*>* const regions = shadow_regions;
    const uintptr_t base = base_;
    const uint64_t scale = scale_;
    uintptr_t low = ~uintptr_t{0}, high = 0;
    const char* index = first_ + stride_ * static_cast<int64_t>(from);
    for (uint32_t member = 0; member < members; ++member, index += stride_) {
      const auto number = static_cast<Index>(*reinterpret_cast<const unsigned_index*>(index) + addend_);
      const uintptr_t at = base + static_cast<uint64_t>(int64_t{number}) * scale;
      low = std::min(low, at);
      high = std::max(high, at);
      addresses_[member] = at;
      slot* const slots = region_of(regions, at).load(std::memory_order_acquire);
      const bool in_region = bytes <= 4 || ((at ^ (at + bytes - 1)) >> region_bits) == 0;
      slots_[member] = slots && in_region ? slots + index_of_slot(at) : nullptr;
      __builtin_prefetch(slots_[member], 1);
    }
    low_ = low;
    high_ = high;
  }

  // Whether the group's elements lie in one allocation or variable.
  bool lie_in_one() {
    block_clock& b = *c_.block;
    const size_t extent = high_ - low_ + bytes;
    if (b.variable_near(low_).contains(low_, extent)) return true;
    known_range& near = b.allocation_near(base_);
    const uint32_t changes = memory_changes.load(std::memory_order_acquire);
    if (near.changes != changes || !near.range.contains(low_, extent)) {
      known_allocation found;
      if (!find_allocation(reinterpret_cast<const void*>(low_), &found) || found.freed) return false;
      near = {{reinterpret_cast<uintptr_t>(found.base), reinterpret_cast<uintptr_t>(found.end())}, changes};
    }
    return near.range.contains(low_, extent);
  }

  // Whether the read changes none of the element's slots.
  bool is_stable(const slot* words) const {
    for (size_t word = 0; word < bytes / 4; ++word) {
      if (!c_.block->is_stable(words[word].load(std::memory_order_acquire), c_.thread)) return false;
    }
    return true;
  }

  const accessor c_;
  const uint64_t place_;
  const char* const first_;
  const int64_t stride_;
  const uintptr_t base_;
  const uint64_t scale_;
  const unsigned_index addend_;
  fast_access<effort::no_calls> quick_;
  uintptr_t low_ = 0, high_ = 0;  // the least and the greatest address of a group
  std::array<uintptr_t, group> addresses_;
  std::array<slot*, group> slots_;
};

}  // namespace cohort::check
