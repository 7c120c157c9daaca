// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/accesses.hpp"

#include "gang/target/lane_code.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

void copy_alias_facts(const llvm::Instruction& from, llvm::Instruction& to) {
  to.copyMetadata(from, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
}

void return_result(llvm::IRBuilder<>& b, llvm::Value* result) {
  b.GetInsertBlock()->getParent()->getReturnType()->isVoidTy() ? b.CreateRetVoid() : b.CreateRet(result);
}

}  // namespace

llvm::Instruction* access_widener::contiguous_access(llvm::IRBuilder<>& b, llvm::Instruction& access,
                                                     access_operands operands, unsigned lanes) const {
  const auto [stored, address, mask] = operands;
  const llvm::Align alignment = llvm::getLoadStoreAlignment(&access);
  llvm::Instruction* result = nullptr;
  if (stored) {
    result = mask ? static_cast<llvm::Instruction*>(b.CreateMaskedStore(stored, address, alignment, mask))
                  : b.CreateAlignedStore(stored, address, alignment);
  } else {
    auto* type = llvm::FixedVectorType::get(access.getType(), lanes);
    result = mask ? static_cast<llvm::Instruction*>(b.CreateMaskedLoad(type, address, alignment, mask))
                  : b.CreateAlignedLoad(type, address, alignment);
  }
  copy_alias_facts(access, *result);
  return result;
}

// One access for each group of lanes. Later groups store last, as later lanes do.
llvm::Value* access_widener::access_groups(llvm::IRBuilder<>& b, llvm::Instruction& access, access_operands operands,
                                           llvm::ArrayRef<value*> addresses) const {
  constexpr unsigned lanes = likely_places::group;
  llvm::SmallVector<value*, 4> loaded;
  unsigned first = 0;
  for (value* address : addresses) {
    const auto part = [&](value* all) {
      return all ? b.CreateShuffleVector(all, llvm::createSequentialMask(first, lanes, 0)) : nullptr;
    };
    loaded.push_back(contiguous_access(b, access, {part(operands.stored), address, part(operands.mask)}, lanes));
    first += lanes;
  }
  return operands.stored ? nullptr : llvm::concatenateVectors(b, loaded);
}

// Loads once for all lanes: at least one lane is active wherever a gang runs.
llvm::Value* access_widener::uniform_load(llvm::IRBuilder<>& b, llvm::Instruction& access, value* address) const {
  auto* load = b.CreateAlignedLoad(access.getType(), address, llvm::getLoadStoreAlignment(&access));
  copy_alias_facts(access, *load);
  return b.CreateVectorSplat(width_, load);
}

bool access_widener::is_joint(llvm::Instruction& access) const {
  llvm::Type* type = llvm::getLoadStoreType(&access);
  return llvm::isa<llvm::LoadInst>(access) ? types_.has_gathers(type) : types_.has_scatters(type);
}

access_widener::lane_places access_widener::places_of(llvm::Instruction& access) {
  value* address = llvm::getLoadStorePointerOperand(&access);
  if (types_.has_scatters(llvm::getLoadStoreType(&access))) {
    return {nullptr, vector_of(address), 1};
  }
  if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
      element && shapes_.is_uniform(element->getPointerOperand())) {
    llvm::SmallVector<value*, 4> indices(element->indices());
    auto* extension = llvm::dyn_cast<llvm::SExtInst>(indices.pop_back_val());
    const bool is_last = llvm::all_of(indices, [&](value* index) { return shapes_.is_uniform(index); });
    const uint64_t bytes = state_.layout.getTypeAllocSize(element->getResultElementType()).getFixedValue();
    if (extension && extension->getSrcTy()->isIntegerTy(32) && is_last && llvm::isPowerOf2_64(bytes) && bytes <= 8) {
      indices.push_back(llvm::ConstantInt::get(extension->getType(), 0));
      value* base = b_.CreateGEP(element->getSourceElementType(), element->getPointerOperand(), indices);
      return {base, vector_of(extension->getOperand(0)), static_cast<unsigned>(bytes)};
    }
  }
  return {llvm::ConstantPointerNull::get(b_.getPtrTy()), b_.CreatePtrToInt(vector_of(address), wide(b_.getInt64Ty())),
          1};
}

llvm::Value* access_widener::irregular_access(llvm::IRBuilder<>& b, llvm::Instruction& access,
                                              const access_operands& operands, const lane_places& places) const {
  if (places.base) {
    return gather_lanes(b, access.getType(), places.base, places.index, places.scale, operands.mask);
  }
  const llvm::Align alignment = llvm::getLoadStoreAlignment(&access);
  llvm::Instruction* result =
      operands.stored ? b.CreateMaskedScatter(operands.stored, places.index, alignment, operands.mask)
                      : b.CreateMaskedGather(wide(access.getType()), places.index, alignment, operands.mask);
  copy_alias_facts(access, *result);
  return result;
}

// One object for each lane, side by side: addresses of locals may escape to functions that a lane calls.
bool access_widener::widen_variable(llvm::AllocaInst& variable) {
  if (!variable.isStaticAlloca() || variable.isArrayAllocation()) {
    return state_.refuse("it has a local variable of variable size", &variable);
  }
  const uint64_t bytes = shapes_.object_bytes(variable);
  variable.setAllocatedType(llvm::ArrayType::get(b_.getInt8Ty(), bytes * width_));
  return true;
}

bool access_widener::widen_load(llvm::LoadInst& load, value* mask) {
  if (!shapes_.is_varying(&load)) {
    return true;
  }
  llvm::Type* type = load.getType();
  if (load.isAtomic() || (types_.has_lanes(type) && !types_.is_plain(type))) {
    return serial_.serialize(load, mask);
  }
  if (!types_.has_lanes(type)) {
    return state_.refuse_type(&load);
  }
  return load.isVolatile() ? widen_volatile(load, nullptr, mask) : widen_access(load, nullptr, mask);
}

llvm::Value* access_widener::last_lane(value* vector, value* mask) {
  if (!mask) {
    return b_.CreateExtractElement(vector, width_ - 1);
  }
  value* leading = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, masks_.bits(mask), b_.getTrue());
  value* lane = b_.CreateSub(b_.getIntN(width_, width_ - 1), leading);
  return b_.CreateExtractElement(vector, lane);
}

bool access_widener::widen_store(llvm::StoreInst& store, value* mask) {
  value* address = store.getPointerOperand();
  value* stored = store.getValueOperand();
  if (store.isAtomic() || (store.isVolatile() && shapes_.is_uniform(address))) {
    return serial_.serialize(store, mask);
  }
  if (shapes_.is_uniform(address) && shapes_.is_uniform(stored)) {
    return true;
  }
  llvm::Type* type = stored->getType();
  if (!types_.is_plain(type)) {
    return types_.has_lanes(type) ? serial_.serialize(store, mask) : state_.refuse_type(&store);
  }
  if (shapes_.is_uniform(address)) {
    auto* result = b_.CreateAlignedStore(last_lane(vector_of(stored), mask), address, store.getAlign());
    copy_alias_facts(store, *result);
    values_.erase_at_end(store);
    return true;
  }
  return store.isVolatile() ? widen_volatile(store, vector_of(stored), mask)
                            : widen_access(store, vector_of(stored), mask);
}

// LLVM's gathers and masked accesses cannot be volatile. Between fences of the compiler, which are no instructions,
// each is executed once and in the source's order.
bool access_widener::widen_volatile(llvm::Instruction& access, value* stored, value* mask) {
  auto fence = [&] { b_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread); };
  fence();
  const bool widened = widen_access(access, stored, mask);
  fence();
  return widened;
}

// Adjacent elements are one access. Where they are adjacent unless an index wraps around, the code tests that.
bool access_widener::widen_access(llvm::Instruction& access, value* stored, value* mask) {
  if (runs_.contains(access)) {
    runs_.widen(access, mask);
    return true;
  }
  value* address = llvm::getLoadStorePointerOperand(&access);
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const uint64_t bytes = state_.layout.getTypeStoreSize(type).getFixedValue();
  const auto stride = shapes_.stride(address);
  value* contiguous = stride ? nullptr : is_contiguous(address, bytes);
  if (contiguous || stride == static_cast<int64_t>(bytes)) {
    prefetch(access, mask);
  }
  if (stride == static_cast<int64_t>(bytes)) {
    finish(access, contiguous_access(b_, access, {stored, address, mask}, width_));
    return true;
  }
  if (contiguous) {
    return access_unless({contiguous, address, false}, access, {stored, address, mask});
  }
  if (const auto likely = likely_.find(access, mask)) {
    return access_unless(*likely, access, {stored, likely->address, mask});
  }
  if (const auto likely = likely_.find_groups(access, mask)) {
    return access_unless(*likely, access, {stored, likely->address, mask});
  }
  (stored ? state_.notes.scatters : state_.notes.gathers).push_back(access.getDebugLoc());
  if (!is_joint(access)) {
    return serial_.serialize(access, mask);
  }
  finish(access, irregular_access(b_, access, {stored, address, masks_.as_vector(mask)}, places_of(access)));
  return true;
}

void access_widener::finish(llvm::Instruction& access, value* result) {
  if (llvm::isa<llvm::LoadInst>(access)) {
    values_.replace(access, result);
  } else {
    values_.erase_at_end(access);
  }
}

void access_widener::prefetch(llvm::Instruction& access, value* mask) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access); load && !mask) {
    prefetch_later_turns(b_, *load, width_, state_.loops);
  }
  if (prefetched_.insert(stream_of(llvm::getLoadStorePointerOperand(&access))).second) {
    prefetch_later_blocks(b_, access, shapes_, state_.loops);
    prefetch_next_turn(b_, access, shapes_, state_.loops);
  }
}

llvm::CallInst* access_widener::either_access(llvm::Instruction& access, access_operands operands, const place& regular,
                                              llvm::ArrayRef<value*> irregular_arguments, emitter emit_irregular) {
  llvm::SmallVector<value*, 8> arguments{regular.holds, operands.address, masks_.as_vector(operands.mask)};
  if (operands.stored) {
    arguments.push_back(operands.stored);
  }
  const size_t common = arguments.size();
  arguments.append(irregular_arguments.begin(), irregular_arguments.end());
  arguments.append(regular.groups.begin(), regular.groups.end());
  llvm::Function& code =
      state_.outlined.make(operands.stored ? b_.getVoidTy() : wide(access.getType()), arguments, "cohort.access");
  llvm::SmallVector<value*, 8> passed;
  for (llvm::Argument& argument : code.args()) {
    passed.push_back(&argument);
  }
  value* stored = operands.stored ? passed[3] : nullptr;
  auto* entry = llvm::BasicBlock::Create(state_.context, "access", &code);
  auto* near = llvm::BasicBlock::Create(state_.context, "regular", &code);
  auto* far = llvm::BasicBlock::Create(state_.context, "irregular", &code);
  llvm::IRBuilder<> b(entry);
  b.CreateCondBr(passed[0], near, far, llvm::MDBuilder(state_.context).createLikelyBranchWeights());
  b.SetInsertPoint(near);
  const access_operands of_code{stored, passed[1], operands.mask ? passed[2] : nullptr};
  const size_t groups = regular.groups.size();
  return_result(b, groups != 0 ? access_groups(b, access, of_code, llvm::ArrayRef<value*>(passed).take_back(groups))
                   : regular.is_uniform ? uniform_load(b, access, passed[1])
                                        : contiguous_access(b, access, of_code, width_));
  b.SetInsertPoint(far);
  return_result(b, emit_irregular(b, {stored, passed[1], passed[2]},
                                  llvm::ArrayRef<value*>(passed).drop_front(common).drop_back(groups)));
  return state_.outlined.call(code, arguments);
}

bool access_widener::access_unless(const place& regular, llvm::Instruction& access, access_operands operands) {
  if (!is_joint(access)) {
    return serialize_unless(regular, access, operands);
  }
  const lane_places places = places_of(access);
  llvm::SmallVector<value*, 2> arguments{places.index};
  if (places.base) {
    arguments.push_back(places.base);
  }
  finish(access,
         either_access(access, operands, regular, arguments,
                       [&](llvm::IRBuilder<>& b, access_operands passed, llvm::ArrayRef<value*> index_and_base) {
                         value* base = places.base ? index_and_base[1] : nullptr;
                         return irregular_access(b, access, passed, {base, index_and_base[0], places.scale});
                       }));
  return true;
}

bool access_widener::serialize_unless(const place& regular, llvm::Instruction& access, access_operands operands) {
  if (!serial_.serialize(access, operands.mask)) {
    return false;
  }
  llvm::CallInst* serial = state_.outlined.take_newest();
  llvm::CallInst* made = either_access(access, operands, regular, llvm::SmallVector<value*, 8>(serial->args()),
                                       [&](llvm::IRBuilder<>& b, access_operands, llvm::ArrayRef<value*> arguments) {
                                         return b.CreateCall(serial->getCalledFunction(), arguments);
                                       });
  if (!operands.stored) {
    values_.set_vector(&access, made);
  }
  state_.outlined.replace(*serial, *made);
  return true;
}

llvm::Value* access_widener::is_contiguous(value* address, uint64_t bytes) {
  const auto found = shapes_.linear_unless_wrapped(address);
  if (!found || found->stride != static_cast<int64_t>(bytes)) {
    return nullptr;
  }
  value* result = b_.getTrue();
  for (const llvm::CastInst* extension : found->extensions) {
    value* index = extension->getOperand(0);
    const auto stride = shapes_.stride(index);
    if (!stride || !shapes_.span_fits(*stride, index->getType())) {
      return nullptr;
    }
    result = b_.CreateAnd(result, has_lane_order(b_, shapes_, index, *stride, llvm::isa<llvm::SExtInst>(extension)));
  }
  return result;
}

}  // namespace cohort
