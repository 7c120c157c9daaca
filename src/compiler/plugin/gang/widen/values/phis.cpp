// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/values/phis.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

llvm::SmallVector<llvm::PHINode*, 8> phis_of(llvm::BasicBlock& block,
                                             llvm::function_ref<bool(llvm::PHINode&)> is_wanted) {
  llvm::SmallVector<llvm::PHINode*, 8> found;
  for (llvm::PHINode& phi : block.phis()) {
    if (is_wanted(phi)) {
      found.push_back(&phi);
    }
  }
  return found;
}

}  // namespace

bool phi_widener::make() {
  return llvm::all_of(state_.order, [&](llvm::BasicBlock* block) {
    const auto phis = phis_of(*block, [&](llvm::PHINode& phi) { return shapes_.is_varying(&phi); });
    return llvm::all_of(phis, [&](llvm::PHINode* phi) { return make(*phi); });
  });
}

bool phi_widener::make(llvm::PHINode& phi) {
  if (!types_.has_lanes(phi.getType())) {
    return state_.refuse_type(&phi);
  }
  b_.SetInsertPoint(&phi);
  auto* vector = b_.CreatePHI(wide(phi.getType()), phi.getNumIncomingValues(), phi.getName());
  values_.set_vector(&phi, vector);
  vectors_[&phi] = vector;
  values_.erase_at_end(phi);
  const llvm::Loop* loop = state_.loops.getLoopFor(phi.getParent());
  const bool is_of_header = loop && loop->getHeader() == phi.getParent();
  if (!is_of_header && phi.getNumIncomingValues() >= 2) {
    blend(phi, *vector);
  }
  return true;
}

// The blend is made together with its phi: users in blocks between would take the value before the blend otherwise.
void phi_widener::blend(llvm::PHINode& phi, llvm::PHINode& vector) {
  llvm::BasicBlock* block = phi.getParent();
  llvm::BasicBlock* top = state_.dominators.getNode(block)->getIDom()->getBlock();
  const int direct = phi.getBasicBlockIndex(top);
  if (!shapes_.diverges(top) || llvm::isa<llvm::UndefValue>(phi.getIncomingValue(direct))) {
    return;
  }
  // fill() sets the operands; until then they are placeholders of the right types.
  auto* select = llvm::SelectInst::Create(llvm::PoisonValue::get(wide(b_.getInt1Ty())), &vector, &vector, "blend",
                                          block->getFirstInsertionPt());
  values_.set_vector(&phi, select);
  blends_[&phi] = select;
  state_.made.insert(select);
}

void phi_widener::keep_when_leaving(llvm::Loop& loop) {
  llvm::BasicBlock* latch = loop.getLoopLatch();
  for (llvm::PHINode& phi : loop.getUniqueExitBlock()->phis()) {
    auto known = vectors_.find(&phi);
    if (known == vectors_.end()) {
      continue;
    }
    llvm::PHINode* exit = known->second;
    b_.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
    auto* kept = b_.CreatePHI(exit->getType(), 2, "kept");
    kept->addIncoming(llvm::PoisonValue::get(exit->getType()), loop.getLoopPreheader());
    b_.SetInsertPoint(latch->getTerminator());
    // Lanes that stay overwrite their value in a later iteration.
    value* mask = state_.blocks.latch_masks.lookup(&loop);
    value* now = b_.CreateSelect(masks_.as_vector(mask), vector_of(phi.getIncomingValue(0)), kept);
    kept->addIncoming(now, latch);
    exit->addIncoming(now, latch);
  }
}

void phi_widener::fill(llvm::PHINode& phi) {
  llvm::PHINode* vector = vectors_.lookup(&phi);
  if (vector->getNumIncomingValues() != 0) {
    return;
  }
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock* from = phi.getIncomingBlock(i);
    b_.SetInsertPoint(from->getTerminator());
    value* incoming = phi.getIncomingValue(i);
    vector->addIncoming(llvm::isa<llvm::PoisonValue>(incoming)  ? llvm::PoisonValue::get(vector->getType())
                        : llvm::isa<llvm::UndefValue>(incoming) ? llvm::UndefValue::get(vector->getType())
                                                                : vector_of(incoming),
                        from);
  }
  if (llvm::SelectInst* select = blends_.lookup(&phi)) {
    llvm::BasicBlock* top = state_.dominators.getNode(phi.getParent())->getIDom()->getBlock();
    b_.SetInsertPoint(select);
    select->setCondition(masks_.from_stored(state_.blocks.side_masks.lookup(top)));
    select->setFalseValue(vector->getIncomingValueForBlock(top));
  }
}

void phi_widener::fill() {
  for (auto& [loop, lanes] : state_.blocks.loop_masks) {
    keep_when_leaving(*loop);
  }
  for (llvm::BasicBlock* block : state_.order) {
    for (llvm::PHINode* phi : phis_of(*block, [&](llvm::PHINode& phi) { return vectors_.contains(&phi); })) {
      fill(*phi);
    }
  }
}

}  // namespace cohort
