// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to several parts of one object, as of a structure, where each lane has another object and no instruction
// gathers or scatters: one loop over the lanes serves them all. The loads of such a run are at its first place, the
// stores at its last one, and no access in between may touch the same memory.
#pragma once

#include <utility>
#include <vector>

#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"

namespace cohort {

class access_runs : widening_part {
 public:
  explicit access_runs(widening& state) : widening_part(state), serial_(state) {}

  // Adds the runs among the instructions of a block.
  void find(llvm::ArrayRef<llvm::Instruction*> block);
  bool contains(const llvm::Instruction& access) const { return run_of_.contains(&access); }
  // Emits all accesses of the run of `access`, at the run's first load or last store.
  void widen(llvm::Instruction& access, value* mask);

 private:
  struct run {
    value* object = nullptr;
    bool stores = false;
    llvm::SmallVector<std::pair<llvm::Instruction*, int64_t>, 4>
        members;  // accesses in order, with the distance of each

    // Where the accesses of the run are emitted.
    const std::pair<llvm::Instruction*, int64_t>& leader() const { return stores ? members.back() : members.front(); }
  };
  bool is_lane_access(llvm::Instruction& instruction) const;
  void add(std::vector<run>& found);
  llvm::CallInst* emit(const run& accesses, value* mask);

  lane_serializer serial_;
  std::vector<run> runs_;
  llvm::DenseMap<const llvm::Instruction*, size_t> run_of_;  // indexed by access
};

}  // namespace cohort
