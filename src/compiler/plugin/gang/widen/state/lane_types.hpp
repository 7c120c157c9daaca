// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the values of a gang's lanes.
#pragma once

#include "gang/target/vector_target.hpp"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

class lane_types {
 public:
  lane_types(const llvm::Function& function, unsigned width);

  unsigned width() const { return width_; }
  // A vector with an element for each lane; for a structure, a structure of vectors.
  llvm::Type* wide(llvm::Type* type) const;
  // True if values of `type` may differ between the lanes.
  bool has_lanes(llvm::Type* type) const;
  // True if vectors of `type` lie in memory without gaps between the elements, and LLVM gathers and scatters them.
  bool is_plain(llvm::Type* type) const;
  // True if the machine has instructions that gather values of `type`, or scatter them.
  bool has_gathers(llvm::Type* type) const;
  bool has_scatters(llvm::Type* type) const;
  // True if a register with one bit for each lane holds a mask.
  bool has_mask_registers() const { return target_.has_mask_registers; }

 private:
  const llvm::DataLayout& layout_;
  const unsigned width_;
  const vector_target target_;
};

}  // namespace cohort
