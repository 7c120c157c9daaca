// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements without instructions that limit what compilers may rearrange. Each use is a measured decision:
// docs/design/ptx.md lists the special cases with their benchmark rows.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

/// Hides a value from the optimizer: the result is equal to `number`, but nothing can be derived from its origin.
COHORT_FN uint32_t opaque(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(number));
#endif
  return number;
}

/// Returns `number`. Computations that use the result are not moved above this statement.
COHORT_FN uint32_t pin_here(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// Returns `condition`, tested anew: the result occupies one of the seven predicate registers only from here on.
COHORT_FN bool pin_here(bool condition) { return pin_here(condition ? 1u : 0u) != 0; }

/// Keeps a branch where it is written. Compilers neither replace the branch by a select nor merge it with another one.
/// `name` is a string literal, distinct within a function; it appears as a comment in the PTX.
#define COHORT_KEEP_BRANCH(name) asm volatile("// " name)

}  // namespace ptx
}  // namespace cohort
