// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wide forms of the mathematical functions, for code that the plugin or LLVM vectorises.
#pragma once

#include <optional>

#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Function;
}

namespace cohort {

struct wide_math {
  llvm::FunctionCallee function;  // takes and returns vectors of `lanes` elements
  unsigned lanes;
};

// The widest form of `scalar` with at most `lanes` elements that the instruction set of `caller` has; nullopt if
// `scalar` is no function of SLEEF, or has none. Each element has the bits of the scalar result, and the elements of
// inactive lanes may have any value.
// @pre `caller` keeps vectors of 512 bits in one register if it has AVX-512 ("min-legal-vector-width").
std::optional<wide_math> wide_form_of(const llvm::Function& scalar, unsigned lanes, const llvm::Function& caller);

// Marks a function as free of side effects and of reads, so that calls can be vectorised and hoisted.
void mark_pure(llvm::Function& function);

// True if `function` calls a function that has a form for vectors.
bool has_wide_math(const llvm::Function& function);

}  // namespace cohort
