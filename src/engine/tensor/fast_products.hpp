// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by the fused multiply-add of the CPU (COHORT_TENSOR=fast), for programs that need speed and not the bits of
// an H100: dense products of f16, bf16 and tf32. All others are exact, and so are all on a CPU without AVX2.
//
// An element is a chain of fused products in ascending k, from the accumulator, each rounded to nearest in f32. For k
// products its error is at most g (|c| + sum of |a b|) with g = k u / (1 - k u), u = 2^-24, where that sum is below
// 2^127. Partial sums below 2^-126 add k 2^-150. A result of f16 is rounded once more, to nearest.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>

namespace cohort::engine {

/// The code of fast products; `none`: all products are exact.
enum class fast_code { none, avx2, avx512 };

/// The widest code that the CPU has.
fast_code fast_code_of_cpu();

/// Selects the code of the process's products: `code`, or the widest that the CPU has if that is less.
void use_fast_products(fast_code code);

/// Computes D in the registers of a warp.
using fast_product = void (*)(cohort_matrix_registers& registers);

/// The fast product of a form; null if the product is exact.
fast_product fast_product_of(const cohort_matrix_form& form);

}  // namespace cohort::engine
