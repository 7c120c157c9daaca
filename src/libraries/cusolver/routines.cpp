// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public routines with a type of numbers in their names, from their table.
#include <cusolverDn.h>

#include "libraries/cusolver/cholesky.hpp"
#include "libraries/cusolver/eigenvalues.hpp"
#include "libraries/cusolver/indefinite.hpp"
#include "libraries/cusolver/lu.hpp"
#include "libraries/cusolver/qr.hpp"
#include "libraries/cusolver/reductions.hpp"
#include "libraries/cusolver/singular_values.hpp"

namespace cohort::cusolver {

#define COHORT_TEXT(name) COHORT_TEXT_OF(name)
#define COHORT_TEXT_OF(name) #name
#define COHORT_ROUTINE(name, stem, parameters, ...) \
  extern "C" cusolverStatus_t name parameters {     \
    const call c{handle, COHORT_TEXT(name)};        \
    return __VA_ARGS__;                             \
  }
#include <cudart_detail/cusolver/each_type.inc>

}  // namespace cohort::cusolver
