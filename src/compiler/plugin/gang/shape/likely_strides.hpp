// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

#include "gang/shape/shapes.hpp"

#include "llvm/ADT/DenseMap.h"

namespace cohort {

// The strides that varying values have in most gangs, as `i % n`, an index that is clamped at an edge, or an entry in a
// table of neighbours. They are guesses: code compares the lanes' values before it relies on one. A stride may also be
// that of each group of lanes, as the lanes of a small tile or of a short row of a block.
class likely_strides {
 public:
  // @param lanes of a group: all lanes of the gang, or a power of two
  likely_strides(const shape_analysis& shapes, unsigned lanes) : shapes_(shapes), lanes_(lanes) {}

  // The likely stride of a value; empty if there is no guess.
  std::optional<int64_t> of(const llvm::Value* value) { return of(value, 0); }
  // The operand that a selection, a minimum or a maximum has in most lanes, such as `i - 1` in max(i - 1, 0). Null: no
  // operand is likelier than the other one.
  llvm::Value* operand_of(const llvm::Instruction& selection) { return operand_of(selection, 0); }

 private:
  using guess = std::optional<int64_t>;

  guess of(const llvm::Value* value, unsigned depth);
  llvm::Value* operand_of(const llvm::Instruction& selection, unsigned depth);
  guess of_instruction(const llvm::Instruction& instruction, unsigned depth);
  guess of_load(const llvm::LoadInst& load, unsigned depth);
  guess of_address(const llvm::GetElementPtrInst& address, unsigned depth);
  guess of_operation(const llvm::BinaryOperator& operation, unsigned depth);
  guess of_phi(const llvm::PHINode& phi, unsigned depth);
  bool is_large(const llvm::Value* divisor, int64_t stride) const;
  bool is_multiple(const llvm::APInt& count) const;

  const shape_analysis& shapes_;
  const unsigned lanes_;
  llvm::DenseMap<const llvm::Value*, guess> known_;
};

}  // namespace cohort
