// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a sparse matrix with a dense vector and a dense matrix, for calls that have checked their arguments.
#pragma once

#include <cusparse.h>

#include "libraries/cusparse/call.hpp"
#include "libraries/cusparse/descriptors.hpp"

namespace cohort::cusparse {

// y = alpha * op(A) * x + beta * y. pre: SpMV has the types
cusparseStatus_t submit_product(const call& c, cusparseOperation_t op, const void* alpha, const sparse_matrix& a,
                                const dense_vector& x, const void* beta, const dense_vector& y, cudaDataType compute);
// C = alpha * op(A) * op(B) + beta * C. pre: SpMM has the types
cusparseStatus_t submit_product(const call& c, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
                                const sparse_matrix& a, const dense_matrix& b, const void* beta,
                                const dense_matrix& result, cudaDataType compute);

}  // namespace cohort::cusparse
