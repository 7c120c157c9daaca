// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions of integers. No machine divides vectors of them, and LLVM 19's code for them, element by element, has
// faulted where a select replaces a divisor of zero.
#include "gang/widen/values/values.hpp"

#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

namespace cohort {
namespace {

bool is_signed_division(unsigned opcode) {
  return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
}

bool is_quotient(unsigned opcode) { return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv; }

// The lanes' values divided by one power of two.
llvm::Value* divide_by_shift(llvm::IRBuilder<>& b, unsigned opcode, llvm::Value* dividend, llvm::Value* divisor) {
  const llvm::ElementCount lanes = llvm::cast<llvm::VectorType>(dividend->getType())->getElementCount();
  llvm::Value* low_bits =
      b.CreateVectorSplat(lanes, b.CreateSub(divisor, llvm::ConstantInt::get(divisor->getType(), 1)));
  llvm::Value* shift =
      b.CreateVectorSplat(lanes, b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, divisor, b.getFalse()));
  if (!is_signed_division(opcode)) {
    return is_quotient(opcode) ? b.CreateLShr(dividend, shift) : b.CreateAnd(dividend, low_bits);
  }
  // A quotient is truncated towards zero, so negative dividends are raised by divisor - 1.
  llvm::Value* sign = b.CreateAShr(dividend, divisor->getType()->getIntegerBitWidth() - 1);
  llvm::Value* rounded = b.CreateAdd(dividend, b.CreateAnd(sign, low_bits));
  return is_quotient(opcode) ? b.CreateAShr(rounded, shift)
                             : b.CreateSub(dividend, b.CreateAnd(rounded, b.CreateNot(low_bits)));
}

}  // namespace

// True if the division runs lane by lane: doubles are exact up to 32 bits only. Division by a constant stays a vector
// operation.
bool value_widener::divides_in_lanes(const llvm::Instruction& instruction) const {
  return instruction.isIntDivRem() && state_.layout.getTypeSizeInBits(instruction.getType()) > 32 &&
         !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

// A division runs for all lanes, so inactive ones divide by 1.
llvm::Value* value_widener::divide(llvm::BinaryOperator& operation) {
  value* divisor = operation.getOperand(1);
  const bool uniform = shapes_.is_uniform(divisor);
  // Wider gangs lie across multiples of most divisors, and LLVM extends a remainder from several blocks again in a
  // loop: a neighbour exchange in a gang of 256 lanes takes 15 % longer (Zen 4).
  constexpr unsigned widest = 64;
  if (uniform && width_ <= widest && !llvm::isa<llvm::Constant>(divisor)) {
    return divide_by_uniform(operation, nullptr);
  }
  value* dividend = vector_of(operation.getOperand(0));
  divisor = vector_of(divisor);
  if (mask_ && !uniform) {
    divisor = b_.CreateSelect(mask_, divisor, llvm::ConstantInt::get(divisor->getType(), 1));
  }
  if (mask_ && is_signed_division(operation.getOpcode())) {
    dividend = b_.CreateSelect(mask_, dividend, llvm::Constant::getNullValue(dividend->getType()));
  }
  return divide_in_doubles(b_, operation.getOpcode(), dividend, divisor);
}

// The quotient of two integers of 32 bits as doubles, truncated, is exact: it differs from the next integer by at least
// 2^-32 of itself, and a double rounds by 2^-53.
llvm::Value* value_widener::divide_in_doubles(llvm::IRBuilder<>& b, unsigned opcode, value* dividend, value* divisor) {
  const auto operation = static_cast<llvm::Instruction::BinaryOps>(opcode);
  llvm::Type* type = dividend->getType();
  if (type->getScalarSizeInBits() > 32 || llvm::isa<llvm::Constant>(divisor)) {
    return b.CreateBinOp(operation, dividend, divisor);
  }
  const bool is_signed = is_signed_division(opcode);
  llvm::Type* doubles = wide(b.getDoubleTy());
  llvm::Type* words = wide(b.getInt32Ty());
  auto in_doubles = [&](value* integer) {
    integer = is_signed ? b.CreateSExt(integer, words) : b.CreateZExt(integer, words);
    return is_signed ? b.CreateSIToFP(integer, doubles) : b.CreateUIToFP(integer, doubles);
  };
  value* quotient = b.CreateFDiv(in_doubles(dividend), in_doubles(divisor));
  quotient = is_signed ? b.CreateFPToSI(quotient, words) : b.CreateFPToUI(quotient, words);
  quotient = b.CreateTrunc(quotient, type);
  return is_quotient(opcode) ? quotient : b.CreateSub(dividend, b.CreateMul(quotient, divisor));
}

// All lanes have one divisor. Three cases are told apart at run time: a power of two takes shifts; adjacent dividends
// between two multiples of the divisor have one quotient, which takes one division; all others are divided in doubles,
// or by the loop of `each_lane`.
llvm::CallInst* value_widener::divide_by_uniform(llvm::BinaryOperator& operation, llvm::CallInst* each_lane) {
  const unsigned opcode = operation.getOpcode();
  llvm::SmallVector<value*, 8> arguments{vector_of(operation.getOperand(0)), operation.getOperand(0),
                                         operation.getOperand(1)};
  const auto stride = shapes_.stride(operation.getOperand(0));
  if (!stride) {
    arguments[1] = llvm::PoisonValue::get(operation.getType());  // a varying dividend has no scalar for lane 0
  }
  const size_t common = arguments.size();
  if (each_lane) {
    arguments.append(each_lane->arg_begin(), each_lane->arg_end());
  }
  llvm::Function& code = state_.outlined.make(wide(operation.getType()), arguments, "cohort.divide");
  const auto add = [&](const char* name) { return llvm::BasicBlock::Create(state_.context, name, &code); };
  llvm::BasicBlock *entry = add("divide"), *shifts = add("shift"), *others = add("others");
  value *dividend = code.getArg(0), *divisor = code.getArg(2);
  llvm::IRBuilder<> b(entry);
  value* zero = llvm::ConstantInt::get(divisor->getType(), 0);
  value* one = llvm::ConstantInt::get(divisor->getType(), 1);
  value* is_positive = is_signed_division(opcode) ? b.CreateICmpSGT(divisor, zero) : b.CreateICmpNE(divisor, zero);
  value* has_one_bit = b.CreateICmpEQ(b.CreateAnd(divisor, b.CreateSub(divisor, one)), zero);
  b.CreateCondBr(b.CreateAnd(is_positive, has_one_bit), shifts, others);
  b.SetInsertPoint(shifts);
  b.CreateRet(divide_by_shift(b, opcode, dividend, divisor));
  b.SetInsertPoint(others);
  if (stride && shapes_.span_fits(*stride, divisor->getType())) {
    llvm::BasicBlock *near = add("one.quotient"), *far = add("far");
    divisor = b.CreateSelect(is_positive, divisor, one);
    const auto [holds, result] = divide_first_lane(b, opcode, *stride, code.getArg(1), divisor);
    b.CreateCondBr(b.CreateAnd(is_positive, holds), near, far);
    llvm::IRBuilder<>(near).CreateRet(result);
    b.SetInsertPoint(far);
  }
  if (each_lane) {
    llvm::SmallVector<value*, 8> passed;
    for (llvm::Argument& argument : llvm::drop_begin(code.args(), common)) {
      passed.push_back(&argument);
    }
    b.CreateRet(b.CreateCall(each_lane->getCalledFunction(), passed));
  } else {
    b.CreateRet(divide_in_doubles(b, opcode, dividend, b.CreateVectorSplat(width_, code.getArg(2))));
  }
  return state_.outlined.call(code, arguments);
}

// The result of all lanes if lane 0's quotient is that of all lanes, and whether it is. pre: `divisor` > 0
std::pair<llvm::Value*, llvm::Value*> value_widener::divide_first_lane(llvm::IRBuilder<>& b, unsigned opcode,
                                                                       int64_t stride, value* first, value* divisor) {
  llvm::Type* type = first->getType();
  const bool is_signed = is_signed_division(opcode);
  const auto constant = [&](int64_t number) {
    return llvm::ConstantInt::get(state_.context,
                                  llvm::APInt(64, static_cast<uint64_t>(number)).trunc(type->getIntegerBitWidth()));
  };
  value* quotient = is_signed ? b.CreateSDiv(first, divisor) : b.CreateUDiv(first, divisor);
  value* rest = b.CreateSub(first, b.CreateMul(quotient, divisor));
  value* span = constant(static_cast<int64_t>(shapes_.span(stride)));
  value* holds = stride > 0 ? b.CreateICmpUGT(b.CreateSub(divisor, rest), span) : b.CreateICmpUGE(rest, span);
  holds = b.CreateAnd(holds, has_lane_order(b, shapes_, first, stride, is_signed));
  if (is_signed) {
    holds = b.CreateAnd(holds, b.CreateICmpSGE(first, constant(0)));
  }
  if (is_quotient(opcode)) {
    return {holds, b.CreateVectorSplat(width_, quotient)};
  }
  return {holds, b.CreateAdd(b.CreateVectorSplat(width_, rest), lane_steps(type, stride, width_))};
}

// Wide quotients by one divisor for all lanes.
bool value_widener::divide_in_lanes(llvm::BinaryOperator& operation, value* mask) {
  if (!serial_.serialize(operation, mask)) {
    return false;
  }
  if (!shapes_.is_uniform(operation.getOperand(1))) {
    return true;
  }
  llvm::CallInst* serial = state_.outlined.take_newest();
  llvm::CallInst* made = divide_by_uniform(operation, serial);
  values_.set_vector(&operation, made);
  state_.outlined.replace(*serial, *made);
  return true;
}

}  // namespace cohort
