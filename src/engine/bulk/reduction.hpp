// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reductions of cp.reduce.async.bulk on arrays of numbers. Results equal an H100's to the bit, NaN included.
#pragma once

#include <cohort/machine/cpu/port/bulk_copy.hpp>
#include <cstddef>

namespace cohort::engine {

/// True if a bulk reduction exists for numbers of this type.
///
/// @param reduction  an operator of PTX; cohort_bulk_copies has no reduction
/// @param type       of the numbers; types of 8 and of unsigned 16 bits have no reduction
bool can_reduce(cohort_bulk_reduction reduction, cohort_tensor_type type);

/// Replaces each to[i] by the reduction of to[i] and from[i]. Each number is an atomic operation of its own, since
/// blocks of other workers may reduce into the same memory.
///
/// @param to         aligned to the size of a number
/// @param from       at any address
/// @param bytes      a multiple of the size of a number
/// @param reduction  the operator
/// @param type       of the numbers
/// @pre can_reduce(reduction, type)
void reduce_into(void* to, const void* from, size_t bytes, cohort_bulk_reduction reduction, cohort_tensor_type type);

}  // namespace cohort::engine
