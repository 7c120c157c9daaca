// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of inline PTX: registers, immediate numbers, predicates, and the results.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Module.h"

namespace cohort {

llvm::Value* ptx_lowering::cast(llvm::Value* value, llvm::Type* type, bool is_signed) {
  if (value->getType() == type) {
    return value;
  }
  if (value->getType()->isIntegerTy() && type->isIntegerTy()) {
    return is_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
  }
  if (value->getType()->isPointerTy() && type->isIntegerTy()) {
    return builder_.CreatePtrToInt(value, type);
  }
  if (value->getType()->isIntegerTy() && type->isPointerTy()) {
    return builder_.CreateIntToPtr(value, type);
  }
  if (value->getType()->getPrimitiveSizeInBits() == type->getPrimitiveSizeInBits()) {
    return builder_.CreateBitCast(value, type);
  }
  return nullptr;
}

llvm::Type* ptx_lowering::type_of(ptx_type type) {
  if (type.is_float()) {
    return type.bits == 16 ? builder_.getHalfTy() : type.bits == 32 ? builder_.getFloatTy() : builder_.getDoubleTy();
  }
  return builder_.getIntNTy(type.bits);
}

ptx_lowering::operand* ptx_lowering::find(llvm::StringRef text) {
  llvm::StringRef number = text;
  if (!number.consume_front("$")) {
    for (size_t i = operands_.size(); i-- > 0;) {
      if (!operands_[i].name.empty() && text == operands_[i].name) {
        return &operands_[i];
      }
    }
    return nullptr;
  }
  if (number.consume_front("{")) {  // ${0:modifier}
    number = number.substr(0, number.find_first_of(":}"));
  }
  unsigned index = 0;
  return !number.getAsInteger(10, index) && index < operands_.size() ? &operands_[index] : nullptr;
}

llvm::Value* ptx_lowering::source(llvm::StringRef text, unsigned bits, bool is_signed) {
  llvm::Type* type = builder_.getIntNTy(bits);
  if (const operand* found = find(text)) {
    return found->type->isIntegerTy(1) ? nullptr : cast(found->value, type, is_signed);
  }
  if (text.starts_with("%")) {
    llvm::Value* value = special_register(text.drop_front());
    return value ? cast(value, type, false) : nullptr;
  }
  if (text == "WARP_SZ") {
    return llvm::ConstantInt::get(type, 32);
  }
  text.consume_back("U");
  int64_t number = 0;
  uint64_t large = 0;
  if (!text.getAsInteger(0, number)) {
    return llvm::ConstantInt::getSigned(type, number);
  }
  return text.getAsInteger(0, large) ? nullptr : llvm::ConstantInt::get(type, large);
}

// "0f3f800000" and "0d3ff0000000000000" are bits, "1.5" is a decimal number.
llvm::Value* ptx_lowering::float_source(llvm::StringRef text, unsigned bits) {
  llvm::Type* type = type_of({'f', bits});
  if (const operand* found = find(text)) {
    return found->type->isIntegerTy(1) ? nullptr : cast(found->value, type);
  }
  uint64_t pattern = 0;
  const bool is_single = text.starts_with_insensitive("0f");
  if ((is_single || text.starts_with_insensitive("0d")) && text.size() == (is_single ? 10u : 18u) &&
      !text.drop_front(2).getAsInteger(16, pattern)) {
    llvm::APFloat number(is_single ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble(),
                         llvm::APInt(is_single ? 32 : 64, pattern));
    bool is_inexact = false;
    number.convert(type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &is_inexact);
    return llvm::ConstantFP::get(type, number);
  }
  double decimal = 0;
  return text.getAsDouble(decimal) ? nullptr : llvm::ConstantFP::get(type, decimal);
}

llvm::Value* ptx_lowering::typed_source(llvm::StringRef text, ptx_type type) {
  return type.kind == 'p'  ? predicate(text)
         : type.is_float() ? float_source(text, type.bits)
                           : source(text, type.bits, type.is_signed());
}

llvm::Value* ptx_lowering::predicate(llvm::StringRef text) {
  const bool is_negated = text.consume_front("!");
  const operand* found = find(text.trim());
  if (!found || !found->type->isIntegerTy(1)) {
    return nullptr;
  }
  return is_negated ? builder_.CreateNot(found->value) : found->value;
}

bool ptx_lowering::write(llvm::StringRef text, llvm::Value* value, bool is_signed) {
  if (text == "_") {
    return value != nullptr;
  }
  operand* target = find(text);
  if (!target || !value || target->type->isIntegerTy(1) != value->getType()->isIntegerTy(1)) {
    return false;
  }
  llvm::Value* converted = cast(value, target->type, is_signed);
  if (!converted) {
    return false;
  }
  target->value = converted;
  return true;
}

bool ptx_lowering::write_both(llvm::StringRef text, llvm::Value* value, llvm::Value* predicate) {
  const auto [first, second] = text.split('|');
  return write(first.trim(), value, false) && (second.empty() || write(second.trim(), predicate, false));
}

llvm::Value* ptx_lowering::call(llvm::StringRef function, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto callee = module_.getOrInsertFunction(function, llvm::FunctionType::get(result, types, false));
  auto* made = builder_.CreateCall(callee, arguments);
  if (function.starts_with("cohort_wait_") || function.starts_with("cohort_ptx_")) {
    made->setConvergent();
  }
  return made;
}

}  // namespace cohort
