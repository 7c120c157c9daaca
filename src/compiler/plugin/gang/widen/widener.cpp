// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/widener.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/port_calls.hpp"
#include "gang/shape/questions.hpp"
#include "gang/widen/calls/calls.hpp"
#include "gang/widen/calls/waits.hpp"
#include "gang/widen/collectives/collectives.hpp"
#include "gang/widen/control/control.hpp"
#include "gang/widen/control/structured.hpp"
#include "gang/widen/memory/accesses.hpp"
#include "gang/widen/values/phis.hpp"
#include "gang/widen/values/values.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

uint64_t axis_of(const llvm::CallInst& index_read) {
  constexpr unsigned axis = parameter_of(port_call::cohort_thread_index, "axis");
  return llvm::cast<llvm::ConstantInt>(index_read.getArgOperand(axis))->getZExtValue();
}

// Passes each instruction to the part that widens it, in the order of the blocks. The functions return false if the
// kernel is refused.
class instruction_widener : widening_part {
 public:
  explicit instruction_widener(widening& state)
      : widening_part(state),
        control_(state),
        phis_(state),
        arithmetic_(state),
        serial_(state),
        accesses_(state),
        calls_(state),
        waits_(state),
        collectives_(state) {}

  bool run();

 private:
  bool widen_variables();
  bool widen_block(llvm::BasicBlock& block);
  bool widen(llvm::Instruction& instruction, value* mask);
  bool widen_call(llvm::CallInst& call, value* mask);
  bool widen_index_read(llvm::CallInst& call);
  bool keep_scalar(llvm::Instruction& instruction);

  control_widener control_;
  phi_widener phis_;
  value_widener arithmetic_;
  lane_serializer serial_;
  access_widener accesses_;
  call_widener calls_;
  wait_widener waits_;
  collective_widener collectives_;
};

bool instruction_widener::run() {
  if (!is_structured(state_) || !widen_variables() || !phis_.make()) {
    return false;
  }
  if (!llvm::all_of(state_.order, [&](llvm::BasicBlock* block) { return widen_block(*block); })) {
    return false;
  }
  phis_.fill();
  return true;
}

bool instruction_widener::widen_variables() {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(state_.function))) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && !accesses_.widen_variable(*variable)) {
      return false;
    }
  }
  return true;
}

bool instruction_widener::widen_block(llvm::BasicBlock& block) {
  if (!control_.make_mask(&block)) {
    return false;
  }
  std::vector<llvm::Instruction*> instructions;  // instructions of the thread: those made for lanes have no shape
  for (llvm::Instruction& instruction : block) {
    if (!llvm::isa<llvm::PHINode>(instruction) && !state_.made.contains(&instruction)) {
      instructions.push_back(&instruction);
    }
  }
  accesses_.find_runs(instructions);
  value* mask = control_.mask_of(&block);
  return llvm::all_of(instructions, [&](llvm::Instruction* instruction) { return widen(*instruction, mask); });
}

bool instruction_widener::widen(llvm::Instruction& instruction, value* mask) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    control_.widen_branch(*branch, mask);
    return true;
  }
  if (llvm::isa<llvm::ReturnInst, llvm::AllocaInst>(instruction)) {
    return true;
  }
  b_.SetInsertPoint(&instruction);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return widen_call(*call, mask);
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return accesses_.widen_load(*load, mask);
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return accesses_.widen_store(*store, mask);
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    return serial_.serialize(instruction, mask);
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    return true;
  }
  if (instruction.mayReadOrWriteMemory()) {
    return state_.refuse("an access to memory has no form for lanes", &instruction);
  }
  return shapes_.is_varying(&instruction) ? arithmetic_.widen(instruction, mask) : keep_scalar(instruction);
}

// Lane 0 may be inactive, and then promises about its operands do not hold.
bool instruction_widener::keep_scalar(llvm::Instruction& instruction) {
  if (llvm::any_of(instruction.operands(), [&](const llvm::Use& use) { return !shapes_.is_uniform(use.get()); })) {
    instruction.dropPoisonGeneratingFlags();
  }
  return true;
}

bool instruction_widener::widen_call(llvm::CallInst& call, value* mask) {
  if (read_by(call)) {
    return widen_index_read(call);
  }
  if (const gang_question question = asked_by(call); question != gang_question::none) {
    control_.answer(call, question, mask);
    return true;
  }
  if (const auto known = lane_call_of(call)) {
    return collectives_.widen_lane_call(call, *known, mask);
  }
  if (is_warp_collective(call)) {
    return collectives_.widen_rendezvous(call, mask);
  }
  const port_call called = port_call_of(call);
  if (called == port_call::cohort_wait_converged) {
    return collectives_.widen_converged(call, mask);
  }
  if (is_gang_wait(called)) {
    return waits_.widen_wait(call, mask);
  }
  if (copies_later(called)) {
    return waits_.widen_copies(call, mask);
  }
  if (called == port_call::cohort_wait_yield) {
    return waits_.widen_yield(call, mask);
  }
  if (may_suspend(called)) {
    return state_.refuse("it calls " + called_name(call), &call);
  }
  return calls_.widen(call, mask);
}

bool instruction_widener::widen_index_read(llvm::CallInst& call) {
  if (read_by(call) == context_value::thread_index && shapes_.is_varying(&call)) {
    values_.replace(call, state_.lanes.index[axis_of(call)]);
  }
  return true;
}

// Uniform and linear indices are scalars: lane 0's.
void replace_index_reads(const widening& state) {
  for (llvm::CallInst* call : context_calls(state.function)) {
    if (read_by(*call) == context_value::thread_index) {
      const uint64_t axis = axis_of(*call);
      call->replaceAllUsesWith(axis == 0 ? state.lanes.first_x : state.lanes.index[axis]);
      call->eraseFromParent();
    }
  }
}

}  // namespace

std::optional<std::string> widener::run() {
  instruction_widener instructions(state_);
  if (!instructions.run()) {
    return state_.refusal;
  }
  state_.values.erase_scalars();
  replace_index_reads(state_);
  state_.outlined.inline_all();
  return std::nullopt;
}

}  // namespace cohort
