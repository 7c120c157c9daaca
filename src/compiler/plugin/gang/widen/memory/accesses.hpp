// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and local variables. No access touches a byte that no active lane touches: a masked access does not
// fault where its lane is inactive. Scatters write in lane order, so the last lane's value stays, as in a loop over the
// threads.
#pragma once

#include "gang/widen/memory/likely_places.hpp"
#include "gang/widen/memory/prefetch.hpp"
#include "gang/widen/memory/runs.hpp"
#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cohort {

class access_widener : widening_part {
 public:
  explicit access_widener(widening& state) : widening_part(state), serial_(state), runs_(state), likely_(state) {}

  // Widens a local variable. False: the kernel is refused.
  bool widen_variable(llvm::AllocaInst& variable);
  bool widen_load(llvm::LoadInst& load, value* mask);
  bool widen_store(llvm::StoreInst& store, value* mask);
  // Finds the runs of a block. Called before the accesses of the block are widened.
  void find_runs(llvm::ArrayRef<llvm::Instruction*> block) { runs_.find(block); }

 private:
  struct access_operands {
    value* stored;   // null for a load
    value* address;  // the address of lane 0, or a vector of the addresses of all lanes
    value* mask;
  };

  // Lane l accesses the element at `base` + `index`[l] * `scale` bytes. With mask registers `index` has the addresses.
  struct lane_places {
    value *base, *index;
    unsigned scale;
  };
  lane_places places_of(llvm::Instruction& access);

  bool widen_access(llvm::Instruction& access, value* stored, value* mask);
  bool widen_volatile(llvm::Instruction& access, value* stored, value* mask);
  void finish(llvm::Instruction& access, value* result);
  void prefetch(llvm::Instruction& access, value* mask);
  value* last_lane(value* vector, value* mask);
  // True at run time if the address of lane l is lane 0's + l * `bytes`. Null: that is not known to be so.
  value* is_contiguous(value* address, uint64_t bytes);

  // Accesses as many adjacent elements as there are lanes in the operands' mask or stored value, at most `lanes`.
  llvm::Instruction* contiguous_access(llvm::IRBuilder<>& b, llvm::Instruction& access, access_operands operands,
                                       unsigned lanes) const;
  value* access_groups(llvm::IRBuilder<>& b, llvm::Instruction& access, access_operands operands,
                       llvm::ArrayRef<value*> addresses) const;
  value* uniform_load(llvm::IRBuilder<>& b, llvm::Instruction& access, value* address) const;
  // True if the processor has a gather or scatter instruction for the type of the access.
  bool is_joint(llvm::Instruction& access) const;
  value* irregular_access(llvm::IRBuilder<>& b, llvm::Instruction& access, const access_operands& operands,
                          const lane_places& places) const;
  // A call that tests `regular.holds` and has the access in two forms. `emit_irregular` gets its own arguments, which
  // follow those of the regular access.
  using place = likely_places::place;
  using emitter = llvm::function_ref<value*(llvm::IRBuilder<>& b, access_operands operands, llvm::ArrayRef<value*>)>;
  llvm::CallInst* either_access(llvm::Instruction& access, access_operands operands, const place& regular,
                                llvm::ArrayRef<value*> irregular_arguments, emitter emit_irregular);
  bool access_unless(const place& regular, llvm::Instruction& access, access_operands operands);
  bool serialize_unless(const place& regular, llvm::Instruction& access, access_operands operands);

  lane_serializer serial_;
  access_runs runs_;
  likely_places likely_;
  llvm::DenseSet<stream> prefetched_;
};

}  // namespace cohort
