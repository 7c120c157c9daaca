// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/matrix_operands.hpp"

#include <cohort/machine/cpu/port/matrix.hpp>

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace cohort::ptx {

matrix_shape shape_of(const instruction& instruction) {
  for (const std::string_view word : instruction.words) {
    llvm::StringRef text = word;
    matrix_shape shape;
    if (text.consume_front("m") && !text.consumeInteger(10, shape.m) && text.consume_front("n") &&
        !text.consumeInteger(10, shape.n) && text.consume_front("k") && !text.consumeInteger(10, shape.k)) {
      return shape;
    }
  }
  return {};
}
namespace {

constexpr const char* operand_mark = "cohort.matrix";  // metadata: clang drops names of values

}  // namespace

uint8_t element_of(type of) {
  switch (of.kind) {
    case type_kind::ieee:
      return of.bits == 16 ? cohort_element_f16 : of.bits == 32 ? cohort_element_f32 : cohort_element_f64;
    case type_kind::bfloat16:
      return cohort_element_bf16;
    case type_kind::tf32:
      return cohort_element_tf32;
    case type_kind::e4m3:
      return cohort_element_e4m3;
    case type_kind::e5m2:
      return cohort_element_e5m2;
    case type_kind::unsigned_integer:
      return of.bits == 8 ? cohort_element_u8 : cohort_element_u4;
    case type_kind::signed_integer:
      return of.bits == 8 ? cohort_element_s8 : of.bits == 4 ? cohort_element_s4 : cohort_element_s32;
    default:
      return cohort_element_b1;
  }
}

llvm::AllocaInst* operand_variable(llvm::IRBuilder<>& b, uint64_t bytes) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::Type* type = llvm::ArrayType::get(b.getInt64Ty(), (bytes + 7) / 8);
  for (llvm::Instruction& instruction : entry) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->hasMetadata(operand_mark) && variable->getAllocatedType() == type) {
      return variable;
    }
  }
  llvm::AllocaInst* variable = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  variable->setMetadata(operand_mark, llvm::MDNode::get(b.getContext(), {}));
  return variable;
}

llvm::Value* byte_at(llvm::IRBuilder<>& b, llvm::Value* start, uint64_t offset) {
  return offset == 0 ? start : b.CreatePtrAdd(start, b.getInt64(offset));
}

}  // namespace cohort::ptx
