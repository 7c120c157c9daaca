// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a structured kernel for one thread into one for the lanes of a gang, in place. A varying value gets a vector
// with an element for each lane; a uniform or linear value stays a scalar.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/port_calls.hpp"
#include "gang/shape/shapes.hpp"
#include "gang/widen/lane_loop.hpp"
#include "gang/widen/memory/prefetch.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace cohort {

// The lanes of the gang that a function runs.
struct gang_lanes {
  llvm::Value* first_x = nullptr;  // rows: lane 0's index in x
  llvm::Value* index[3] = {};      // thread indices: vectors; rows: i32 for y and z
  llvm::Value* rank = nullptr;     // vector of the ranks in the block
  llvm::Value* thread = nullptr;   // the current thread's context
  llvm::Value* active = nullptr;   // lanes that exist; null: all
};

struct widening_notes {
  std::vector<llvm::DebugLoc> gathers, scatters;
  llvm::MapVector<llvm::StringRef, llvm::DebugLoc> calls;  // functions that each lane calls
};

class widener {
 public:
  widener(llvm::Function& function, const gang_lanes& lanes, const shape_analysis& shapes, llvm::LoopInfo& loops,
          llvm::DominatorTree& dominators, llvm::PostDominatorTree& postdominators);

  // Why the kernel has no such form, else empty. On a refusal the function is left half widened.
  std::optional<std::string> run();
  const widening_notes& notes() const { return notes_; }

 private:
  using value = llvm::Value;

  // values.cpp.
  llvm::Type* wide(llvm::Type* type) const;
  bool has_lanes(llvm::Type* type) const;
  value* vector_of(value* scalar);  // at the builder's insertion point
  value* linear_vector(llvm::Instruction& scalar);
  bool refuse(const llvm::Twine& reason, const llvm::Instruction* where = nullptr);
  bool refuse_type(const llvm::Instruction* where);
  bool widen_blocks();
  bool widen(llvm::Instruction& instruction, value* mask);
  bool widen_value(llvm::Instruction& instruction, value* mask);
  value* constant_lanes(const llvm::BinaryOperator& operation) const;
  value* divide(llvm::BinaryOperator& operation, value* mask);
  value* divide_in_doubles(unsigned opcode, value* dividend, value* divisor);
  void replace(llvm::Instruction& scalar, value* vector);
  void erase_scalars();
  void replace_index_reads();

  // phis.cpp: phis, and what lanes keep when they leave a loop.
  bool make_phis();
  void finish_phis();
  void keep_when_leaving(llvm::Loop& loop);
  void fill_phi(llvm::PHINode& phi);

  // masks.cpp: null stands for all lanes.
  bool check_control_flow();
  bool check_branch(llvm::BasicBlock* block);
  bool check_join(llvm::BasicBlock* join, llvm::BasicBlock* top);
  bool make_mask(llvm::BasicBlock* block);
  bool widen_branch(llvm::BranchInst& branch, value* mask);
  llvm::BasicBlock* skipped_side(const llvm::BasicBlock* block) const;
  bool is_divergent_latch(const llvm::BasicBlock* block) const;
  value* any(value* mask);
  value* bits(value* mask);  // one bit for each lane
  value* lanes_or_all(value* mask);
  value* both(value* mask, value* condition);
  value* is_full(llvm::CallInst& question, value* mask);
  value* all_stay(llvm::CallInst& question);
  void answer(llvm::CallInst& question, value* result);
  value* to_stored(value* mask);
  value* from_stored(value* mask);

  // memory/accesses.cpp
  bool is_plain(llvm::Type* type) const;
  bool machine_gathers(llvm::Type* type) const;
  bool widen_variable(llvm::AllocaInst& variable);
  bool widen_load(llvm::LoadInst& load, value* mask);
  bool widen_store(llvm::StoreInst& store, value* mask);
  bool access(llvm::Instruction& access, value* stored, value* mask);
  bool volatile_access(llvm::Instruction& access, value* stored, value* mask);
  llvm::Instruction* contiguous_access(llvm::IRBuilder<>& b, llvm::Instruction& access, value* stored, value* address,
                                       value* mask);
  llvm::Instruction* irregular_access(llvm::IRBuilder<>& b, llvm::Instruction& access, value* stored, value* addresses,
                                      value* mask);
  value* stays_in_order(value* linear, int64_t stride, bool is_signed);
  value* is_contiguous(value* address, uint64_t bytes);
  value* last_lane(value* vector, value* mask);

  // memory/runs.cpp
  struct access_run {
    value* object = nullptr;
    bool stores = false;
    llvm::SmallVector<std::pair<llvm::Instruction*, int64_t>, 4> members;  // in order, with the bytes before each
  };
  bool is_lane_access(llvm::Instruction& instruction) const;
  void find_runs(llvm::ArrayRef<llvm::Instruction*> block);
  bool widen_run(llvm::Instruction& access, const access_run& run, value* mask);

  // calls.cpp
  bool widen_call(llvm::CallInst& call, value* mask);
  bool refuse_warp_call(const llvm::CallInst& call);
  bool widen_intrinsic(llvm::CallInst& call, value* mask);
  bool widen_math(llvm::CallInst& call);  // false: the function has no form for vectors
  bool each_lane(llvm::Instruction& instruction, value* mask);
  struct lane_operand {
    value* all = nullptr;  // a vector, or the same for all lanes, or lane 0's
    int64_t stride = 0;    // not 0: the distance between the values of two lanes
  };
  lane_operand operand_of_lanes(value* operand);
  // The arguments of a part that runs for each lane, and in its loop the lane's elements of the operands.
  llvm::SmallVector<value*, 8> arguments_of(llvm::ArrayRef<lane_operand> operands, value* mask);
  static llvm::SmallVector<value*, 8> elements_of(llvm::ArrayRef<lane_operand> operands, lane_loop& loop,
                                                  llvm::Function& part);
  // A function for code with branches, without a body.
  llvm::Function& make_part(llvm::Type* result, llvm::ArrayRef<value*> arguments, const llvm::Twine& name);
  llvm::CallInst* call_part(llvm::Function& part, llvm::ArrayRef<value*> arguments);  // inlined at the end
  void inline_lane_loops();

  // waits.cpp
  enum class presence : uint8_t { all, all_but_returned, some };
  presence presence_at(llvm::BasicBlock* block) const;  // which lanes of the gang run `block` together
  bool only_returns(llvm::BasicBlock* block) const;
  value* in_memory(value* lanes);
  bool widen_wait(llvm::CallInst& call, value* mask);
  bool widen_copies(llvm::CallInst& call, value* mask);

  // mask_proof.cpp: which lanes share the mask of a collective.
  enum class mask_kind {
    unproven,
    here,   // the lanes that execute the collective
    named,  // one mask for all, of which some lane may be missing
    parts   // the lanes that execute the collective, divided by their masks
  };
  struct mask_proof {
    mask_kind kind = mask_kind::unproven;
    value* covers = nullptr;  // a mask that must name the lanes here, else null
    value* unless = nullptr;  // i1: lanes for which it is true need not be named
  };
  void find_waits();
  bool is_meeting_point(const llvm::BasicBlock* block) const;
  bool has_same_lanes(const llvm::Instruction* made, const llvm::BasicBlock* block) const;
  bool names_all(const value* lanes) const;
  mask_proof prove_mask(value* lanes, const llvm::BasicBlock* block) const;
  mask_proof prove_ballot(llvm::CallInst& ballot, const llvm::BasicBlock* block) const;
  mask_proof prove_partition(value* predicate, value* yes, value* no, const llvm::BasicBlock* block) const;

  // collectives.cpp: a rendezvous of lanes of a warp; who takes part.
  struct participants {
    value* lanes = nullptr;  // i32: all that execute the collective
    value* each = nullptr;   // i32 for each lane: those that share its mask; null: `lanes`
  };
  bool widen_rendezvous(llvm::CallInst& call, value* mask);
  std::optional<participants> find_participants(llvm::CallInst& call, value* mask);
  void require_lanes(llvm::CallInst& call, const mask_proof& proof, value* mask);

  // lane_values.cpp: collectives with vector code; permute.cpp.
  bool widen_lane_call(llvm::CallInst& call, lane_call what, value* mask);
  value* tile_lanes(unsigned size);
  value* widen_ballot(llvm::CallInst& call, const participants& all, value* mask);
  value* widen_shuffle(llvm::CallInst& call, const participants& all);
  value* widen_match(llvm::CallInst& call, const participants& all, value* mask);
  value* splat_bits(value* mask);
  value* lane_of(value* scalar, value* lane);
  value* permute(value* vector, value* source);
  value* permute_words(value* vector, value* source);

  llvm::Function& function_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  const gang_lanes lanes_;
  const shape_analysis& shapes_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& postdominators_;
  const unsigned width_;
  const bool words_;  // masks that live longer than a block are vectors of words
  llvm::IRBuilder<> b_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const value*, value*> vectors_;
  llvm::DenseMap<const llvm::BasicBlock*, value*> masks_;       // stored form
  llvm::DenseMap<const llvm::BasicBlock*, value*> side_masks_;  // by branching block: lanes that enter the region
  llvm::DenseMap<const llvm::BasicBlock*, value*> conditions_;  // of divergent branches, as the thread has them
  llvm::DenseSet<const llvm::BasicBlock*> waits_ahead_;         // blocks from which a wait can be reached
  std::vector<std::pair<llvm::Instruction*, llvm::WeakTrackingVH>> answers_;  // scalars that replace uniform calls
  llvm::DenseMap<llvm::PHINode*, llvm::PHINode*> wide_phis_;
  llvm::DenseMap<llvm::PHINode*, llvm::SelectInst*> blends_;
  llvm::MapVector<llvm::Loop*, llvm::PHINode*> loop_masks_;
  llvm::DenseMap<llvm::Loop*, value*> latch_masks_;
  llvm::DenseSet<const llvm::BasicBlock*> full_blocks_;  // run only if all lanes are active
  llvm::DenseSet<llvm::Instruction*> made_;  // instructions for lanes that stand in blocks before these are walked
  llvm::DenseSet<stream> prefetched_;
  std::vector<access_run> runs_;
  llvm::DenseMap<llvm::Instruction*, size_t> run_of_;  // by access
  const unsigned place_kind_;                          // metadata: the line of an access in a part
  std::vector<llvm::Instruction*> dead_;
  std::vector<llvm::CallInst*> lane_loops_;
  widening_notes notes_;
  std::string reason_;
};

}  // namespace cohort
