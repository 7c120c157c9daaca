// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A triangle of a sparse matrix, in the order in which a triangular system is solved.
#pragma once

#include <cusparse.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

// The triangle of op(A): the diagonal and the entries beside it. A place is an index into the values of A.
struct triangle {
  int64_t rows = 0;
  cudaDataType type = CUDA_R_32F;
  int64_t stored_values = 0;
  bool is_lower = true, is_unit = false, is_conjugated = false;
  std::vector<int64_t> offsets, columns, places;
  std::vector<std::pair<int64_t, int64_t>> diagonal_places;  // row and place
  std::vector<char> values, diagonal;
};

// Sets the entries and the operation of `t`, without values.
void find_entries(const sparse_matrix& a, cusparseOperation_t op, triangle& t);

// Functions for the type of a triangle.
struct triangle_functions {
  void (*copy_all)(triangle&, const void* values);       // copies all values from those of A
  void (*copy_diagonal)(triangle&, const void* values);  // copies the diagonal from one value for each row
  // Solves for elements at distances x_step and y_step, which may be in one array.
  void (*solve)(const triangle&, const any_number& alpha, const void* x, int64_t x_step, void* y, int64_t y_step);
};

// The functions of a combination of types; null if systems do not have it.
const triangle_functions* find_functions(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute);
// The functions of a type. pre: the call has checked that the type has functions
const triangle_functions& functions_of(cudaDataType type);

}  // namespace cohort::cusparse
