// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, matrices of columns and batches of them, as the memory that a call reports.
#pragma once

#include <cudart_detail/cublas/types.h>

#include <cstddef>
#include <cstdint>

#include "libraries/common/stream_call.hpp"

namespace cohort::libraries {

// The memory of a vector, a matrix of columns, and a matrix by its rows of equal length.
template <class T>
memory_rows vector_at(const T* x, int64_t n, int64_t increment) {
  const int64_t distance = increment < 0 ? -increment : increment;
  return {x, sizeof(T), static_cast<size_t>(distance) * sizeof(T), static_cast<size_t>(n)};
}
template <class T>
memory_rows matrix_at(const T* a, int64_t rows, int64_t columns, int64_t ld) {
  return {a, static_cast<size_t>(rows) * sizeof(T), static_cast<size_t>(ld) * sizeof(T), static_cast<size_t>(columns)};
}

// Calls `note` with the memory of each column of a triangle.
template <class T, class Note>
void each_column(const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld, Note&& note) {
  for (int64_t column = 0; column < n; ++column) {
    const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    const T* const first = a + column * ld + (is_lower ? column : 0);
    note(bytes_at(first, static_cast<size_t>(is_lower ? n - column : column + 1) * sizeof(T)));
  }
}
template <class T>
void reads_triangle(memory_accesses& memory, const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld) {
  each_column(a, uplo, n, ld, [&](const memory_rows& column) { memory.reads(column, "A"); });
}
template <class T>
void writes_triangle(memory_accesses& memory, const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld,
                     const char* argument) {
  each_column(a, uplo, n, ld, [&](const memory_rows& column) { memory.writes(column, argument); });
}

// The operands of a batch at the pointers of an array, which the work reads.
template <class T>
class pointer_array {
 public:
  using element = T;

  explicit pointer_array(T* const* array) : array_(array) {}
  bool is_missing() const { return !array_; }
  // Reports the read of the array of pointers. pre: within the work of a call
  bool read(memory_accesses& memory, int64_t count, const char* argument) const {
    return memory.reads(bytes_at(array_, static_cast<size_t>(count) * sizeof *array_), argument);
  }
  T* at(int64_t i) const { return array_[i]; }

 private:
  T* const* array_;
};

// The operands of a batch at equal distances.
template <class T>
class strided {
 public:
  using element = T;

  strided(T* first, int64_t distance) : first_(first), distance_(distance) {}
  bool is_missing() const { return false; }
  bool read(memory_accesses&, int64_t, const char*) const { return true; }
  T* at(int64_t i) const { return first_ + i * distance_; }

 private:
  T* first_;
  int64_t distance_;
};

}  // namespace cohort::libraries
