// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/instruction_widener.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

bool instruction_widener::run() {
  if (!check_control_flow()) {
    return false;
  }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(state_.function))) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && !accesses_.widen_variable(*variable)) {
      return false;
    }
  }
  find_waits();
  if (!make_phis() || !widen_blocks()) {
    return false;
  }
  finish_phis();
  return true;
}

bool instruction_widener::widen_blocks() {
  for (llvm::BasicBlock* block : state_.order) {
    if (!make_mask(block)) {
      return false;
    }
    std::vector<llvm::Instruction*> instructions;  // of the thread: those made for lanes have no shape
    for (llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::PHINode>(instruction) && !state_.made.contains(&instruction)) {
        instructions.push_back(&instruction);
      }
    }
    accesses_.find_runs(instructions);
    value* mask = state_.blocks.masks[block];
    if (mask) {
      auto* made = llvm::dyn_cast<llvm::Instruction>(mask);
      const bool here = made && made->getParent() == block && !llvm::isa<llvm::PHINode>(made);
      b_.SetInsertPoint(block, here ? std::next(made->getIterator()) : block->getFirstInsertionPt());
      mask = masks_.from_stored(mask);
    }
    for (llvm::Instruction* instruction : instructions) {
      if (!widen(*instruction, mask)) {
        return false;
      }
    }
  }
  return true;
}

bool instruction_widener::widen(llvm::Instruction& instruction, value* mask) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    return widen_branch(*branch, mask);
  }
  if (llvm::isa<llvm::ReturnInst, llvm::AllocaInst>(instruction)) {
    return true;
  }
  b_.SetInsertPoint(&instruction);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return widen_call(*call, mask);
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return accesses_.widen_load(*load, mask);
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return accesses_.widen_store(*store, mask);
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    return serial_.serialize(instruction, mask);
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    return true;
  }
  if (instruction.mayReadOrWriteMemory()) {
    return state_.refuse("an access to memory has no form for lanes", &instruction);
  }
  if (!shapes_.is_varying(&instruction)) {
    // Lane 0 may be inactive, and then promises about its operands do not hold.
    if (llvm::any_of(instruction.operands(), [&](const llvm::Use& use) { return !shapes_.is_uniform(use.get()); })) {
      instruction.dropPoisonGeneratingFlags();
    }
    return true;
  }
  return widen_value(instruction, mask);
}

bool instruction_widener::widen_value(llvm::Instruction& instruction, value* mask) {
  if (!types_.has_lanes(instruction.getType())) {
    return state_.refuse_type(&instruction);
  }
  for (const llvm::Value* operand : instruction.operands()) {
    if (!types_.has_lanes(operand->getType())) {
      return state_.refuse_type(&instruction);
    }
  }
  if (instruction.isIntDivRem() && state_.layout.getTypeSizeInBits(instruction.getType()) > 32 &&
      !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
    return serial_.serialize(instruction, mask);
  }
  auto operand = [&](unsigned i) { return vector_of(instruction.getOperand(i)); };
  value* result = nullptr;
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    result = constant_lanes(*operation);
    if (!result) {
      result = operation->isIntDivRem() ? divide(*operation, mask)
                                        : b_.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
    }
  } else if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
    result = b_.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    result = b_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    value* condition = select->getCondition();
    condition = shapes_.is_uniform(condition) ? condition : vector_of(condition);
    if (instruction.getType()->isStructTy()) {
      return state_.refuse_type(&instruction);
    }
    result = b_.CreateSelect(condition, operand(1), operand(2));
  } else if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    result = b_.CreateCast(conversion->getOpcode(), operand(0), wide(conversion->getType()));
  } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
    result = b_.CreateFreeze(operand(0));
  } else if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    result = b_.CreateExtractValue(operand(0), part->getIndices());
  } else if (auto* record = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    result = b_.CreateInsertValue(operand(0), operand(1), record->getIndices());
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    // Constant indices stay scalars: those of structs must.
    llvm::SmallVector<value*, 4> indices;
    for (value* index : address->indices()) {
      indices.push_back(shapes_.is_uniform(index) ? index : vector_of(index));
    }
    value* base = address->getPointerOperand();
    base = shapes_.is_uniform(base) ? base : vector_of(base);
    result = b_.CreateGEP(address->getSourceElementType(), base, indices);
    if (!result->getType()->isVectorTy()) {
      result = b_.CreateVectorSplat(width_, result);
    }
  } else {
    return state_.refuse(llvm::Twine("no form for lanes of ") + instruction.getOpcodeName(), &instruction);
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result);
      made && made->getOpcode() == instruction.getOpcode() && !llvm::isa<llvm::GetElementPtrInst>(made)) {
    made->copyIRFlags(&instruction);
  }
  values_.replace(instruction, result);
  return true;
}

// `(rank + 1) & 31` has one constant for each lane where the low bits of lane 0's rank are constants; a permutation by
// it then needs no table. Null: the operation has no such form.
llvm::Value* instruction_widener::constant_lanes(const llvm::BinaryOperator& operation) const {
  auto* low_bits = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  const auto stride = shapes_.stride(operation.getOperand(0));
  if (operation.getOpcode() != llvm::Instruction::And || !low_bits || !stride) {
    return nullptr;
  }
  const auto first = shapes_.lane_zero_low_bits(operation.getOperand(0), low_bits->getValue().getActiveBits());
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

// A division runs for all lanes, so inactive ones divide by 1.
llvm::Value* instruction_widener::divide(llvm::BinaryOperator& operation, value* mask) {
  value* dividend = vector_of(operation.getOperand(0));
  value* divisor = operation.getOperand(1);
  const bool uniform = shapes_.is_uniform(divisor);
  divisor = vector_of(divisor);
  if (mask && !uniform) {
    divisor = b_.CreateSelect(mask, divisor, llvm::ConstantInt::get(divisor->getType(), 1));
  }
  if (mask && (operation.getOpcode() == llvm::Instruction::SDiv || operation.getOpcode() == llvm::Instruction::SRem)) {
    dividend = b_.CreateSelect(mask, dividend, llvm::Constant::getNullValue(dividend->getType()));
  }
  return divide_in_doubles(operation.getOpcode(), dividend, divisor);
}

// No machine divides vectors of integers, and LLVM 19's code for them, element by element, has faulted where a select
// replaces a divisor of zero. The quotient of two integers of 32 bits as doubles, truncated, is exact: it
// differs from the next integer by at least 2^-32 of itself, and a double rounds by 2^-53.
llvm::Value* instruction_widener::divide_in_doubles(unsigned opcode, value* dividend, value* divisor) {
  const auto operation = static_cast<llvm::Instruction::BinaryOps>(opcode);
  llvm::Type* type = dividend->getType();
  if (type->getScalarSizeInBits() > 32 || llvm::isa<llvm::Constant>(divisor)) {
    return b_.CreateBinOp(operation, dividend, divisor);
  }
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  llvm::Type* doubles = wide(b_.getDoubleTy());
  llvm::Type* words = wide(b_.getInt32Ty());
  auto in_doubles = [&](value* integer) {
    integer = is_signed ? b_.CreateSExt(integer, words) : b_.CreateZExt(integer, words);
    return is_signed ? b_.CreateSIToFP(integer, doubles) : b_.CreateUIToFP(integer, doubles);
  };
  value* quotient = b_.CreateFDiv(in_doubles(dividend), in_doubles(divisor));
  quotient = is_signed ? b_.CreateFPToSI(quotient, words) : b_.CreateFPToUI(quotient, words);
  quotient = b_.CreateTrunc(quotient, type);
  const bool divides = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv;
  return divides ? quotient : b_.CreateSub(dividend, b_.CreateMul(quotient, divisor));
}

}  // namespace cohort
