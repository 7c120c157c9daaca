// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `b[i] = a[i - 1] + a[i] + a[i + 1];` has four checks. They have one source line, no synchronisation lies between
// them, and the addresses depend on no value that is loaded in between. So one call in place of the first of them
// checks all, in their order. A read after a write keeps its own call: the write may store the value that the memory
// check examines.
#include "check/instrument_accesses.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include "check/access_check.hpp"
#include "check/check_calls.hpp"

#include <cohort/machine/cpu/port/check/checker.hpp>

namespace cohort {
namespace {

using namespace check;

constexpr unsigned fewest_checks = 4, most_checks = most_of_several;

class check_batcher {
 public:
  explicit check_batcher(llvm::Function& function) : function_(function) {}

  void run() {
    for (llvm::BasicBlock& block : function_) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        const auto check = find_check(instruction);
        if (check && !check->unaligned && !check->updates) {
          add(*check);
        } else if (check || may_synchronise(instruction) || is_range_check(instruction) ||
                   check_call_of(instruction) != check_call::none) {
          close();
        }
      }
      close();
    }
  }

 private:
  void add(const access_check& check) {
    if (!checks_.empty()) {
      const bool fits = checks_.size() < most_checks && has_line(check) && (check.writes || !checks_.back().writes) &&
                        move_before(check.address, *checks_.front().call);
      if (!fits) {
        close();
      }
    }
    checks_.push_back(check);
  }

  bool has_line(const access_check& check) const {
    const llvm::DILocation* const first = checks_.front().call->getDebugLoc().get();
    const llvm::DILocation* const now = check.call->getDebugLoc().get();
    return first && now && first->getLine() == now->getLine() && first->getScope() == now->getScope() &&
           first->getInlinedAt() == now->getInlinedAt();
  }

  // Makes the value available before `place`, which is in its block. Returns false if it depends on more than
  // arithmetic.
  static bool move_before(llvm::Value* value, llvm::Instruction& place) {
    llvm::SmallVector<llvm::Instruction*, 8> moved;
    return collect(value, place, moved) && (move(moved, place), true);
  }
  // Collects the instructions to move, operands first.
  static bool collect(llvm::Value* value, llvm::Instruction& place, llvm::SmallVectorImpl<llvm::Instruction*>& moved) {
    auto* const made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made || made->getParent() != place.getParent() || made->comesBefore(&place) ||
        llvm::is_contained(moved, made)) {
      return true;
    }
    if (llvm::isa<llvm::PHINode>(made) || made->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(made) ||
        moved.size() > 32) {
      return false;
    }
    for (llvm::Value* operand : made->operands()) {
      if (!collect(operand, place, moved)) {
        return false;
      }
    }
    moved.push_back(made);
    return true;
  }
  static void move(llvm::ArrayRef<llvm::Instruction*> instructions, llvm::Instruction& place) {
    for (llvm::Instruction* instruction : instructions) {
      instruction->moveBefore(&place);
    }
  }

  void close() {
    if (checks_.size() >= fewest_checks) {
      replace();
    }
    checks_.clear();
  }

  void replace() {
    llvm::IRBuilder<> builder(checks_.front().call);
    uint32_t kinds = 0;
    llvm::SmallVector<llvm::Value*, most_checks + 1> arguments = {nullptr};
    for (unsigned i = 0; i < most_checks; ++i) {
      const bool exists = i < checks_.size();
      uint32_t kind = kind_of_none;
      if (exists) {
        kind = llvm::Log2_32(checks_[i].bytes) | (checks_[i].writes ? uint32_t{kind_of_write} : 0);
      }
      kinds |= kind << (i * bits_of_kind);
      arguments.push_back(exists ? checks_[i].address : llvm::ConstantPointerNull::get(builder.getPtrTy()));
    }
    arguments[0] = builder.getInt32(kinds);
    builder.CreateCall(declare(*function_.getParent(), check_call::cohort_check_several), arguments);
    for (const access_check& check : checks_) {
      check.call->eraseFromParent();
    }
  }

  llvm::Function& function_;
  llvm::SmallVector<access_check, most_checks> checks_;
};

}  // namespace

void batch_checks(llvm::Function& function) { check_batcher(function).run(); }

}  // namespace cohort
