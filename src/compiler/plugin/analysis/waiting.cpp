// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waiting.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/source_place.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

bool is_atomic_or_volatile(const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return load->isVolatile() || load->isAtomic();
  }
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    return memory->isVolatile();
  }
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
}

// True for a compare-and-swap whose expected value is the one that its previous iteration loaded. It retries only if
// another thread has changed the value, so the loop waits for no thread.
bool is_lock_free_retry(const llvm::AtomicCmpXchgInst& exchange, const llvm::Loop& loop) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 8> work{exchange.getCompareOperand()};
  while (!work.empty()) {
    const llvm::Value* value = work.pop_back_val();
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop.contains(instruction) || !seen.insert(value).second) {
      continue;
    }
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction)) {
      if (part->getAggregateOperand() == &exchange) {
        return true;
      }
    } else if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::SelectInst>(instruction)) {
      work.append(instruction->op_begin(), instruction->op_end());
    }
  }
  return false;
}

// True for a user's function that another file defines. rename.cpp has already given users' functions the suffix, so
// all other declarations are the engine's or the C library's.
bool is_unseen(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().ends_with(".device");
}

// True for the functions that serve a gang or its lanes.
bool is_about_gang(llvm::StringRef name) {
  const call_kind kind = kind_of(port_call_named(name));
  return kind == call_kind::joint || kind == call_kind::lane || lane_call_named(name);
}

// True if another thread may change the value that the function returns. Functions that suspend the caller are left
// out: a loop that calls one needs no yield. So are those about the lanes of a gang.
bool may_observe_threads(const llvm::Function& declared) {
  llvm::StringRef name = declared.getName();
  name.consume_front("\1");
  return is_unseen(declared) || (is_of_cohort(name) && !may_suspend(port_call_named(name)) && !is_about_gang(name) &&
                                 !declared.doesNotAccessMemory());
}

std::string readable(llvm::StringRef symbol) {
  symbol.consume_back(".device");
  return llvm::demangle(symbol);
}

}  // namespace

bool any_call(llvm::Function& function, llvm::function_ref<bool(llvm::CallBase&)> is_one) {
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && is_one(*call);
  });
}

bool wait_analysis::touches_shared_state(const llvm::Function& function) {
  auto [known, is_new] = touching_.try_emplace(&function, false);
  if (!is_new) {
    return known->second;
  }
  bool result = function.isDeclaration() && may_observe_threads(function);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_atomic_or_volatile(instruction)) {
      result = true;
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function* callee = call->getCalledFunction();
      result = result || !callee || touches_shared_state(*callee);
    }
  }
  return touching_[&function] = result;
}

namespace {

// The values that decide whether a loop ends, traced back to their sources inside the loop: through operands, through
// the branches that select a phi's value and, in unoptimized code, through local variables.
class exit_values {
 public:
  explicit exit_values(llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> exiting) : loop_(loop) {
    for (llvm::BasicBlock* block : exiting) {
      follow(block->getTerminator());
    }
  }

  // The next value; null at the end.
  llvm::Instruction* next() { return work_.empty() ? nullptr : llvm::cast<llvm::Instruction>(work_.pop_back_val()); }

  void follow_sources(llvm::Instruction& instruction) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (llvm::BasicBlock* incoming : phi->blocks()) {
        follow(incoming->getTerminator());
      }
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand()))) {
        follow_writers(*variable);
      }
    }
    for (llvm::Value* operand : instruction.operands()) {
      follow(operand);
    }
  }

 private:
  void follow(llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && loop_.contains(instruction) && seen_.insert(value).second) {
      work_.push_back(value);
    }
  }

  void follow_writers(llvm::AllocaInst& variable) {
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (store && llvm::getUnderlyingObject(store->getPointerOperand()) == &variable) {
          follow(store);
          follow(block->getTerminator());
        }
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call && llvm::is_contained(call->args(), &variable)) {
          follow(call);
        }
      }
    }
  }

  llvm::Loop& loop_;
  llvm::SmallPtrSet<llvm::Value*, 32> seen_;
  llvm::SmallVector<llvm::Value*, 32> work_;
};

}  // namespace

bool wait_analysis::spins(llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty()) {
    return true;
  }
  exit_values values(loop, exiting);
  while (llvm::Instruction* instruction = values.next()) {
    if (is_atomic_or_volatile(*instruction)) {
      auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(instruction);
      if (!exchange || !is_lock_free_retry(*exchange, loop)) {
        return true;
      }
      continue;  // a retry waits for no thread, whatever its operands are
    }
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (!read_by(*call) && (!callee || touches_shared_state(*callee))) {
        return true;
      }
    }
    values.follow_sources(*instruction);
  }
  return false;
}

llvm::SmallVector<llvm::Loop*, 4> wait_analysis::spinning_loops(llvm::Function& function) {
  llvm::SmallVector<llvm::Loop*, 4> result;
  if (function.isDeclaration()) {
    return result;
  }
  for (llvm::Loop* loop : analyses_.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (spins(*loop)) {
      result.push_back(loop);
    }
  }
  return result;
}

std::optional<std::string> wait_analysis::judge_call(llvm::CallBase& call,
                                                     llvm::SmallVectorImpl<llvm::Function*>& path) {
  if (call.isInlineAsm()) {
    return "it has inline assembly" + source_place(call.getDebugLoc());
  }
  llvm::Function* callee = call.getCalledFunction();
  if (!callee) {
    return "it calls a function through a pointer" + source_place(call.getDebugLoc());
  }
  if (!callee->isDeclaration()) {
    return visit(*callee, path);
  }
  if (const port_call wait = port_call_of(call); may_suspend(wait)) {
    return "it calls " + name_of(wait).str() + source_place(call.getDebugLoc());
  }
  if (!is_unseen(*callee)) {
    return std::nullopt;
  }
  return "it calls " + readable(called_name(call)) + ", which is not seen here" + source_place(call.getDebugLoc());
}

std::optional<std::string> wait_analysis::visit(llvm::Function& function,
                                                llvm::SmallVectorImpl<llvm::Function*>& path) {
  if (llvm::is_contained(path, &function)) {
    return readable(function.getName()) + " is recursive";
  }
  if (function.isVarArg()) {  // va_start reads the function's own frame
    return readable(function.getName()) + " has a variable number of arguments";
  }
  if (harmless_.lookup(&function)) {
    return std::nullopt;
  }
  path.push_back(&function);
  std::optional<std::string> reason;
  const auto loops = spinning_loops(function);
  if (!loops.empty()) {
    reason = "a loop may wait for other threads" + source_place(loops.front()->getStartLoc());
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!reason && call) {
      reason = judge_call(*call, path);
    }
  }
  path.pop_back();
  if (!reason) {
    harmless_[&function] = true;
  }
  return reason;
}

std::optional<std::string> wait_analysis::why_it_may_wait(llvm::Function& function) {
  llvm::SmallVector<llvm::Function*, 8> path;
  return visit(function, path);
}

}  // namespace cohort
