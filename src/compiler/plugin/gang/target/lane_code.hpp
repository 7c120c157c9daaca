// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for the values of 32 lanes in the instructions of the CPU that the builder's function is compiled for.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// Lane l has element `source`[l] of `vector`: 32 values of 4 or 8 bytes. Constant lanes are one shuffle of LLVM's;
// computed ones are tables of two registers on AVX-512, of one on AVX2, memory elsewhere. pre: `source` < 32
llvm::Value* permute_lanes(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source);

// The bits of `mask` in each lane; null where the CPU has no instruction for it.
llvm::Value* broadcast_mask(llvm::IRBuilder<>& b, llvm::Value* mask);

// Lane l of those in `mask` has the value of 4 or 8 bytes at `base` + `index`[l] * `scale` bytes; the results of other
// lanes are undefined. `index` has signed numbers of 4 or 8 bytes. Null where the CPU has no instruction for it.
llvm::Value* gather_lanes(llvm::IRBuilder<>& b, llvm::Type* element, llvm::Value* base, llvm::Value* index,
                          unsigned scale, llvm::Value* mask);

}  // namespace cohort
