// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public routines of BLAS, from their table.
#include <cublas_api.h>

#include "libraries/cublas/factorizations.hpp"

#define COHORT_LIST(...) __VA_ARGS__
#define COHORT_TEXT(name) COHORT_TEXT_OF(name)
#define COHORT_TEXT_OF(name) #name
#define COHORT_ROUTINE(name, body, parameters, arguments)                                      \
  extern "C" cublasStatus_t name parameters {                                                  \
    return cohort::cublas::body<COHORT_T>({handle, COHORT_TEXT(name)}, COHORT_LIST arguments); \
  }
#include <cudart_detail/cublas/each_type.inc>
