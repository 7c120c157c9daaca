// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that spins must yield: the threads of a worker take turns, and the loop ends by another thread's store. A
// loop that only tries to wait for a phase of an mbarrier becomes one wait, so that the engine finds a deadlock at
// once.
#include "loops/spin_loop.hpp"

#include "analysis/port_calls.hpp"
#include "analysis/waiting.hpp"
#include "lowering.hpp"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <utility>

namespace cohort {
namespace {

// True for a call whose repetition has no further effect.
bool is_idempotent(port_call function) {
  return function == port_call::cohort_wait_sleep || function == port_call::cohort_wait_yield ||
         function == port_call::cohort_copy_commit || function == port_call::cohort_wait_copies;
}

bool reads(const llvm::LoadInst& load, const llvm::Value& word) {
  return !load.isVolatile() && load.getPointerOperand()->stripPointerCasts() == word.stripPointerCasts();
}

// The only wait for an mbarrier in the loop; null if there is none, or several.
llvm::CallInst* only_try(const llvm::Loop& loop) {
  llvm::CallInst* found = nullptr;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && port_call_of(*call) == port_call::cohort_wait_mbarrier) {
        if (found) {
          return nullptr;
        }
        found = call;
      }
    }
  }
  return found;
}

// Follows the paths of one iteration, with what is known of values where the wait has failed.
class iteration {
 public:
  iteration(const llvm::Loop& loop, llvm::CallInst& wait) : loop_(loop), wait_(wait) {}

  // False if each iteration that leads to a further one waits.
  bool may_repeat_without_wait() {
    return loop_.getHeader() != wait_.getParent() &&
           follow(*loop_.getHeader(), known_phis(), wait_.getParent(), end::next);
  }
  // False if a failed wait surely leads to a further iteration.
  bool may_leave_after_wait() { return follow(*wait_.getParent(), known_phis(), nullptr, end::exit); }

 private:
  enum class end { next, exit };  // an iteration ends at the loop's header, or outside of the loop
  using known_phis = llvm::SmallDenseMap<const llvm::Value*, llvm::Constant*, 8>;

  // The value on this path; null if it is not known.
  llvm::Constant* value_of(llvm::Value& value, const known_phis& phis) const {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      return constant;
    }
    if (&value == &wait_) {
      return llvm::Constant::getNullValue(value.getType());
    }
    if (const auto found = phis.find(&value); found != phis.end()) {
      return found->second;
    }
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop_.contains(instruction) || instruction->mayReadFromMemory() ||
        instruction->mayHaveSideEffects() || llvm::isa<llvm::PHINode>(instruction)) {
      return nullptr;
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      auto* condition = llvm::dyn_cast_or_null<llvm::ConstantInt>(value_of(*select->getCondition(), phis));
      if (!condition) {
        return nullptr;
      }
      return value_of(condition->isOne() ? *select->getTrueValue() : *select->getFalseValue(), phis);
    }
    llvm::SmallVector<llvm::Constant*, 2> operands;
    for (llvm::Value* operand : instruction->operands()) {
      operands.push_back(value_of(*operand, phis));
      if (!operands.back()) {
        return nullptr;
      }
    }
    return llvm::ConstantFoldInstOperands(instruction, operands, instruction->getDataLayout());
  }

  // Whether a path from the end of `block` may come to an end of this kind without passing `avoided`.
  bool follow(llvm::BasicBlock& block, const known_phis& phis, const llvm::BasicBlock* avoided, end wanted) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || ++steps_ > most_steps) {
      return true;
    }
    llvm::SmallVector<llvm::BasicBlock*, 2> next(branch->successors());
    if (branch->isConditional()) {
      if (auto* condition = llvm::dyn_cast_or_null<llvm::ConstantInt>(value_of(*branch->getCondition(), phis))) {
        next = {branch->getSuccessor(condition->isOne() ? 0 : 1)};
      }
    }
    return llvm::any_of(next, [&](llvm::BasicBlock* to) {
      if (!loop_.contains(to) || to == loop_.getHeader()) {
        return (to == loop_.getHeader() ? end::next : end::exit) == wanted;
      }
      return to != avoided && follow(*to, phis_at(*to, block, phis), avoided, wanted);
    });
  }

  known_phis phis_at(llvm::BasicBlock& block, const llvm::BasicBlock& before, known_phis phis) const {
    llvm::SmallVector<std::pair<const llvm::Value*, llvm::Constant*>, 4> at;
    for (llvm::PHINode& phi : block.phis()) {
      at.emplace_back(&phi, value_of(*phi.getIncomingValueForBlock(&before), phis));
    }
    for (const auto& [phi, constant] : at) {
      phis[phi] = constant;
    }
    return phis;
  }

  static constexpr unsigned most_steps = 100;
  const llvm::Loop& loop_;
  llvm::CallInst& wait_;
  unsigned steps_ = 0;
};

// True if the loop can only end when the phase is complete for which `wait` waits: each iteration waits, a failed wait
// leads to the next one, no iteration leaves anything to the next one, and none reads anything but the word.
bool ends_with_phase(const llvm::Loop& loop, llvm::CallInst& wait) {
  const llvm::Value& word = *wait.getArgOperand(parameter_of(port_call::cohort_wait_mbarrier, "mbarrier"));
  if (!loop.isLoopInvariant(&word) || llvm::isa<llvm::PHINode>(loop.getHeader()->front())) {
    return false;
  }
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
      const bool is_harmless = &instruction == &wait || (load && reads(*load, word)) ||
                               (call && is_idempotent(port_call_of(*call))) ||
                               (fence && fence->getSyncScopeID() == llvm::SyncScope::SingleThread) ||
                               (!instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory());
      if (!is_harmless) {
        return false;
      }
    }
  }
  return !iteration(loop, wait).may_repeat_without_wait() && !iteration(loop, wait).may_leave_after_wait();
}

// If the loop only repeats try_wait of one phase of an mbarrier: makes that call wait for the phase. Else false.
bool wait_in_place_of(const llvm::Loop& loop) {
  llvm::CallInst* wait = only_try(loop);
  if (!wait || !ends_with_phase(loop, *wait)) {
    return false;
  }
  const unsigned forever = parameter_of(port_call::cohort_wait_mbarrier, "forever");
  wait->setArgOperand(forever, llvm::ConstantInt::get(wait->getArgOperand(forever)->getType(), 1));
  return true;
}

}  // namespace

// A place in the loop: reports name it as the place of a thread that spins.
static llvm::DebugLoc place_of(const llvm::Loop& loop, const llvm::BasicBlock& latch) {
  const auto has_line = [](const llvm::DebugLoc& place) { return place && place.getLine() != 0; };
  if (has_line(latch.getTerminator()->getDebugLoc())) {
    return latch.getTerminator()->getDebugLoc();
  }
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& each : *block) {
      if (has_line(each.getDebugLoc())) {
        return each.getDebugLoc();
      }
    }
  }
  return {};
}

void yield_in_loop(llvm::Loop& loop) {
  const llvm::Function& function = *loop.getHeader()->getParent();
  llvm::Module& module = *loop.getHeader()->getModule();
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* latch : latches) {
    llvm::IRBuilder<> builder(latch->getTerminator());
    auto* call = builder.CreateCall(declare(module, port_call::cohort_wait_yield));
    call->setDebugLoc(place_of(loop, *latch));
    if (function.getSubprogram() && !call->getDebugLoc()) {
      call->setDebugLoc(llvm::DILocation::get(module.getContext(), 0, 0, function.getSubprogram()));
    }
  }
}

void yield_in_spin_loops(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  wait_analysis waiting(analyses);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute("cohort-thread-loop")) {
      continue;
    }
    for (llvm::Loop* loop : waiting.spinning_loops(function)) {
      if (!wait_in_place_of(*loop)) {
        yield_in_loop(*loop);
      }
    }
  }
}

}  // namespace cohort
