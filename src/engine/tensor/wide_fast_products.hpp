// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fast products by vectors of 512 bits, with the bits of those by 256 bits (fast_products.hpp).
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>

#include "engine/tensor/fast_products.hpp"

namespace cohort::engine {

/// True if the CPU has the vectors: AVX-512 F, BW, DQ and VL.
bool cpu_has_wide_products();

/// The wide product of a form; null if the product is exact.
fast_product wide_product_of(const cohort_matrix_form& form);

}  // namespace cohort::engine
