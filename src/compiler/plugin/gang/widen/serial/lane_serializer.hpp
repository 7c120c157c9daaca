// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code without a form for vectors runs for one active lane after another, in lane order.
#pragma once

#include <optional>

#include "gang/widen/serial/lane_loop.hpp"
#include "gang/widen/state/widening.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {

class lane_serializer : widening_part {
 public:
  explicit lane_serializer(widening& state) : widening_part(state) {}

  // Emits a loop that executes a copy of `instruction` for each active lane. False: the kernel is refused.
  bool serialize(llvm::Instruction& instruction, value* mask);

  struct operand {
    value* all = nullptr;  // a vector of the lanes' values, one value of all lanes, or lane 0's value
    int64_t stride = 0;    // not 0: the distance between the values of two lanes
    // An address may be an index in `all`, which is extended, and the address `base` of the first `element`.
    value* base = nullptr;
    llvm::Type* element = nullptr;
    llvm::CastInst::CastOps extension = llvm::CastInst::SExt;
  };
  using operands = llvm::SmallVector<operand, 8>;
  operand operand_of(value* scalar);
  // The arguments of a function that has a lane loop: the mask, then the operands.
  llvm::SmallVector<value*, 8> arguments_of(llvm::ArrayRef<operand> operands, value* mask);
  // The lane's elements of the operands, in the loop of a function with arguments_of().
  static llvm::SmallVector<value*, 8> elements_of(llvm::ArrayRef<operand> operands, lane_loop& loop,
                                                  llvm::Function& code);

 private:
  std::optional<operand> narrow_index_of(value* scalar);
  // The numbers of those operands that are not constants, with their values. Empty: a type has no lanes.
  std::optional<llvm::SmallVector<unsigned, 8>> find_operands(llvm::Instruction& instruction, operands& found);
  void append_thread(operands& found) const;
  void note_call(const llvm::CallBase& call);
};

}  // namespace cohort
