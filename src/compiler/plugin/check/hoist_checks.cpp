// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a loop's iterations is known before it where the loop has one exit, behind its last instruction. If it
// cannot synchronise, all of its reads may be checked at its begin: no other thread's access can be ordered with one
// and not with the other. The call before the loop handles common cases only. After any other one it returns false, and
// the checks inside of the loop find and report what is wrong, where and when the loop makes the access.
#include "check/hoist_checks.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "check/access_check.hpp"

namespace cohort {
namespace {

// A read in a loop, with its address in the first iteration and the distance to the next one.
struct hoisted_read {
  access_check check;
  llvm::Loop* loop;
  const llvm::SCEV* first;
  const llvm::SCEV* stride;
  const llvm::SCEV* last_iteration;
};

class check_hoister {
 public:
  check_hoister(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                llvm::LoopInfo& loops)
      : function_(function),
        evolution_(evolution),
        dominators_(dominators),
        loops_(loops),
        expander_(evolution, function.getParent()->getDataLayout(), "cohort.reads") {}

  void run() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!loop->isInnermost()) {
        continue;
      }
      llvm::simplifyLoop(loop, &dominators_, &loops_, &evolution_, nullptr, nullptr, false);
      if (loop->getLoopPreheader() && loop->getExitingBlock() == loop->getLoopLatch()) {
        find_reads(*loop);
      }
    }
    // The calls come first: a condition changes the blocks that the expressions are made for.
    llvm::SmallVector<llvm::Value*, 8> are_checked;
    for (const hoisted_read& read : reads_) {
      are_checked.push_back(call_before_loop(read));
    }
    for (size_t i = 0; i < reads_.size(); ++i) {
      keep_unless(reads_[i].check.call, are_checked[i]);
    }
  }

 private:
  void find_reads(llvm::Loop& loop) {
    const llvm::SCEV* const last = evolution_.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(last)) {
      return;
    }
    llvm::SmallVector<hoisted_read, 4> found;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (may_synchronise(instruction) || is_range_check(instruction)) {
          return;
        }
        const auto check = find_check(instruction);
        if (check && !check->writes && !check->unaligned && check->bytes >= 4 &&
            dominators_.dominates(block, loop.getLoopLatch())) {
          add_read(loop, *check, last, found);
        }
      }
    }
    reads_.append(found);
  }

  void add_read(llvm::Loop& loop, const access_check& check, const llvm::SCEV* last,
                llvm::SmallVectorImpl<hoisted_read>& found) {
    const auto* const address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(check.address));
    if (!address || address->getLoop() != &loop || !address->isAffine()) {
      return;
    }
    const hoisted_read read = {check, &loop, address->getStart(), address->getStepRecurrence(evolution_), last};
    const llvm::Instruction* const before = loop.getLoopPreheader()->getTerminator();
    for (const llvm::SCEV* needed : {read.first, read.stride, last}) {
      if (!evolution_.isLoopInvariant(needed, &loop) || !expander_.isSafeToExpandAt(needed, before)) {
        return;
      }
    }
    found.push_back(read);
  }

  llvm::Value* call_before_loop(const hoisted_read& read) {
    llvm::Instruction* const before = read.loop->getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> builder(before);
    llvm::Type* const word = builder.getInt64Ty();
    const llvm::SCEV* const count =
        evolution_.getAddExpr(evolution_.getTruncateOrZeroExtend(read.last_iteration, word), evolution_.getOne(word));
    llvm::Value* const first = expander_.expandCodeFor(read.first, builder.getPtrTy(), before);
    llvm::Value* const stride =
        expander_.expandCodeFor(evolution_.getTruncateOrSignExtend(read.stride, word), word, before);
    llvm::Value* const reads = expander_.expandCodeFor(count, word, before);
    auto* const type =
        llvm::FunctionType::get(builder.getInt8Ty(), {builder.getPtrTy(), word, word, builder.getInt32Ty()}, false);
    builder.SetCurrentDebugLocation(read.check.call->getDebugLoc());
    llvm::Value* const checked =
        builder.CreateCall(function_.getParent()->getOrInsertFunction("cohort_check_loop", type),
                           {first, stride, reads, builder.getInt32(read.check.bytes)});
    return builder.CreateIsNotNull(checked);
  }

  static void keep_unless(llvm::CallInst* check, llvm::Value* is_checked) {
    llvm::IRBuilder<> builder(check);
    llvm::Instruction* const end =
        llvm::SplitBlockAndInsertIfThen(builder.CreateNot(is_checked), check->getIterator(), false);
    check->moveBefore(end);
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::SCEVExpander expander_;
  llvm::SmallVector<hoisted_read, 8> reads_;
};

}  // namespace

void hoist_checks(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                  llvm::LoopInfo& loops) {
  check_hoister(function, evolution, dominators, loops).run();
}

}  // namespace cohort
