// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table, one for each worker, with the costs of accesses whose addresses have equal distances. A loop repeats a few
// such accesses, and their cost takes longer to compute than all other work for an access.
#pragma once

#include <array>
#include <cohort/machine/cpu/port/count/counter.hpp>
#include <cstddef>
#include <cstdint>

#include "count/gather/site_totals.hpp"

namespace cohort::count {

// The properties of such an access that its cost depends on.
struct equal_distances {
  uint64_t first = 0;  // address of lane 0, modulo the bytes of a line
  int64_t stride = 0;
  uint32_t lanes = 0;
  uint32_t bytes = 0;  // 0: the slot of a table is empty
  space where = space::none;
  access_kind kind = access_kind::load;

  bool operator==(const equal_distances&) const = default;
};

class known_costs {
 public:
  // Returns the cost of `access` from the table; if it is not there, `compute` computes it and the table keeps it.
  template <class Compute>
  const access_sums& of(const equal_distances& access, const Compute& compute) {
    slot& found = slots_[index_of(access)];
    if (!(found.access == access)) found = {access, compute()};
    return found.cost;
  }

 private:
  static constexpr int slot_bits = 8;
  struct slot {
    equal_distances access;
    access_sums cost;
  };

  static size_t index_of(const equal_distances& access) {
    const uint64_t parts = access.first ^ static_cast<uint64_t>(access.stride) << 7 ^ uint64_t { access.lanes } << 20 ^
                           uint64_t { access.bytes } << 53;
    return parts * 0x9e3779b97f4a7c15 >> (64 - slot_bits);
  }

  std::array<slot, size_t{1} << slot_bits> slots_ = {};
};

}  // namespace cohort::count
