// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public routines with types as arguments, from their table.
#include <cusolverDn.h>

#include "libraries/cusolver/cholesky.hpp"
#include "libraries/cusolver/eigenvalues.hpp"
#include "libraries/cusolver/generic_types.hpp"
#include "libraries/cusolver/indefinite.hpp"
#include "libraries/cusolver/lu.hpp"
#include "libraries/cusolver/qr.hpp"
#include "libraries/cusolver/singular_values.hpp"

// Unused parameters: size functions do not read operands, and all algorithms that `params` selects have one result.
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace cohort::cusolver {

#define COHORT_ROUTINE(name, stem, parameters, ...) \
  extern "C" cusolverStatus_t name parameters {     \
    const call c{handle, #name};                    \
    return __VA_ARGS__;                             \
  }
#include <cudart_detail/cusolver/generic_routines.inc>

}  // namespace cohort::cusolver
