// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value differs between the lanes of a gang. The scalar instruction stays in the code as lane 0's value, so a
// uniform value needs no vector, and the addresses of neighbouring elements need one scalar.
#pragma once

#include <cohort/base/lane_mask.hpp>
#include <cstdint>
#include <optional>

#include "analysis/lane_calls.hpp"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace llvm {
class CastInst;
struct KnownBits;
}  // namespace llvm

namespace cohort {

constexpr unsigned lanes_of_warp = detail::mask_size;

class shape_analysis {
 public:
  // `rows`: the lanes of a gang are neighbours in x, all exist, and lane 0's x is a multiple of `width`.
  shape_analysis(llvm::Function& function, unsigned width, bool rows, llvm::LoopInfo& loops,
                 llvm::DominatorTree& dominators);

  // Lane l has lane 0's value + l * stride, modulo the type's width; empty if the lanes' values have no such relation.
  // For pointers the stride counts bytes.
  std::optional<int64_t> stride(const llvm::Value* value) const;
  bool is_uniform(const llvm::Value* value) const { return stride(value) == 0; }
  bool is_varying(const llvm::Value* value) const { return !stride(value); }
  // Lane l has lane 0's value + l * stride, unless the operand of a cast in `extensions` wraps around between lanes.
  struct conditional_stride {
    int64_t stride;
    llvm::SmallVector<const llvm::CastInst*, 2> extensions;
  };
  // Empty if the lanes' values have no such relation.
  std::optional<conditional_stride> linear_unless_wrapped(const llvm::Value* value) const;
  // The largest distance between the values of two lanes.
  uint64_t span(int64_t stride) const;
  // True if the largest distance has fewer bits than the integer `type`.
  bool span_fits(int64_t stride, const llvm::Type* type) const;
  // True if the active lanes may leave `block` by different branches.
  bool diverges(const llvm::BasicBlock* block) const { return divergent_.contains(block); }

  unsigned width() const { return width_; }
  // True if no lane's value wraps around as an unsigned, or signed, number. pre: the value is linear
  bool cannot_wrap(const llvm::Value* value, bool is_signed) const;
  // Lane 0's value where it is a constant.
  std::optional<llvm::APInt> lane_zero_constant(const llvm::Value* value) const;
  // The `count` low bits of lane 0's value where they are constants.
  std::optional<llvm::APInt> lane_zero_low_bits(const llvm::Value* value, unsigned count) const;
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

  // Facts of lane 0's value that hold whether lane 0 is active or not.
  llvm::KnownBits lane_zero_bits(const llvm::Value* value, unsigned depth = 0) const;
  llvm::KnownBits counter_bits(const llvm::PHINode& phi, unsigned depth) const;
  // True if adding the strides of all lanes to lane 0's value changes only the `bits` low bits, without a carry.
  bool stays_in_low_bits(const llvm::Value* value, unsigned bits) const;

  // conditional_strides.cpp
  void find_conditional_strides();
  std::optional<conditional_stride> conditional_shape(const llvm::Instruction& instruction) const;
  std::optional<conditional_stride> scaled(const llvm::Value* value, int64_t factor) const;
  bool accumulate(std::optional<conditional_stride>& sum, const std::optional<conditional_stride>& part) const;

  llvm::Function& function_;
  const unsigned width_;
  const bool rows_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::Value*, shape> shapes_;
  llvm::DenseMap<const llvm::Value*, conditional_stride> conditional_;  // conditional strides of varying values
  llvm::DenseSet<const llvm::BasicBlock*> divergent_;                   // widening replaces the branch's condition
};

}  // namespace cohort
