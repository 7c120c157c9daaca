// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's types for those of machine/cpu/port.
#pragma once

#include <type_traits>

#include "llvm/IR/DerivedTypes.h"

namespace cohort {

template <class T>
llvm::Type* ir_type(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::get(context, 0);
  } else if constexpr (std::is_array_v<T>) {
    return llvm::ArrayType::get(ir_type<std::remove_extent_t<T>>(context), std::extent_v<T>);
  } else if constexpr (std::is_same_v<T, double>) {
    return llvm::Type::getDoubleTy(context);
  } else {
    static_assert(std::is_integral_v<T>);
    return llvm::Type::getIntNTy(context, 8 * sizeof(T));
  }
}

template <class Result, class... Parameters>
llvm::FunctionType* ir_type_of(llvm::LLVMContext& context, Result (*)(Parameters...)) {
  return llvm::FunctionType::get(ir_type<Result>(context), {ir_type<Parameters>(context)...}, false);
}

template <class Result, class... Parameters>
llvm::FunctionType* ir_type_of(llvm::LLVMContext& context, Result (*)(Parameters..., ...)) {
  return llvm::FunctionType::get(ir_type<Result>(context), {ir_type<Parameters>(context)...}, true);
}

// The type of a function that is declared as `Function`.
template <class Function>
llvm::FunctionType* ir_function_type(llvm::LLVMContext& context) {
  return ir_type_of(context, static_cast<Function*>(nullptr));
}

}  // namespace cohort
