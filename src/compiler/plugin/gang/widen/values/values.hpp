// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, comparisons, conversions and addresses: an instruction of varying values becomes one of vectors.
#pragma once

#include <utility>

#include "gang/widen/serial/lane_serializer.hpp"
#include "gang/widen/state/widening.hpp"

#include "llvm/IR/InstVisitor.h"

namespace cohort {

class value_widener : widening_part, llvm::InstVisitor<value_widener, llvm::Value*> {
 public:
  explicit value_widener(widening& state) : widening_part(state), serial_(state) {}

  // Widens an instruction of arithmetic under `mask`. False: the kernel is refused.
  bool widen(llvm::Instruction& instruction, value* mask);

 private:
  friend llvm::InstVisitor<value_widener, value*>;
  // The vector form of an instruction; null: it has none.
  value* visitBinaryOperator(llvm::BinaryOperator& operation);
  value* visitUnaryOperator(llvm::UnaryOperator& operation);
  value* visitCmpInst(llvm::CmpInst& compare);
  value* visitSelectInst(llvm::SelectInst& select);
  value* visitCastInst(llvm::CastInst& conversion);
  value* visitFreezeInst(llvm::FreezeInst& freeze);
  value* visitExtractValueInst(llvm::ExtractValueInst& part);
  value* visitInsertValueInst(llvm::InsertValueInst& record);
  value* visitGetElementPtrInst(llvm::GetElementPtrInst& address);
  value* visitInstruction(llvm::Instruction& instruction);

  value* operand(const llvm::Instruction& instruction, unsigned i) { return vector_of(instruction.getOperand(i)); }
  value* scalar_or_vector(value* scalar) { return shapes_.is_uniform(scalar) ? scalar : vector_of(scalar); }
  value* constant_lanes(const llvm::BinaryOperator& operation) const;
  llvm::Type* distance_type(const llvm::Type& type, uint64_t largest) const;
  value* compare_distances(const llvm::CmpInst& compare);
  // division.cpp
  bool divides_in_lanes(const llvm::Instruction& instruction) const;
  value* divide(llvm::BinaryOperator& operation);
  value* divide_in_doubles(llvm::IRBuilder<>& b, unsigned opcode, value* dividend, value* divisor);
  llvm::CallInst* divide_by_uniform(llvm::BinaryOperator& operation, llvm::CallInst* each_lane);
  std::pair<value*, value*> divide_first_lane(llvm::IRBuilder<>& b, unsigned opcode, int64_t stride, value* first,
                                              value* divisor);
  bool divide_in_lanes(llvm::BinaryOperator& operation, value* mask);

  lane_serializer serial_;
  value* mask_ = nullptr;  // the mask of the instruction that is widened
};

}  // namespace cohort
