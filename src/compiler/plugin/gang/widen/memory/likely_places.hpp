// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses whose lanes most likely touch adjacent elements, or all the same one: neighbours that are clamped at an
// edge, rows and columns by `%` and `/`, tables of neighbours. Or each group of lanes touches adjacent elements, as the
// lanes of a small tile. A compare of the lanes' indices decides at run time.
#pragma once

#include "gang/shape/likely_strides.hpp"
#include "gang/widen/state/widening.hpp"

namespace cohort {

class likely_places : widening_part {
 public:
  static constexpr unsigned group = 8;  // lanes of a group: a register of AVX2 holds their words

  explicit likely_places(widening& state)
      : widening_part(state), strides_(state.shapes, width_), strides_of_groups_(state.shapes, group) {}

  struct place {
    value* holds;     // true at run time if all active lanes access the elements from `address` on
    value* address;   // the address of lane 0's element, also if lane 0 is inactive
    bool is_uniform;  // all lanes access this element
    llvm::SmallVector<value*, 4> groups = {};  // the addresses of the groups' first elements; empty: one group
  };
  // Finds the likely places of an access; empty if the lanes' addresses have no likely relation. pre: the address of
  // `access` varies
  std::optional<place> find(llvm::Instruction& access, value* mask);
  // Finds the likely places of groups of lanes.
  std::optional<place> find_groups(llvm::Instruction& access, value* mask);

 private:
  // The only varying index of an address, without its extension.
  struct index {
    value* narrow;
    const llvm::CastInst* extension;  // null: the index has the width of an address
  };
  std::optional<index> index_of(const llvm::GetElementPtrInst& address) const;
  std::optional<index> find_index(value* address) const;
  value* first_of(value* likely);
  value* compare(value* index, value* first, int64_t stride, value* mask);
  value* compare_groups(value* lanes, const llvm::CastInst* extension, int64_t stride, value* mask);
  value* address_at(value* address, const index& at, value* first);

  likely_strides strides_, strides_of_groups_;
};

}  // namespace cohort
