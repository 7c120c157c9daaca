// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores. No access touches a byte that no active lane touches: a masked access does not fault where its
// lane is inactive. Scatters write in lane order, so the last lane's value stays, as in a loop over the threads.
#include "gang/widen/instruction_widener.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

void copy_alias_facts(const llvm::Instruction& from, llvm::Instruction& to) {
  to.copyMetadata(from, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
}

}  // namespace

llvm::Instruction* instruction_widener::contiguous_access(llvm::IRBuilder<>& b, llvm::Instruction& access,
                                                          value* stored, value* address, value* mask) {
  llvm::Instruction* result = nullptr;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    result = mask ? static_cast<llvm::Instruction*>(b.CreateMaskedStore(stored, address, store->getAlign(), mask))
                  : b.CreateAlignedStore(stored, address, store->getAlign());
  } else {
    const llvm::Align alignment = llvm::cast<llvm::LoadInst>(access).getAlign();
    llvm::Type* type = wide(access.getType());
    result = mask ? static_cast<llvm::Instruction*>(b.CreateMaskedLoad(type, address, alignment, mask))
                  : b.CreateAlignedLoad(type, address, alignment);
  }
  copy_alias_facts(access, *result);
  return result;
}

llvm::Instruction* instruction_widener::irregular_access(llvm::IRBuilder<>& b, llvm::Instruction& access, value* stored,
                                                         value* addresses, value* mask) {
  llvm::Instruction* result = nullptr;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    result = b.CreateMaskedScatter(stored, addresses, store->getAlign(), mask);
  } else {
    result =
        b.CreateMaskedGather(wide(access.getType()), addresses, llvm::cast<llvm::LoadInst>(access).getAlign(), mask);
  }
  copy_alias_facts(access, *result);
  return result;
}

// One object for each lane, side by side: addresses of locals may escape to functions that a lane calls.
bool instruction_widener::widen_variable(llvm::AllocaInst& variable) {
  if (!variable.isStaticAlloca() || variable.isArrayAllocation()) {
    return state_.refuse("it has a local variable of variable size", &variable);
  }
  const uint64_t bytes = shapes_.object_bytes(variable);
  variable.setAllocatedType(llvm::ArrayType::get(b_.getInt8Ty(), bytes * width_));
  return true;
}

bool instruction_widener::widen_load(llvm::LoadInst& load, value* mask) {
  if (!shapes_.is_varying(&load)) {
    return true;
  }
  llvm::Type* type = load.getType();
  if (load.isAtomic() || (types_.has_lanes(type) && !types_.is_plain(type))) {
    return each_lane(load, mask);
  }
  if (!types_.has_lanes(type)) {
    return state_.refuse_type(&load);
  }
  return load.isVolatile() ? volatile_access(load, nullptr, mask) : access(load, nullptr, mask);
}

llvm::Value* instruction_widener::last_lane(value* vector, value* mask) {
  if (!mask) {
    return b_.CreateExtractElement(vector, width_ - 1);
  }
  value* leading = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, masks_.bits(mask), b_.getTrue());
  value* lane = b_.CreateSub(b_.getIntN(width_, width_ - 1), leading);
  return b_.CreateExtractElement(vector, lane);
}

bool instruction_widener::widen_store(llvm::StoreInst& store, value* mask) {
  value* address = store.getPointerOperand();
  value* stored = store.getValueOperand();
  if (store.isAtomic() || (store.isVolatile() && shapes_.is_uniform(address))) {
    return each_lane(store, mask);
  }
  if (shapes_.is_uniform(address) && shapes_.is_uniform(stored)) {
    return true;
  }
  llvm::Type* type = stored->getType();
  if (!types_.is_plain(type)) {
    return types_.has_lanes(type) ? each_lane(store, mask) : state_.refuse_type(&store);
  }
  if (shapes_.is_uniform(address)) {
    auto* result = b_.CreateAlignedStore(last_lane(vector_of(stored), mask), address, store.getAlign());
    copy_alias_facts(store, *result);
    values_.erase_at_end(store);
    return true;
  }
  return store.isVolatile() ? volatile_access(store, vector_of(stored), mask) : access(store, vector_of(stored), mask);
}

// LLVM's gathers and masked accesses cannot be volatile. Between fences of the compiler, which are no instructions,
// each is executed once and in the source's order.
bool instruction_widener::volatile_access(llvm::Instruction& access, value* stored, value* mask) {
  auto fence = [&] { b_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread); };
  fence();
  const bool widened = this->access(access, stored, mask);
  fence();
  return widened;
}

// Neighbouring elements are one access. Where they are that only if no index wraps around, the code asks at run time.
bool instruction_widener::access(llvm::Instruction& access, value* stored, value* mask) {
  value* address = llvm::getLoadStorePointerOperand(&access);
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const bool loads = !stored;
  const uint64_t bytes = state_.layout.getTypeStoreSize(type).getFixedValue();
  if (auto run = run_of_.find(&access); run != run_of_.end()) {
    return widen_run(access, runs_[run->second], mask);
  }
  auto finish = [&](value* result) {
    if (loads) {
      values_.replace(access, result);
    } else {
      values_.erase_at_end(access);
    }
    return true;
  };
  const auto stride = shapes_.stride(address);
  value* contiguous = stride ? nullptr : is_contiguous(address, bytes);
  const bool neighbours = contiguous || stride == static_cast<int64_t>(bytes);
  if (loads && neighbours && !mask) {
    prefetch_later_turns(b_, llvm::cast<llvm::LoadInst>(access), width_, state_.loops);
  }
  if (neighbours && prefetched_.insert(stream_of(address)).second) {
    prefetch_later_blocks(b_, access, shapes_, state_.loops);
  }
  if (neighbours && !contiguous) {
    return finish(contiguous_access(b_, access, stored, address, mask));
  }
  if (!contiguous) {
    (loads ? state_.notes.gathers : state_.notes.scatters).push_back(access.getDebugLoc());
  }
  const bool gathers = types_.has_gathers(type);
  if (!gathers && (!each_lane(access, mask) || !contiguous)) {
    return state_.refusal.empty();
  }
  value* lanes = masks_.as_vector(mask);
  if (!contiguous) {
    return finish(irregular_access(b_, access, stored, vector_of(address), lanes));
  }
  // The part has two sides, of which one is a part itself where no machine gathers.
  llvm::CallInst* other = gathers ? nullptr : state_.outlined.take_newest();
  llvm::SmallVector<value*, 8> arguments{contiguous, address, lanes};
  if (!loads) {
    arguments.push_back(stored);
  }
  const auto first_other = static_cast<unsigned>(arguments.size());
  if (other) {
    arguments.append(other->arg_begin(), other->arg_end());
  } else {
    arguments.push_back(vector_of(address));
  }
  llvm::Type* result_type = loads ? wide(type) : b_.getVoidTy();
  llvm::Function& part = state_.outlined.make(result_type, arguments, "cohort.access");
  auto* entry = llvm::BasicBlock::Create(state_.context, "access", &part);
  auto* near = llvm::BasicBlock::Create(state_.context, "contiguous", &part);
  auto* far = llvm::BasicBlock::Create(state_.context, "irregular", &part);
  llvm::IRBuilder<> b(entry);
  b.CreateCondBr(part.getArg(0), near, far, llvm::MDBuilder(state_.context).createLikelyBranchWeights());
  value* passed = loads ? nullptr : part.getArg(3);
  b.SetInsertPoint(near);
  value* result = contiguous_access(b, access, passed, part.getArg(1), mask ? part.getArg(2) : nullptr);
  loads ? b.CreateRet(result) : b.CreateRetVoid();
  b.SetInsertPoint(far);
  if (other) {
    llvm::SmallVector<value*, 8> forwarded;
    for (unsigned i = first_other; i < part.arg_size(); ++i) {
      forwarded.push_back(part.getArg(i));
    }
    result = b.CreateCall(other->getCalledFunction(), forwarded);
  } else {
    result = irregular_access(b, access, passed, part.getArg(first_other), part.getArg(2));
  }
  loads ? b.CreateRet(result) : b.CreateRetVoid();
  auto* made = state_.outlined.call(part, arguments);
  if (!other) {
    return finish(made);
  }
  llvm::Function* lanes_one_by_one = other->getCalledFunction();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*llvm::cast<llvm::CallInst>(result), info);
  if (loads) {
    values_.set_vector(&access, made);
  }
  other->replaceAllUsesWith(made);
  other->eraseFromParent();
  lanes_one_by_one->eraseFromParent();
  return true;
}

// True at run time if the address of lane l is lane 0's + l * `bytes`. Null: that is not known to be so.
llvm::Value* instruction_widener::is_contiguous(value* address, uint64_t bytes) {
  const auto found = shapes_.linear_unless_wrapped(address);
  if (!found || found->stride != static_cast<int64_t>(bytes)) {
    return nullptr;
  }
  value* result = b_.getTrue();
  for (const llvm::CastInst* extension : found->extensions) {
    value* index = extension->getOperand(0);
    const auto stride = shapes_.stride(index);
    if (!stride || llvm::APInt(64, shapes_.span(*stride)).getActiveBits() >= index->getType()->getIntegerBitWidth()) {
      return nullptr;
    }
    result = b_.CreateAnd(result, has_lane_order(b_, shapes_, index, *stride, llvm::isa<llvm::SExtInst>(extension)));
  }
  return result;
}

}  // namespace cohort
