// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis of varying values. At the join of a divergent branch a phi becomes a blend of both sides under the region's
// mask. Lanes that leave a loop before the others keep the values that they left with.
#pragma once

#include "gang/widen/state/widening.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {

class phi_widener : widening_part {
 public:
  explicit phi_widener(widening& state) : widening_part(state) {}

  // Makes the vectors of all phis, without operands. False: the kernel is refused.
  bool make();
  // Sets the operands, once all values and masks are made.
  void fill();

 private:
  bool make(llvm::PHINode& phi);
  void blend(llvm::PHINode& phi, llvm::PHINode& vector);
  void keep_when_leaving(llvm::Loop& loop);
  void fill(llvm::PHINode& phi);

  llvm::DenseMap<llvm::PHINode*, llvm::PHINode*> vectors_;
  llvm::DenseMap<llvm::PHINode*, llvm::SelectInst*> blends_;
};

}  // namespace cohort
