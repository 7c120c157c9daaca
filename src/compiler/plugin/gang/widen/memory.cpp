// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores. No access touches a byte that no active lane touches: a masked access does not fault where its
// lane is inactive. Scatters write in lane order, so the last lane's value stays, as in a loop over the threads.
#include "gang/widen/widener.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

void copy_alias_facts(const llvm::Instruction& from, llvm::Instruction& to) {
  to.copyMetadata(from, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
}

}  // namespace

// One object for each lane, side by side: addresses of locals may escape to functions that a lane calls.
bool widener::widen_variable(llvm::AllocaInst& variable) {
  if (!variable.isStaticAlloca() || variable.isArrayAllocation()) {
    return refuse("it has a local variable of variable size", &variable);
  }
  const uint64_t bytes = shapes_.object_bytes(variable);
  variable.setAllocatedType(llvm::ArrayType::get(b_.getInt8Ty(), bytes * width_));
  return true;
}

// Memory holds vectors of such elements without gaps between them, and LLVM gathers them.
bool widener::is_plain(llvm::Type* type) const {
  const uint64_t bits = layout_.getTypeSizeInBits(type);
  return has_lanes(type) && !type->isStructTy() && bits >= 8 && llvm::isPowerOf2_64(bits);
}

bool widener::widen_load(llvm::LoadInst& load, value* mask) {
  if (!shapes_.is_varying(&load)) {
    return true;
  }
  value* address = load.getPointerOperand();
  llvm::Type* type = load.getType();
  if (!load.isSimple() || (has_lanes(type) && !is_plain(type))) {
    return each_lane(load, mask);
  }
  if (!has_lanes(type)) {
    return refuse_type(&load);
  }
  const auto stride = shapes_.stride(address);
  value* result = nullptr;
  if (stride && *stride == static_cast<int64_t>(layout_.getTypeStoreSize(type).getFixedValue())) {
    result = mask ? static_cast<value*>(b_.CreateMaskedLoad(wide(type), address, load.getAlign(), mask))
                  : b_.CreateAlignedLoad(wide(type), address, load.getAlign());
  } else {
    notes_.gathers.push_back(load.getDebugLoc());
    if (layout_.getTypeSizeInBits(type) < 32 || words_) {
      return each_lane(load, mask);  // no machine gathers these
    }
    result = b_.CreateMaskedGather(wide(type), vector_of(address), load.getAlign(), lanes_or_all(mask));
  }
  copy_alias_facts(load, *llvm::cast<llvm::Instruction>(result));
  replace(load, result);
  return true;
}

llvm::Value* widener::last_lane(value* vector, value* mask) {
  if (!mask) {
    return b_.CreateExtractElement(vector, width_ - 1);
  }
  value* leading = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits(mask), b_.getTrue());
  value* lane = b_.CreateSub(b_.getIntN(width_, width_ - 1), leading);
  return b_.CreateExtractElement(vector, lane);
}

bool widener::widen_store(llvm::StoreInst& store, value* mask) {
  value* address = store.getPointerOperand();
  value* stored = store.getValueOperand();
  if (!store.isSimple()) {
    return each_lane(store, mask);
  }
  if (shapes_.is_uniform(address) && shapes_.is_uniform(stored)) {
    return true;
  }
  llvm::Type* type = stored->getType();
  if (!is_plain(type)) {
    return has_lanes(type) ? each_lane(store, mask) : refuse_type(&store);
  }
  const auto stride = shapes_.stride(address);
  value* result = nullptr;
  if (stride && *stride == 0) {
    result = b_.CreateAlignedStore(last_lane(vector_of(stored), mask), address, store.getAlign());
  } else if (stride && *stride == static_cast<int64_t>(layout_.getTypeStoreSize(type).getFixedValue())) {
    result = mask ? static_cast<value*>(b_.CreateMaskedStore(vector_of(stored), address, store.getAlign(), mask))
                  : b_.CreateAlignedStore(vector_of(stored), address, store.getAlign());
  } else {
    notes_.scatters.push_back(store.getDebugLoc());
    if (layout_.getTypeSizeInBits(type) < 32 || words_) {
      return each_lane(store, mask);
    }
    result = b_.CreateMaskedScatter(vector_of(stored), vector_of(address), store.getAlign(), lanes_or_all(mask));
  }
  copy_alias_facts(store, *llvm::cast<llvm::Instruction>(result));
  dead_.push_back(&store);
  return true;
}

}  // namespace cohort
