// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rendezvous of a warp in a gang. All lanes that share the mask execute it together (mask_proof.cpp), so its resolve
// function is called at once, once for each distinct mask, the lowest lane's first.
#include "gang/widen/instruction_widener.hpp"

#include "analysis/port_calls.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cohort {

// A lane that its own mask does not name ends the launch, as in a kernel with a stack for each thread.
void instruction_widener::require_lanes(llvm::CallInst& call, const mask_proof& proof, value* mask) {
  value* asked = masks_.bits(mask);
  value* shown = proof.covers;
  if (proof.unless) {
    value* others = masks_.both(mask, b_.CreateNot(vector_of(proof.unless)));
    asked = masks_.bits(others);
    shown = b_.CreateAnd(shown, asked);
  }
  llvm::SmallVector<value*, 4> arguments{asked, proof.covers, shown, call.getArgOperand(call.arg_size() - 1)};
  llvm::Function* check = &state_.outlined.make(b_.getVoidTy(), arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "check", check);
  auto* refused = llvm::BasicBlock::Create(state_.context, "refused", check);
  auto* named = llvm::BasicBlock::Create(state_.context, "named", check);
  llvm::IRBuilder<> b(entry);
  value* missing = b.CreateAnd(check->getArg(0), b.CreateNot(check->getArg(1)));
  b.CreateCondBr(b.CreateICmpEQ(missing, b.getInt32(0)), named, refused);
  b.SetInsertPoint(refused);
  value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, missing, b.getTrue());
  auto refuse = declare(*state_.function.getParent(), port_call::cohort_gang_refuse_mask);
  b.CreateCall(refuse, {lane, check->getArg(2), check->getArg(3)})->setDoesNotReturn();
  b.CreateUnreachable();
  b.SetInsertPoint(named);
  b.CreateRetVoid();
  state_.outlined.call(*check, arguments);
}

std::optional<instruction_widener::participants> instruction_widener::find_participants(llvm::CallInst& call,
                                                                                        value* mask) {
  if (width_ != lanes_of_warp) {
    refuse_warp_call(call);
    return std::nullopt;
  }
  const mask_proof proof = prove_mask(call.getArgOperand(0), call.getParent());
  if (proof.kind == mask_kind::unproven) {
    state_.refuse("a collective of a warp may be reached by only some lanes of its mask", &call);
    return std::nullopt;
  }
  if (proof.covers) {
    require_lanes(call, proof, mask);
  }
  participants all{masks_.bits(mask), nullptr};
  if (proof.kind == mask_kind::parts) {
    all.each = b_.CreateAnd(vector_of(call.getArgOperand(0)), b_.CreateVectorSplat(width_, all.lanes));
  }
  return all;
}

bool instruction_widener::widen_rendezvous(llvm::CallInst& call, value* mask) {
  const auto all = find_participants(call, mask);
  if (!all) {
    return false;
  }
  values_.erase_at_end(call);
  auto* resolve = llvm::dyn_cast<llvm::Function>(call.getArgOperand(1)->stripPointerCasts());
  if (!resolve) {
    return llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(1)) ||
           state_.refuse("a collective has a computed resolve function", &call);
  }
  llvm::SmallVector<value*, 3> arguments{all->lanes, vector_of(call.getArgOperand(2))};
  if (all->each) {
    arguments.push_back(all->each);
  }
  llvm::Function* helper = &state_.outlined.make(b_.getVoidTy(), arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "rendezvous", helper);
  llvm::IRBuilder<> b(entry);
  auto call_resolve = [&](value* lanes, value* operands) {
    b.CreateCall(resolve, {lanes, operands})->setCallingConv(resolve->getCallingConv());
  };
  auto* operands = b.CreateAlloca(helper->getArg(1)->getType());
  b.CreateStore(helper->getArg(1), operands);
  if (!all->each) {
    call_resolve(helper->getArg(0), operands);
    b.CreateRetVoid();
    state_.outlined.call(*helper, arguments);
    return true;
  }
  auto* masks = b.CreateAlloca(helper->getArg(2)->getType());
  b.CreateStore(helper->getArg(2), masks);
  auto* loop = llvm::BasicBlock::Create(state_.context, "mask", helper);
  auto* done = llvm::BasicBlock::Create(state_.context, "masks.done", helper);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* rest = b.CreatePHI(b.getInt32Ty(), 2, "rest");
  value* lowest = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.getTrue());
  value* lanes = b.CreateLoad(b.getInt32Ty(), b.CreateInBoundsGEP(b.getInt32Ty(), masks, lowest));
  call_resolve(lanes, operands);
  value* left = b.CreateAnd(rest, b.CreateNot(lanes));
  rest->addIncoming(helper->getArg(0), entry);
  rest->addIncoming(left, loop);
  b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), done, loop);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  state_.outlined.call(*helper, arguments);
  return true;
}

}  // namespace cohort
