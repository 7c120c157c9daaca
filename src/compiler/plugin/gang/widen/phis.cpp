// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis of varying values. Behind a divergent branch a phi becomes a blend of both sides under the region's mask. Lanes
// that leave a loop before the others keep the values that they left with.
#include "gang/widen/instruction_widener.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {

// The blend is made together with its phi: users in blocks between would take the value before the blend otherwise.
bool instruction_widener::make_phis() {
  for (llvm::BasicBlock* block : state_.order) {
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (llvm::PHINode& phi : block->phis()) {
      if (shapes_.is_varying(&phi)) {
        phis.push_back(&phi);
      }
    }
    const llvm::Loop* loop = state_.loops.getLoopFor(block);
    const bool header = loop && loop->getHeader() == block;
    for (llvm::PHINode* phi : phis) {
      if (!types_.has_lanes(phi->getType())) {
        return state_.refuse_type(phi);
      }
      b_.SetInsertPoint(phi);
      auto* vector = b_.CreatePHI(wide(phi->getType()), phi->getNumIncomingValues(), phi->getName());
      values_.set_vector(phi, vector);
      wide_phis_[phi] = vector;
      values_.erase_at_end(*phi);
      if (header || phi->getNumIncomingValues() < 2) {
        continue;
      }
      llvm::BasicBlock* top = state_.dominators.getNode(block)->getIDom()->getBlock();
      const int direct = phi->getBasicBlockIndex(top);
      if (!shapes_.diverges(top) || llvm::isa<llvm::UndefValue>(phi->getIncomingValue(direct))) {
        continue;
      }
      // finish_phis() fills in the operands; until then they are placeholders of the right types.
      auto* blend = llvm::SelectInst::Create(llvm::PoisonValue::get(wide(b_.getInt1Ty())), vector, vector, "blend",
                                             block->getFirstInsertionPt());
      values_.set_vector(phi, blend);
      blends_[phi] = blend;
      state_.made.insert(blend);
    }
  }
  return true;
}

void instruction_widener::keep_when_leaving(llvm::Loop& loop) {
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
    value* mask = state_.blocks.latch_masks.lookup(&loop);
    value* now = b_.CreateSelect(masks_.as_vector(mask), vector_of(phi.getIncomingValue(0)), kept);
    kept->addIncoming(now, latch);
    exit->addIncoming(now, latch);
  }
}

void instruction_widener::fill_phi(llvm::PHINode& phi) {
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
    llvm::BasicBlock* top = state_.dominators.getNode(phi.getParent())->getIDom()->getBlock();
    b_.SetInsertPoint(blend);
    blend->setCondition(masks_.from_stored(state_.blocks.side_masks.lookup(top)));
    blend->setFalseValue(vector->getIncomingValueForBlock(top));
  }
}

void instruction_widener::finish_phis() {
  for (auto& [loop, lanes] : state_.blocks.loop_masks) {
    keep_when_leaving(*loop);
  }
  for (llvm::BasicBlock* block : state_.order) {
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
