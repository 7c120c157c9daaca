// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of the border (machine/cpu/port) in LLVM's terms: types, and functions by number and by name.
#pragma once

#include <cstddef>
#include <type_traits>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {

template <class T>
llvm::Type* ir_type(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::get(context, 0);
  } else if constexpr (std::is_array_v<T>) {
    return llvm::ArrayType::get(ir_type<std::remove_extent_t<T>>(context), std::extent_v<T>);
  } else if constexpr (std::is_same_v<T, float>) {
    return llvm::Type::getFloatTy(context);
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

// `Number` is an enumeration of the rows; 0 is no function. A `Row` has at least `name` and `type`, a function that
// makes LLVM's type of the function.
template <class Number, class Row>
class function_table {
 public:
  explicit function_table(llvm::ArrayRef<Row> rows) : rows_(rows) {
    for (size_t i = 1; i < rows.size(); ++i) {
      numbers_.try_emplace(rows[i].name, static_cast<Number>(i));
    }
  }

  const Row& operator[](Number number) const { return rows_[static_cast<size_t>(number)]; }
  // The function of that name; 0 if the table has none.
  Number named(llvm::StringRef name) const { return numbers_.lookup(name); }

  // The declaration in `module`, added if it lacks one. `suffix` makes another entry of the function of its name.
  llvm::FunctionCallee declare(llvm::Module& module, Number number, llvm::StringRef suffix = "") const {
    const Row& row = (*this)[number];
    return module.getOrInsertFunction((row.name + suffix).str(), row.type(module.getContext()));
  }

 private:
  llvm::ArrayRef<Row> rows_;
  llvm::StringMap<Number> numbers_;
};

}  // namespace cohort
