// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/structure.hpp"

#include <optional>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace cohort {
namespace {

using namespace llvm::PatternMatch;

// A loop whose last block ends it if next == limit.
struct counted_loop {
  llvm::BasicBlock* header = nullptr;
  llvm::BasicBlock* latch = nullptr;
  llvm::BasicBlock* exit = nullptr;
  llvm::PHINode* counter = nullptr;
  llvm::Value* next = nullptr;
  llvm::Value* limit = nullptr;
  llvm::Value* first = nullptr;  // the counter's first value

  // The value that equals `value` at the loop's start after a round in which it was computed; null if there is none.
  llvm::Value* at_start(const llvm::Loop& loop, llvm::Value* value) const {
    if (value == next || value == limit) {
      return counter;
    }
    for (llvm::PHINode& phi : header->phis()) {
      if (phi.getIncomingValueForBlock(latch) == value) {
        return &phi;
      }
    }
    return loop.isLoopInvariant(value) ? value : nullptr;
  }
};

std::optional<counted_loop> counted(const llvm::Loop& loop) {
  counted_loop result = {loop.getHeader(), loop.getLoopLatch()};
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  llvm::Value *x, *y;
  llvm::ICmpInst::Predicate predicate;
  llvm::BasicBlock *if_true, *if_false;
  if (!result.latch || !before || result.latch == result.header ||
      !match(result.latch->getTerminator(), m_Br(m_ICmp(predicate, m_Value(x), m_Value(y)), if_true, if_false)) ||
      !llvm::ICmpInst::isEquality(predicate)) {
    return std::nullopt;
  }
  result.exit = predicate == llvm::CmpInst::ICMP_EQ ? if_true : if_false;
  if (loop.contains(result.exit)) {
    return std::nullopt;
  }
  result.limit = loop.isLoopInvariant(y) ? y : x;
  result.next = result.limit == y ? x : y;
  if (!loop.isLoopInvariant(result.limit)) {
    return std::nullopt;
  }
  for (llvm::PHINode& phi : result.header->phis()) {
    if (phi.getIncomingValueForBlock(result.latch) == result.next &&
        match(result.next, m_c_Add(m_Specific(&phi), m_ConstantInt()))) {
      result.counter = &phi;
      result.first = phi.getIncomingValueForBlock(before);
    }
  }
  return result.counter ? std::optional(result) : std::nullopt;
}

// True if the exit takes the counter from another block of the loop, too, and if each value that it takes has an equal
// one at the loop's start.
bool profits(const llvm::Loop& loop, const counted_loop& counted) {
  bool takes_counter = false;
  for (const llvm::PHINode& phi : counted.exit->phis()) {
    llvm::Value* const value = counted.at_start(loop, phi.getIncomingValueForBlock(counted.latch));
    if (!value) {
      return false;
    }
    takes_counter |= value == counted.counter && llvm::is_contained(phi.incoming_values(), value);
  }
  return takes_counter;
}

void test_first(const llvm::Loop& loop, const counted_loop& counted) {
  llvm::BasicBlock* const header = counted.header;
  auto* old_test = llvm::cast<llvm::BranchInst>(counted.latch->getTerminator());
  llvm::BasicBlock* const body = header->splitBasicBlock(header->getFirstNonPHIOrDbg());
  llvm::IRBuilder<> builder(header->getTerminator());
  builder.SetCurrentDebugLocation(old_test->getDebugLoc());
  builder.CreateCondBr(builder.CreateICmpEQ(counted.counter, counted.limit), counted.exit, body);
  header->getTerminator()->eraseFromParent();
  for (llvm::PHINode& phi : counted.exit->phis()) {
    const int of_latch = phi.getBasicBlockIndex(counted.latch);
    phi.setIncomingValue(of_latch, counted.at_start(loop, phi.getIncomingValue(of_latch)));
    phi.setIncomingBlock(of_latch, header);
  }
  builder.SetInsertPoint(old_test);
  builder.CreateBr(header)->copyMetadata(*old_test, llvm::LLVMContext::MD_loop);
  old_test->eraseFromParent();
}

}  // namespace

void test_counters_first(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty()) {
    return;
  }
  // All values that are used after a loop then go through phis of its exits, which have no other predecessors.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.run(function, analyses);
  std::vector<std::pair<const llvm::Loop*, counted_loop>> found;
  for (const llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    const auto it = loop->isInnermost() ? counted(*loop) : std::nullopt;
    if (!it || !profits(*loop, *it)) {
      continue;
    }
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    if (evolution.isLoopEntryGuardedByCond(loop, llvm::CmpInst::ICMP_NE, evolution.getSCEV(it->first),
                                           evolution.getSCEV(it->limit))) {
      found.emplace_back(loop, *it);
    }
  }
  for (const auto& [loop, it] : found) {
    test_first(*loop, it);
  }
  if (!found.empty()) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
