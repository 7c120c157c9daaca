// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/value_map.hpp"

#include "gang/shape/lane_zero_facts.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

llvm::Value* value_map::vector_of(llvm::Value* scalar) {
  if (auto known = vectors_.find(scalar); known != vectors_.end()) {
    return known->second;
  }
  const auto stride = shapes_.stride(scalar);
  if (stride && *stride != 0) {
    return vectors_[scalar] = linear_vector(*llvm::cast<llvm::Instruction>(scalar));
  }
  if (auto* record = llvm::dyn_cast<llvm::StructType>(scalar->getType())) {
    llvm::Value* result = llvm::PoisonValue::get(types_.wide(record));
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      llvm::Value* part = b_.CreateExtractValue(scalar, i);
      result = b_.CreateInsertValue(result, b_.CreateVectorSplat(types_.width(), part), i);
    }
    return result;
  }
  return b_.CreateVectorSplat(types_.width(), scalar);
}

llvm::Value* value_map::linear_vector(llvm::Instruction& scalar) {
  llvm::IRBuilder<> b(scalar.getContext());
  b.SetInsertPoint(scalar.getParent(), llvm::isa<llvm::PHINode>(scalar) ? scalar.getParent()->getFirstInsertionPt()
                                                                        : std::next(scalar.getIterator()));
  b.SetCurrentDebugLocation(scalar.getDebugLoc());
  const bool pointer = scalar.getType()->isPointerTy();
  llvm::Type* type = pointer ? b.getInt64Ty() : scalar.getType();
  const int64_t stride = *shapes_.stride(&scalar);  // NOLINT(bugprone-unchecked-optional-access): the value is linear
  const auto constant = lane_zero_facts(shapes_).constant(&scalar);
  llvm::Value* first = b.CreateVectorSplat(
      types_.width(), constant ? llvm::ConstantInt::get(type, *constant) : static_cast<llvm::Value*>(&scalar));
  llvm::Value* rest = lane_steps(type, stride, types_.width());
  return pointer ? b.CreateGEP(b.getInt8Ty(), first, rest) : b.CreateAdd(first, rest);
}

void value_map::replace(llvm::Instruction& scalar, llvm::Value* vector) {
  vectors_[&scalar] = vector;
  if (shapes_.linear_unless_wrapped(&scalar)) {
    scalar.dropPoisonGeneratingFlags();  // stays as lane 0's value, and lane 0 may be inactive
  } else {
    dead_.push_back(&scalar);
  }
}

void value_map::erase_scalars() {
  for (const auto& [call, result] : uniform_results_) {
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
  for (llvm::Instruction* instruction : dead_) {
    if (!instruction->getType()->isVoidTy()) {
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    }
  }
  for (llvm::Instruction* instruction : dead_) {
    instruction->eraseFromParent();
  }
}

}  // namespace cohort
