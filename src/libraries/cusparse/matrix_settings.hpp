// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of a matrix whose arrays are arguments of a call, and the number types of such calls.
#pragma once

#include <cuComplex.h>
#include <cusparse.h>

#include <complex>
#include <cstdint>

#include "libraries/cusparse/call.hpp"
#include "libraries/cusparse/compressed.hpp"

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

namespace cohort::cusparse {

// The number with operators for a type of an interface, and its cudaDataType.
template <class T>
struct interface_type;
template <>
struct interface_type<float> {
  using number = float;
  static constexpr cudaDataType data_type = CUDA_R_32F;
};
template <>
struct interface_type<double> {
  using number = double;
  static constexpr cudaDataType data_type = CUDA_R_64F;
};
template <>
struct interface_type<cuComplex> {
  using number = std::complex<float>;
  static constexpr cudaDataType data_type = CUDA_C_32F;
};
template <>
struct interface_type<cuDoubleComplex> {
  using number = std::complex<double>;
  static constexpr cudaDataType data_type = CUDA_C_64F;
};
template <class T>
using number_for = typename interface_type<T>::number;
template <class T>
inline constexpr cudaDataType data_type_of = interface_type<T>::data_type;

// Requires a descriptor, of a general matrix.
inline checks& require_general(checks& valid, cusparseMatDescr_t descr) {
  valid.pointers(descr);
  return valid.require(!valid.hold() || descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                       CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

// A CSR matrix of a call with 32-bit indices; `offsets` has rows + 1 elements.
inline sparse_matrix csr_matrix(int64_t rows, int64_t columns, int64_t entries, const int* offsets, const int* indices,
                                const void* values, cudaDataType type, cusparseIndexBase_t base) {
  sparse_matrix m{CUSPARSE_FORMAT_CSR, rows, columns, entries};
  m.offsets = const_cast<int*>(offsets);
  m.indices = const_cast<int*>(indices);
  m.values = {const_cast<void*>(values), type};
  m.base = base;
  m.stored = entries;
  return m;
}

// An array that is an argument of a call.
template <class T>
libraries::memory_rows array_at(const T* first, int64_t count) {
  return bytes_at(first, static_cast<size_t>(count) * sizeof(T));
}
// Report the read or the write of an array, unless it is empty.
template <class T>
bool reads(memory_accesses& memory, const T* first, int64_t count) {
  return count == 0 || memory.reads(array_at(first, count));
}
template <class T>
bool writes(memory_accesses& memory, const T* first, int64_t count) {
  return count == 0 || memory.writes(array_at(first, count));
}

}  // namespace cohort::cusparse
