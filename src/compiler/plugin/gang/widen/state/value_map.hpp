// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectors that hold the lanes' values of a kernel's varying and linear values.
#pragma once

#include <utility>
#include <vector>

#include "gang/shape/shapes.hpp"
#include "gang/widen/state/lane_types.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace cohort {

class value_map {
 public:
  value_map(llvm::IRBuilder<>& builder, const shape_analysis& shapes, const lane_types& types)
      : b_(builder), shapes_(shapes), types_(types) {}

  // The lanes' values of `scalar`. A linear value has one vector, made where the value is. The splat of a uniform value
  // is made at the builder's insertion point.
  llvm::Value* vector_of(llvm::Value* scalar);
  bool has_vector(const llvm::Value* scalar) const { return vectors_.contains(scalar); }
  void set_vector(const llvm::Value* scalar, llvm::Value* vector) { vectors_[scalar] = vector; }

  // Sets the vector of a value that has no other use than its lanes' values.
  void replace(llvm::Instruction& scalar, llvm::Value* vector);
  // A call whose result is uniform becomes `result`.
  void replace_uniform(llvm::CallInst& call, llvm::Value* result) { uniform_results_.emplace_back(&call, result); }
  void erase_at_end(llvm::Instruction& scalar) { dead_.push_back(&scalar); }
  // Ends the widening. Until then the scalars stay: the shapes are facts about them.
  void erase_scalars();

 private:
  llvm::Value* linear_vector(llvm::Instruction& scalar);

  llvm::IRBuilder<>& b_;
  const shape_analysis& shapes_;
  const lane_types& types_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> vectors_;
  std::vector<std::pair<llvm::Instruction*, llvm::WeakTrackingVH>> uniform_results_;
  std::vector<llvm::Instruction*> dead_;
};

}  // namespace cohort
