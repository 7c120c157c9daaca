// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures of machine/cpu/port/layouts.inc in LLVM's terms: types, field indices, constants.
#pragma once

#include <cohort/machine/cpu/port/layouts.hpp>

#include "analysis/port_tables.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"

namespace cohort {

// The numbers of the fields of a structure, as field_of<cohort_kernel>::flags; and its type.
template <class Struct>
struct field_of;

// clang-format off: parts of an enumeration and of a function
#define COHORT_STRUCT(structure, size) template <> struct field_of<structure> { enum field_number : unsigned {
#define COHORT_FIELD(type, field) field,
#define COHORT_FIELD_OR(type, field, value) field,
#define COHORT_STRUCT_END }; };
#include <cohort/machine/cpu/port/layouts.inc>
#include <cohort/machine/cpu/port/structures_end.inc>

template <class Struct>
llvm::StructType* ir_struct(llvm::LLVMContext& context);

#define COHORT_STRUCT(structure, size) \
  template <> inline llvm::StructType* ir_struct<structure>(llvm::LLVMContext& context) { \
    return llvm::StructType::get(context, {
#define COHORT_FIELD(type, field) ir_type<cohort_field<type>>(context),
#define COHORT_FIELD_OR(type, field, value) ir_type<cohort_field<type>>(context),
#define COHORT_STRUCT_END }); }
#include <cohort/machine/cpu/port/layouts.inc>
#include <cohort/machine/cpu/port/structures_end.inc>
// clang-format on

// A constant structure. Fields that are not set are zero.
template <class Struct>
class record {
 public:
  using field = typename field_of<Struct>::field_number;

  explicit record(llvm::LLVMContext& context) : type_(ir_struct<Struct>(context)) {
    for (llvm::Type* type : type_->elements()) {
      values_.push_back(llvm::Constant::getNullValue(type));
    }
  }

  record& set(field number, llvm::Constant* value) {
    values_[number] = value;
    return *this;
  }
  record& set(field number, uint64_t value) {
    return set(number, llvm::ConstantInt::get(type_->getElementType(number), value));
  }

  llvm::Constant* constant() const { return llvm::ConstantStruct::get(type_, values_); }

 private:
  llvm::StructType* type_;
  llvm::SmallVector<llvm::Constant*, 20> values_;
};

}  // namespace cohort
