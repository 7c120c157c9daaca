// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/loop_counts.hpp"

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

// The value as an index of the loop; empty if it is none.
std::optional<loop_index> find_index(const llvm::SCEV* value, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                     bool is_signed) {
  const auto* const index = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  if (!index || index->getLoop() != &loop || !index->isAffine() || !index->getType()->isIntegerTy(32)) {
    return std::nullopt;
  }
  return loop_index{index->getStart(), index->getStepRecurrence(evolution), is_signed};
}

// Replaces extensions of indices by indices of 64 bits.
class index_widener : public llvm::SCEVRewriteVisitor<index_widener> {
 public:
  index_widener(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::SmallVectorImpl<loop_index>& indices)
      : SCEVRewriteVisitor(evolution), loop_(loop), indices_(indices) {}

  const llvm::SCEV* visitSignExtendExpr(const llvm::SCEVSignExtendExpr* value) {
    const llvm::SCEV* const wide = widen(*value, true);
    return wide ? wide : SCEVRewriteVisitor::visitSignExtendExpr(value);
  }
  const llvm::SCEV* visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr* value) {
    const llvm::SCEV* const wide = widen(*value, false);
    return wide ? wide : SCEVRewriteVisitor::visitZeroExtendExpr(value);
  }

 private:
  const llvm::SCEV* widen(const llvm::SCEVCastExpr& value, bool is_signed) {
    const auto index = find_index(value.getOperand(), loop_, SE, is_signed);
    if (!index || !value.getType()->isIntegerTy(64)) {
      return nullptr;
    }
    indices_.push_back(*index);
    const llvm::SCEV* const start = is_signed ? SE.getSignExtendExpr(index->start, value.getType())
                                              : SE.getZeroExtendExpr(index->start, value.getType());
    return SE.getAddRecExpr(start, SE.getSignExtendExpr(index->step, value.getType()), &loop_, llvm::SCEV::FlagAnyWrap);
  }

  const llvm::Loop& loop_;
  llvm::SmallVectorImpl<loop_index>& indices_;
};

// Code before a loop that computes with 64 bits.
class count_builder {
 public:
  count_builder(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::SCEVExpander& expander)
      : place_(loop.getLoopPreheader()->getTerminator()),
        builder_(place_),
        evolution_(evolution),
        expander_(expander),
        holds_(builder_.getTrue()) {}

  // The number of the last iteration.
  llvm::Value* last_of(const loop_count& count) {
    if (count.last) {
      return expand(evolution_.getTruncateOrZeroExtend(count.last, builder_.getInt64Ty()));
    }
    const loop_index& compared = count.compared;
    llvm::Value* const start = extended(compared.start, compared.is_signed);
    llvm::Value* const step = extended(compared.step, true);
    llvm::Value* const distance = builder_.CreateSub(extended(count.bound, compared.is_signed), start);
    llvm::Value* const rises = builder_.CreateICmpSGT(step, builder_.getInt64(0));
    require(rises);
    llvm::Value* const divisor = builder_.CreateSelect(rises, step, builder_.getInt64(1));
    llvm::Value* const rounded = builder_.CreateAdd(distance, builder_.CreateSub(divisor, builder_.getInt64(1)));
    llvm::Value* const steps = builder_.CreateSDiv(rounded, divisor);
    llvm::Value* const is_above = builder_.CreateICmpSGT(distance, builder_.getInt64(0));
    llvm::Value* const last = builder_.CreateSelect(is_above, steps, builder_.getInt64(0));
    require_range(compared, last);
    return last;
  }

  // Requires that the index does not wrap around until the iteration `last`.
  void require_range(const loop_index& index, llvm::Value* last) {
    require(builder_.CreateICmpULE(last, builder_.getInt64(INT32_MAX)));  // the product has at most 63 bits
    llvm::Value* const way = builder_.CreateMul(extended(index.step, true), last);
    llvm::Value* const end = builder_.CreateAdd(extended(index.start, index.is_signed), way);
    llvm::Type* const narrow = builder_.getInt32Ty();
    llvm::Value* const low = builder_.CreateTrunc(end, narrow);
    llvm::Value* const back =
        index.is_signed ? builder_.CreateSExt(low, end->getType()) : builder_.CreateZExt(low, end->getType());
    require(builder_.CreateICmpEQ(back, end));
  }

  llvm::Value* count_up_to(llvm::Value* last) {
    llvm::Value* const count = builder_.CreateAdd(last, builder_.getInt64(1));
    return builder_.CreateSelect(holds_, count, builder_.getInt64(~uint64_t{0}));
  }

 private:
  llvm::Value* expand(const llvm::SCEV* value) { return expander_.expandCodeFor(value, value->getType(), place_); }
  llvm::Value* extended(const llvm::SCEV* value, bool is_signed) {
    llvm::Type* const wide = builder_.getInt64Ty();
    return expand(is_signed ? evolution_.getSignExtendExpr(value, wide) : evolution_.getZeroExtendExpr(value, wide));
  }
  void require(llvm::Value* condition) { holds_ = builder_.CreateAnd(holds_, condition); }

  llvm::Instruction* place_;
  llvm::IRBuilder<> builder_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander& expander_;
  llvm::Value* holds_;
};

}  // namespace

std::optional<loop_count> find_count(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  loop_count found;
  if (const llvm::SCEV* const last = evolution.getBackedgeTakenCount(&loop);
      !llvm::isa<llvm::SCEVCouldNotCompute>(last)) {
    found.last = last;
    return found;
  }
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  auto* const compare =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy(32)) {
    return std::nullopt;
  }
  const bool goes_on = branch->getSuccessor(0) == loop.getHeader();
  llvm::CmpInst::Predicate predicate = goes_on ? compare->getPredicate() : compare->getInversePredicate();
  const llvm::SCEV *left = evolution.getSCEV(compare->getOperand(0)),
                   *right = evolution.getSCEV(compare->getOperand(1));
  if (predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_UGT) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (predicate != llvm::CmpInst::ICMP_SLT && predicate != llvm::CmpInst::ICMP_ULT) {
    return std::nullopt;
  }
  const auto index = find_index(left, loop, evolution, predicate == llvm::CmpInst::ICMP_SLT);
  if (!index || !evolution.isLoopInvariant(right, &loop)) {
    return std::nullopt;
  }
  found.compared = *index;
  found.bound = right;
  return found;
}

const llvm::SCEVAddRecExpr* find_linear(const llvm::SCEV* address, const llvm::Loop& loop,
                                        llvm::ScalarEvolution& evolution, llvm::SmallVectorImpl<loop_index>& indices) {
  const auto* const linear =
      llvm::dyn_cast<llvm::SCEVAddRecExpr>(index_widener(loop, evolution, indices).visit(address));
  return linear && linear->getLoop() == &loop && linear->isAffine() ? linear : nullptr;
}

bool can_expand(const loop_count& count, llvm::ArrayRef<loop_index> indices, const llvm::Loop& loop,
                llvm::ScalarEvolution& evolution, const llvm::SCEVExpander& expander) {
  llvm::SmallVector<const llvm::SCEV*, 8> needed;
  if (count.last) {
    needed.push_back(count.last);
  } else {
    needed.append({count.compared.start, count.compared.step, count.bound});
  }
  for (const loop_index& index : indices) {
    needed.append({index.start, index.step});
  }
  const llvm::Instruction* const before = loop.getLoopPreheader()->getTerminator();
  return llvm::all_of(needed, [&](const llvm::SCEV* each) {
    return evolution.isLoopInvariant(each, &loop) && expander.isSafeToExpandAt(each, before);
  });
}

llvm::Value* make_count(const loop_count& count, llvm::ArrayRef<loop_index> indices, const llvm::Loop& loop,
                        llvm::ScalarEvolution& evolution, llvm::SCEVExpander& expander) {
  count_builder code(loop, evolution, expander);
  llvm::Value* const last = code.last_of(count);
  for (const loop_index& index : indices) {
    code.require_range(index, last);
  }
  return code.count_up_to(last);
}

}  // namespace cohort
