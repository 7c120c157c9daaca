// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions of integers. No machine divides vectors of them, and LLVM 19's code for them, element by element, has
// faulted where a select replaces a divisor of zero.
#include "gang/widen/values/values.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

namespace cohort {
namespace {

bool is_signed_division(unsigned opcode) {
  return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
}

}  // namespace

// True if quotients of doubles are not exact.
bool value_widener::divides_in_lanes(const llvm::Instruction& instruction) const {
  return instruction.isIntDivRem() && state_.layout.getTypeSizeInBits(instruction.getType()) > 32 &&
         !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

// A division runs for all lanes, so inactive ones divide by 1.
llvm::Value* value_widener::divide(llvm::BinaryOperator& operation) {
  value* dividend = vector_of(operation.getOperand(0));
  value* divisor = operation.getOperand(1);
  const bool uniform = shapes_.is_uniform(divisor);
  divisor = vector_of(divisor);
  if (mask_ && !uniform) {
    divisor = b_.CreateSelect(mask_, divisor, llvm::ConstantInt::get(divisor->getType(), 1));
  }
  if (mask_ && is_signed_division(operation.getOpcode())) {
    dividend = b_.CreateSelect(mask_, dividend, llvm::Constant::getNullValue(dividend->getType()));
  }
  return divide_in_doubles(operation.getOpcode(), dividend, divisor);
}

// The quotient of two integers of 32 bits as doubles, truncated, is exact: it differs from the next integer by at least
// 2^-32 of itself, and a double rounds by 2^-53.
llvm::Value* value_widener::divide_in_doubles(unsigned opcode, value* dividend, value* divisor) {
  const auto operation = static_cast<llvm::Instruction::BinaryOps>(opcode);
  llvm::Type* type = dividend->getType();
  if (type->getScalarSizeInBits() > 32 || llvm::isa<llvm::Constant>(divisor)) {
    return b_.CreateBinOp(operation, dividend, divisor);
  }
  const bool is_signed = is_signed_division(opcode);
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
