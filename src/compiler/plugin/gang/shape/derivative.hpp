// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "gang/shape/shapes.hpp"

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// The value, constant in `loop`, that each turn adds to the counter `phi`. Null: `phi` is no counter of the loop.
llvm::Value* step_of(const llvm::PHINode& phi, const llvm::Loop& loop);

// The growth of `value` from one block to the next in x, computed at the builder's insertion point; for pointers in
// bytes. Null: it does not depend on blockIdx.x. Empty: it depends on it, but not as a linear function. The result may
// be wrong where an index wraps around, so it serves only prefetches.
std::optional<llvm::Value*> block_stride(llvm::IRBuilder<>& b, llvm::Value* value, const shape_analysis& shapes);

// The growth of `value` from one turn of `loop` to the next, with results as those of block_stride(). Loads count as
// values that do not change.
std::optional<llvm::Value*> turn_stride(llvm::IRBuilder<>& b, llvm::Value* value, const llvm::Loop& loop,
                                        const shape_analysis& shapes);

}  // namespace cohort
