// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value differs between the lanes of a gang. The scalar instruction stays in the code as lane 0's value, so a
// uniform value needs no vector, and the addresses of neighbouring elements need one scalar.
#pragma once

#include <cohort/base/lane_mask.hpp>
#include <cstdint>
#include <optional>

#include "analysis/lane_calls.hpp"
#include "gang/shape/conditional_strides.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace cohort {

constexpr unsigned lanes_of_warp = detail::mask_size;

class shape_analysis {
 public:
  // Computes the shapes of a function's values. `rows`: the lanes of a gang are neighbours in x, all exist, and lane
  // 0's x is a multiple of `width`.
  shape_analysis(llvm::Function& function, unsigned width, bool rows, llvm::LoopInfo& loops,
                 llvm::DominatorTree& dominators);

  // Lane l has lane 0's value + l * stride, modulo the type's width; empty if the lanes' values have no such relation.
  // For pointers the stride counts bytes.
  std::optional<int64_t> stride(const llvm::Value* value) const;
  bool is_uniform(const llvm::Value* value) const { return stride(value) == 0; }
  bool is_varying(const llvm::Value* value) const { return !stride(value); }
  // A relation that holds for varying values too, unless a narrow index wraps around. Empty if the lanes' values have
  // no such relation.
  std::optional<conditional_stride> linear_unless_wrapped(const llvm::Value* value) const;
  // The largest distance between the values of two lanes.
  uint64_t span(int64_t stride) const { return static_cast<uint64_t>(stride < 0 ? -stride : stride) * (width_ - 1); }
  // True if the largest distance has fewer bits than the integer `type`.
  bool span_fits(int64_t stride, const llvm::Type* type) const;
  // True if the active lanes may leave `block` by different branches.
  bool diverges(const llvm::BasicBlock* block) const { return divergent_.contains(block); }

  unsigned width() const { return width_; }
  const llvm::LoopInfo& loops() const { return loops_; }
  const llvm::DataLayout& layout() const { return function_.getDataLayout(); }
  // Bytes between the objects of two lanes for a local variable.
  uint64_t object_bytes(const llvm::AllocaInst& variable) const;

 private:
  // Bottom of the lattice: not yet computed. `varying` is the top.
  struct shape {
    enum kind : uint8_t { unknown, linear, varying };
    kind what = unknown;
    int64_t stride = 0;
    bool operator==(const shape&) const = default;
  };
  static constexpr shape uniform_shape{shape::linear, 0};
  static constexpr shape varying_shape{shape::varying, 0};

  void solve();
  shape shape_of(const llvm::Value* value) const;
  shape join(shape a, shape b) const;
  shape transfer(const llvm::Instruction& instruction) const;
  shape phi_shape(const llvm::PHINode& phi) const;
  shape call_shape(const llvm::CallBase& call) const;
  shape lane_call_shape(const llvm::CallBase& call, lane_call what) const;
  bool separates_gangs(const llvm::CmpInst& compare) const;
  shape binary_shape(const llvm::BinaryOperator& operation) const;
  shape low_bits_shape(const llvm::BinaryOperator& operation) const;
  shape address_shape(const llvm::GetElementPtrInst& address) const;
  shape extension_shape(const llvm::CastInst& extension) const;
  shape conversion_shape(const llvm::Instruction& conversion) const;
  shape compare_shape(const llvm::CmpInst& compare) const;
  shape all_uniform(const llvm::User& user) const;

  llvm::Function& function_;
  const unsigned width_;
  const bool rows_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::Value*, shape> shapes_;
  conditional_strides conditional_;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_;  // widening replaces the branch's condition
};

}  // namespace cohort
