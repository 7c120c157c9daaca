// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of lane 0's values, and proofs that lane 0's value + l * stride does not wrap around for any lane l. Lane 0 may
// be inactive: what branches, assumptions or nsw and nuw promise about the thread that executes an instruction does not
// hold for its value here. So the bits of lane 0's value come from arithmetic alone, and LLVM's own analysis serves
// uniform values only.
#pragma once

#include <optional>

#include "gang/shape/shapes.hpp"

#include "llvm/ADT/APInt.h"
#include "llvm/IR/ConstantRange.h"

namespace llvm {
struct KnownBits;
}  // namespace llvm

namespace cohort {

class lane_zero_facts {
 public:
  // `shapes` may be incomplete: a value without a shape has no facts.
  explicit lane_zero_facts(const shape_analysis& shapes) : shapes_(shapes) {}

  // True if no lane's value wraps around as an unsigned, or signed, number. pre: the value is linear
  bool cannot_wrap(const llvm::Value* value, bool is_signed) const;
  // True if adding the strides of all lanes to lane 0's value changes only the `bits` low bits, without a carry.
  // pre: the value is linear
  bool stays_in_low_bits(const llvm::Value* value, unsigned bits) const;
  // Lane 0's value where it is a constant.
  std::optional<llvm::APInt> constant(const llvm::Value* value) const;
  // The `count` low bits of lane 0's value where they are constants.
  std::optional<llvm::APInt> low_bits(const llvm::Value* value, unsigned count) const;

 private:
  llvm::KnownBits known_bits(const llvm::Value* value, unsigned depth = 0) const;
  llvm::KnownBits counter_bits(const llvm::PHINode& phi, unsigned depth) const;
  llvm::ConstantRange range(const llvm::Value* value, bool is_signed, unsigned depth = 0) const;

  const shape_analysis& shapes_;
};

}  // namespace cohort
