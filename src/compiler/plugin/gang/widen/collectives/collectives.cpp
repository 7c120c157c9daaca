// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/collectives/collectives.hpp"

#include "analysis/port_calls.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Emits `call` for each distinct mask, that of the lowest lane first, and ends in a new block.
void for_each_mask(llvm::IRBuilder<>& b, llvm::Value* lanes, llvm::Value* masks,
                   llvm::function_ref<void(llvm::Value* mask)> call) {
  auto* memory = b.CreateAlloca(masks->getType());
  b.CreateStore(masks, memory);
  llvm::BasicBlock* entry = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), "mask", entry->getParent());
  auto* done = llvm::BasicBlock::Create(b.getContext(), "masks.done", entry->getParent());
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* rest = b.CreatePHI(b.getInt32Ty(), 2, "rest");
  llvm::Value* lowest = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.getTrue());
  llvm::Value* mask = b.CreateLoad(b.getInt32Ty(), b.CreateInBoundsGEP(b.getInt32Ty(), memory, lowest));
  call(mask);
  llvm::Value* left = b.CreateAnd(rest, b.CreateNot(mask));
  rest->addIncoming(lanes, entry);
  rest->addIncoming(left, loop);
  b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), done, loop);
  b.SetInsertPoint(done);
}

}  // namespace

bool collective_widener::is_of_one_warp(const llvm::CallInst& call) {
  return width_ == lanes_of_warp || state_.refuse("warp collectives run in gangs of 32 lanes", &call);
}

// A lane that its own mask does not name ends the launch, as in a kernel with a stack for each thread.
void collective_widener::require_lanes(llvm::CallInst& call, const mask_proof& proof, value* mask) {
  value* needed = masks_.bits(mask);
  value* shown = proof.required;
  if (proof.exempt) {
    needed = masks_.bits(masks_.both(mask, b_.CreateNot(vector_of(proof.exempt))));
    shown = b_.CreateAnd(shown, needed);
  }
  value* op_name = call.getArgOperand(call.arg_size() - 1);
  llvm::SmallVector<value*, 4> arguments{needed, proof.required, shown, op_name};
  llvm::Function& check = state_.outlined.make(b_.getVoidTy(), arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "check", &check);
  auto* refused = llvm::BasicBlock::Create(state_.context, "refused", &check);
  auto* named = llvm::BasicBlock::Create(state_.context, "named", &check);
  llvm::IRBuilder<> b(entry);
  value* missing = b.CreateAnd(check.getArg(0), b.CreateNot(check.getArg(1)));
  b.CreateCondBr(b.CreateICmpEQ(missing, b.getInt32(0)), named, refused);
  b.SetInsertPoint(refused);
  value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, missing, b.getTrue());
  auto refuse = declare(*state_.function.getParent(), port_call::cohort_gang_refuse_mask);
  b.CreateCall(refuse, {lane, check.getArg(2), check.getArg(3)})->setDoesNotReturn();
  b.CreateUnreachable();
  b.SetInsertPoint(named);
  b.CreateRetVoid();
  state_.outlined.call(check, arguments);
}

std::optional<collective_widener::participants> collective_widener::find_participants(llvm::CallInst& call,
                                                                                      value* lanes, value* mask) {
  if (!is_of_one_warp(call)) {
    return std::nullopt;
  }
  const mask_proof proof = prover_.prove(lanes, call.getParent());
  if (proof.kind == mask_kind::unproven) {
    state_.refuse("a collective of a warp may be reached by only some lanes of its mask", &call);
    return std::nullopt;
  }
  if (proof.required) {
    require_lanes(call, proof, mask);
  }
  participants all{masks_.bits(mask), nullptr};
  if (proof.kind == mask_kind::partition) {
    all.masks = b_.CreateAnd(vector_of(lanes), in_all_lanes(all.lanes));
  }
  return all;
}

bool collective_widener::widen_converged(llvm::CallInst& call, value* mask) {
  values_.replace_uniform(call, masks_.bits(mask));
  return is_of_one_warp(call);
}

bool collective_widener::widen_rendezvous(llvm::CallInst& call, value* mask) {
  const auto all = find_participants(call, call.getArgOperand(rendezvous_mask), mask);
  if (!all) {
    return false;
  }
  values_.erase_at_end(call);
  auto* resolve = llvm::dyn_cast<llvm::Function>(call.getArgOperand(rendezvous_resolve)->stripPointerCasts());
  if (!resolve) {
    return llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(rendezvous_resolve)) ||
           state_.refuse("a collective has a computed resolve function", &call);
  }
  llvm::SmallVector<value*, 3> arguments{all->lanes, vector_of(call.getArgOperand(rendezvous_operands))};
  if (all->masks) {
    arguments.push_back(all->masks);
  }
  llvm::Function& code = state_.outlined.make(b_.getVoidTy(), arguments, "cohort.collective");
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(state_.context, "rendezvous", &code));
  auto* operands = b.CreateAlloca(code.getArg(1)->getType());
  b.CreateStore(code.getArg(1), operands);
  auto call_resolve = [&](value* lanes) {
    b.CreateCall(resolve, {lanes, operands})->setCallingConv(resolve->getCallingConv());
  };
  if (all->masks) {
    for_each_mask(b, code.getArg(0), code.getArg(2), call_resolve);
  } else {
    call_resolve(code.getArg(0));
  }
  b.CreateRetVoid();
  state_.outlined.call(code, arguments);
  return true;
}

}  // namespace cohort
