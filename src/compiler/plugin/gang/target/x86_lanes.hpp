// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of 32 lanes in the instructions of x86.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace cohort {

// Lane l has element `source`[l] of `vector`: 32 values of 4 bytes, or of 8 bytes for pairs. pre: `source` < 32
llvm::Value* permute_words_avx512(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source);
llvm::Value* permute_words_avx2(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source);
llvm::Value* permute_pairs_avx512(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source);

// The bits of `mask` in each lane, from mask registers to a vector without a detour over a scalar register, which LLVM
// 19 makes of a splat, and which takes 1 to 2 ns more (Zen 5).
llvm::Value* broadcast_mask_avx512(llvm::IRBuilder<>& b, llvm::Value* mask);

// gather_lanes(). LLVM 19 emits these instructions for no CPU before Skylake, and for none of AMD's.
llvm::Value* gather_avx2(llvm::IRBuilder<>& b, llvm::Type* element, llvm::Value* base, llvm::Value* index,
                         unsigned scale, llvm::Value* mask);

}  // namespace cohort
