// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that the parts share which widen one kernel: the kernel and its analyses, the builder, the vectors of its
// values and the masks of its blocks.
#pragma once

#include <string>
#include <vector>

#include "gang/shape/shapes.hpp"
#include "gang/widen/state/divergent_branches.hpp"
#include "gang/widen/state/lane_masks.hpp"
#include "gang/widen/state/lane_types.hpp"
#include "gang/widen/state/outlined_code.hpp"
#include "gang/widen/state/value_map.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

// The lanes of the gang that a function runs.
struct gang_lanes {
  llvm::Value* first_x = nullptr;  // rows: lane 0's index in x
  llvm::Value* index[3] = {};      // thread indices: vectors; rows: i32 for y and z
  llvm::Value* rank = nullptr;     // vector of the ranks in the block
  llvm::Value* thread = nullptr;   // the current thread's context
  llvm::Value* active = nullptr;   // lanes that exist; null: all
};

// An attribute of kernels in which it is proved that only lanes with a failed assertion, or that have returned, miss a
// barrier.
constexpr const char* failed_lanes_alone_miss_barriers = "cohort-failed-lanes-alone-miss-barriers";

struct widening_notes {
  std::vector<llvm::DebugLoc> gathers, scatters;
  llvm::MapVector<llvm::StringRef, llvm::DebugLoc> calls;  // functions that each lane calls
};

struct widening {
  widening(llvm::Function& function, const gang_lanes& lanes, const shape_analysis& shapes, llvm::LoopInfo& loops,
           llvm::DominatorTree& dominators, llvm::PostDominatorTree& postdominators);

  // Records why the kernel gets no gang version. Returns false, so callers can return it.
  bool refuse(const llvm::Twine& reason, const llvm::Instruction* where = nullptr);
  bool refuse_type(const llvm::Instruction* where);

  llvm::Function& function;
  llvm::LLVMContext& context;
  const llvm::DataLayout& layout;
  const gang_lanes lanes;
  const shape_analysis& shapes;
  llvm::LoopInfo& loops;
  llvm::DominatorTree& dominators;
  llvm::PostDominatorTree& postdominators;
  const std::vector<llvm::BasicBlock*> order;  // blocks in reverse post-order

  llvm::IRBuilder<> b;
  const lane_types types;
  const divergent_branches branches;
  value_map values;
  lane_masks masks;
  block_state blocks;
  outlined_code outlined;
  llvm::DenseSet<llvm::Instruction*> made;  // instructions for lanes that stand in blocks before these are walked
  widening_notes notes;
  std::string refusal;
};

// A class that widens some of the instructions. It sees the state and its own members, but no part beside it.
class widening_part {
 protected:
  using value = llvm::Value;

  explicit widening_part(widening& state)
      : state_(state),
        b_(state.b),
        shapes_(state.shapes),
        types_(state.types),
        values_(state.values),
        masks_(state.masks),
        width_(state.types.width()) {}

  value* vector_of(value* scalar) { return values_.vector_of(scalar); }
  llvm::Type* wide(llvm::Type* type) const { return types_.wide(type); }

  widening& state_;
  llvm::IRBuilder<>& b_;
  const shape_analysis& shapes_;
  const lane_types& types_;
  value_map& values_;
  lane_masks& masks_;
  const unsigned width_;
};

}  // namespace cohort
