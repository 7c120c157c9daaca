// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix operations of tensor cores, which CPUs do not have. A source that includes the header and uses none of it
// compiles; a use is an error that names the operation.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {

struct tf32;

}  // namespace precision

namespace experimental {

namespace precision {

struct u4;
struct s4;
struct b1;

}  // namespace precision

enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };

}  // namespace experimental

template <class...>
inline constexpr bool cohort_has_tensor_cores = false;

template <class T, int M, int N, int K, class Element, class = void>
struct fragment {
  static_assert(cohort_has_tensor_cores<T>,
                "nvcuda::wmma::fragment: the matrix operations of tensor cores do not exist on CPUs");
};

// A program's headers may call them in functions that no kernel uses: the compiler reports the calls that remain.
#define COHORT_TENSOR_CORE_FUNCTION(name)                                                                            \
  template <class... T>                                                                                              \
  __attribute__((device,                                                                                             \
                 error("nvcuda::wmma::" #name ": the matrix operations of tensor cores do not exist on CPUs"))) void \
  name(const T&...);
COHORT_TENSOR_CORE_FUNCTION(fill_fragment)
COHORT_TENSOR_CORE_FUNCTION(load_matrix_sync)
COHORT_TENSOR_CORE_FUNCTION(store_matrix_sync)
COHORT_TENSOR_CORE_FUNCTION(mma_sync)
COHORT_TENSOR_CORE_FUNCTION(bmma_sync)
#undef COHORT_TENSOR_CORE_FUNCTION

}  // namespace wmma
}  // namespace nvcuda

#include <cohort/base/user_macros/on.hpp>
