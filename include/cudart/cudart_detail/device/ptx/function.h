// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks a function that cohortcc calls for inline PTX, a row of functions.inc. In sources with inline PTX the
// compiler's plugin instantiates these functions, under the names in their headers, and removes uncalled ones.
#pragma once

#define COHORT_PTX_FUNCTION \
  template <class = void>   \
  __attribute__((device, annotate("cohort.ptx"), always_inline)) inline
