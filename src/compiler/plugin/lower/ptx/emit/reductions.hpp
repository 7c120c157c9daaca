// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's numbers for the operators and types of bulk reductions and of multimem instructions.
#pragma once

#include <cohort/machine/cpu/port/bulk_copy.hpp>

#include "lower/ptx/isa/decode.hpp"

namespace cohort::ptx {

/// The operator that the instruction names; cohort_bulk_copies if it names none.
cohort_bulk_reduction operation_of(const instruction& op);

/// The type of a reduction's numbers. Those of a pair (.f16x2) have that of one.
cohort_tensor_type number_type(type of);

}  // namespace cohort::ptx
