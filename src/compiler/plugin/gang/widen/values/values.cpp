// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/values/values.hpp"

#include <cstdlib>
#include <limits>

#include "gang/shape/lane_zero_facts.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

bool value_widener::widen(llvm::Instruction& instruction, value* mask) {
  auto has_lanes = [&](const llvm::Value* operand) { return types_.has_lanes(operand->getType()); };
  const bool selects_structure = llvm::isa<llvm::SelectInst>(instruction) && instruction.getType()->isStructTy();
  if (selects_structure || !has_lanes(&instruction) || !llvm::all_of(instruction.operands(), has_lanes)) {
    return state_.refuse_type(&instruction);
  }
  if (divides_in_lanes(instruction)) {
    return divide_in_lanes(llvm::cast<llvm::BinaryOperator>(instruction), mask);
  }
  mask_ = mask;
  value* result = visit(instruction);
  if (!result) {
    return state_.refuse(llvm::Twine("no form for lanes of ") + instruction.getOpcodeName(), &instruction);
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result);
      made && made->getOpcode() == instruction.getOpcode() && !llvm::isa<llvm::GetElementPtrInst>(made)) {
    made->copyIRFlags(&instruction);
  }
  values_.replace(instruction, result);
  return true;
}

llvm::Value* value_widener::visitBinaryOperator(llvm::BinaryOperator& operation) {
  if (value* constants = constant_lanes(operation)) {
    return constants;
  }
  return operation.isIntDivRem() ? divide(operation)
                                 : b_.CreateBinOp(operation.getOpcode(), operand(operation, 0), operand(operation, 1));
}

llvm::Value* value_widener::visitUnaryOperator(llvm::UnaryOperator& operation) {
  return b_.CreateUnOp(operation.getOpcode(), operand(operation, 0));
}

// The type of distances up to `largest` between numbers of `type`, or null if distances gain nothing. Without mask
// registers a mask has a byte for each lane: compares of bytes make it without conversions.
llvm::Type* value_widener::distance_type(const llvm::Type& type, uint64_t largest) const {
  if (!types_.has_mask_registers() && type.isIntegerTy() && type.getIntegerBitWidth() >= 32 &&
      largest <= std::numeric_limits<int8_t>::max()) {
    return b_.getInt8Ty();
  }
  constexpr uint64_t largest_word = uint64_t{1} << 30;
  return type.isIntegerTy(64) && largest <= largest_word ? b_.getInt32Ty() : nullptr;
}

// Compares distances from lane 0's value, where a linear number, such as an index, meets one number for all lanes:
// vectors of distances are shorter. Null: the compare has no such form.
llvm::Value* value_widener::compare_distances(const llvm::CmpInst& compare) {
  const bool is_swapped = shapes_.is_uniform(compare.getOperand(0));
  value* linear = compare.getOperand(is_swapped ? 1 : 0);
  value* bound = compare.getOperand(is_swapped ? 0 : 1);
  const int64_t stride = shapes_.stride(linear).value_or(0);
  const uint64_t beyond = shapes_.span(stride) + 1;
  llvm::Type* type = distance_type(*linear->getType(), beyond);
  if (!type || stride == 0 || !shapes_.is_uniform(bound) ||
      !lane_zero_facts(shapes_).cannot_wrap(linear, compare.isSigned())) {
    return nullptr;
  }
  // Before lane 0's value the distance is -1, after all lanes' values it is one more than the last lane's.
  value* from = stride > 0 ? linear : bound;
  value* to = stride > 0 ? bound : linear;
  value* is_before = compare.isSigned() ? b_.CreateICmpSLT(to, from) : b_.CreateICmpULT(to, from);
  value* distance = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateSub(to, from),
                                             llvm::ConstantInt::get(linear->getType(), beyond));
  distance = b_.CreateSelect(is_before, llvm::Constant::getAllOnesValue(type), b_.CreateTrunc(distance, type));
  const bool is_reversed = is_swapped != (stride < 0);
  const auto predicate = is_reversed ? compare.getSwappedPredicate() : compare.getPredicate();
  return b_.CreateICmp(llvm::ICmpInst::getSignedPredicate(predicate), lane_steps(type, std::abs(stride), width_),
                       b_.CreateVectorSplat(width_, distance));
}

llvm::Value* value_widener::visitCmpInst(llvm::CmpInst& compare) {
  if (value* distances = compare_distances(compare)) {
    return distances;
  }
  return b_.CreateCmp(compare.getPredicate(), operand(compare, 0), operand(compare, 1));
}

llvm::Value* value_widener::visitSelectInst(llvm::SelectInst& select) {
  value* condition = scalar_or_vector(select.getCondition());
  return b_.CreateSelect(condition, operand(select, 1), operand(select, 2));
}

llvm::Value* value_widener::visitCastInst(llvm::CastInst& conversion) {
  return b_.CreateCast(conversion.getOpcode(), operand(conversion, 0), wide(conversion.getType()));
}

llvm::Value* value_widener::visitFreezeInst(llvm::FreezeInst& freeze) { return b_.CreateFreeze(operand(freeze, 0)); }

llvm::Value* value_widener::visitExtractValueInst(llvm::ExtractValueInst& part) {
  return b_.CreateExtractValue(operand(part, 0), part.getIndices());
}

llvm::Value* value_widener::visitInsertValueInst(llvm::InsertValueInst& record) {
  return b_.CreateInsertValue(operand(record, 0), operand(record, 1), record.getIndices());
}

llvm::Value* value_widener::visitGetElementPtrInst(llvm::GetElementPtrInst& address) {
  // Constant indices stay scalars: those of structs must.
  llvm::SmallVector<value*, 4> indices;
  for (value* index : address.indices()) {
    indices.push_back(scalar_or_vector(index));
  }
  value* base = scalar_or_vector(address.getPointerOperand());
  value* result = b_.CreateGEP(address.getSourceElementType(), base, indices);
  return result->getType()->isVectorTy() ? result : b_.CreateVectorSplat(width_, result);
}

llvm::Value* value_widener::visitInstruction(llvm::Instruction& /*instruction*/) { return nullptr; }

// `(rank + 1) & 31` has one constant for each lane where the low bits of lane 0's rank are constants; a permutation by
// it then needs no table. Null: the operation has no such form.
llvm::Value* value_widener::constant_lanes(const llvm::BinaryOperator& operation) const {
  auto* low_bits = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  const auto stride = shapes_.stride(operation.getOperand(0));
  if (operation.getOpcode() != llvm::Instruction::And || !low_bits || !stride) {
    return nullptr;
  }
  const auto first = lane_zero_facts(shapes_).low_bits(operation.getOperand(0), low_bits->getValue().getActiveBits());
  if (!first) {
    return nullptr;
  }
  const unsigned bits = first->getBitWidth();
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (unsigned lane = 0; lane < width_; ++lane) {
    const llvm::APInt offset(64, static_cast<uint64_t>(*stride * static_cast<int64_t>(lane)));
    lanes.push_back(llvm::ConstantInt::get(state_.context, (*first + offset.trunc(bits)) & low_bits->getValue()));
  }
  return llvm::ConstantVector::get(lanes);
}

}  // namespace cohort
