// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis of varying values. Behind a divergent branch a phi becomes a blend of both sides under the region's mask. Lanes
// that leave a loop before the others keep the values that they left with.
#include "gang/widen/widener.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {

// The blend is made together with its phi: users in blocks between would take the value before the blend otherwise.
bool widener::make_phis() {
  for (llvm::BasicBlock* block : order_) {
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (llvm::PHINode& phi : block->phis()) {
      if (shapes_.is_varying(&phi)) {
        phis.push_back(&phi);
      }
    }
    const llvm::Loop* loop = loops_.getLoopFor(block);
    const bool header = loop && loop->getHeader() == block;
    for (llvm::PHINode* phi : phis) {
      if (!has_lanes(phi->getType())) {
        return refuse_type(phi);
      }
      b_.SetInsertPoint(phi);
      auto* vector = b_.CreatePHI(wide(phi->getType()), phi->getNumIncomingValues(), phi->getName());
      vectors_[phi] = vector;
      wide_phis_[phi] = vector;
      dead_.push_back(phi);
      if (header || phi->getNumIncomingValues() < 2) {
        continue;
      }
      llvm::BasicBlock* top = dominators_.getNode(block)->getIDom()->getBlock();
      const int direct = phi->getBasicBlockIndex(top);
      if (!shapes_.diverges(top) || llvm::isa<llvm::UndefValue>(phi->getIncomingValue(direct))) {
        continue;
      }
      // finish_phis() fills in the operands; until then they are placeholders of the right types.
      auto* blend = llvm::SelectInst::Create(llvm::PoisonValue::get(wide(b_.getInt1Ty())), vector, vector, "blend",
                                             block->getFirstInsertionPt());
      vectors_[phi] = blend;
      blends_[phi] = blend;
      made_.insert(blend);
    }
  }
  return true;
}

void widener::keep_when_leaving(llvm::Loop& loop) {
  llvm::BasicBlock* latch = loop.getLoopLatch();
  for (llvm::PHINode& phi : loop.getUniqueExitBlock()->phis()) {
    auto known = wide_phis_.find(&phi);
    if (known == wide_phis_.end()) {
      continue;
    }
    llvm::PHINode* exit = known->second;
    b_.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
    auto* kept = b_.CreatePHI(exit->getType(), 2, "kept");
    kept->addIncoming(llvm::PoisonValue::get(exit->getType()), loop.getLoopPreheader());
    b_.SetInsertPoint(latch->getTerminator());
    // Lanes that stay overwrite their value in a later iteration.
    value* mask = latch_masks_.lookup(&loop);
    value* now = b_.CreateSelect(lanes_or_all(mask), vector_of(phi.getIncomingValue(0)), kept);
    kept->addIncoming(now, latch);
    exit->addIncoming(now, latch);
  }
}

void widener::fill_phi(llvm::PHINode& phi) {
  llvm::PHINode* vector = wide_phis_.lookup(&phi);
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
  if (llvm::SelectInst* blend = blends_.lookup(&phi)) {
    llvm::BasicBlock* top = dominators_.getNode(phi.getParent())->getIDom()->getBlock();
    b_.SetInsertPoint(blend);
    blend->setCondition(from_stored(side_masks_.lookup(top)));
    blend->setFalseValue(vector->getIncomingValueForBlock(top));
  }
}

void widener::finish_phis() {
  for (auto& [loop, lanes] : loop_masks_) {
    keep_when_leaving(*loop);
  }
  for (llvm::BasicBlock* block : order_) {
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (llvm::PHINode& phi : block->phis()) {
      if (wide_phis_.count(&phi)) {
        phis.push_back(&phi);
      }
    }
    for (llvm::PHINode* phi : phis) {
      fill_phi(*phi);
    }
  }
}

}  // namespace cohort
