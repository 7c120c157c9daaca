// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One form for matrices of all formats, in which the operations compute: rows of entries.
#pragma once

#include <cstdint>
#include <vector>

#include "libraries/cusparse/call.hpp"
#include "libraries/cusparse/descriptors.hpp"

namespace cohort::cusparse {

// The entries of row i are offsets[i] to offsets[i + 1]. The arrays are those of the program where its format permits
// it, else made here. Entries of a row keep the order of the format; an index may appear twice.
struct compressed {
  int64_t rows = 0, columns = 0, entries = 0;
  index_array offsets, indices;
  value_array values;
  // Where the value of each entry is stored, for formats whose values are copied. Empty: at the entry's number.
  std::vector<int64_t> places;

  compressed() = default;
  compressed(compressed&&) = default;  // pointers into the arrays below stay valid
  compressed& operator=(compressed&&) = default;

  int64_t place_of(int64_t entry) const { return places.empty() ? entry : places[static_cast<size_t>(entry)]; }

  // Arrays made here, to which the members above point.
  std::vector<int64_t> own_offsets, own_indices;
  std::vector<char> own_values;
};

// The memory of a matrix: indices only, or with values that the call reads or writes.
enum class access { pattern, reads, writes };
bool report(memory_accesses& memory, const sparse_matrix& m, access values);
// The memory of indices and values that a call writes. Offsets are reported where they are written, except those of
// COO.
bool report_result(memory_accesses& memory, const sparse_matrix& m);
bool report(memory_accesses& memory, const dense_vector& v, access values);
bool report(memory_accesses& memory, const dense_matrix& m, access values);
bool report(memory_accesses& memory, const sparse_vector& v, access values);

// The rows of a matrix; of a CSC matrix its columns, as rows of the transposed matrix. `with_values`: copies values
// where the format needs it, else the values stay null.
compressed compress(const sparse_matrix& m, bool with_values);
// True where compress() returns the transposed matrix.
inline bool is_by_columns(const sparse_matrix& m) { return m.format == CUSPARSE_FORMAT_CSC; }
// The transposed matrix, with the entries of each row in the order of their old rows.
compressed transpose(const compressed& m, bool with_values);

// Rows in a part of a parallel loop that computes `work` multiplications.
inline int64_t rows_per_part(int64_t rows, int64_t work) {
  return work > short_work ? rows * short_work / work + 1 : rows;
}

// An operation of cuSPARSE, applied to stored rows: a matrix stored by columns counts as transposed.
struct row_operation {
  bool is_transposed = false, is_conjugated = false;

  row_operation(cusparseOperation_t op, bool by_columns)
      : is_transposed((op != CUSPARSE_OPERATION_NON_TRANSPOSE) != by_columns),
        is_conjugated(op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {}
};

}  // namespace cohort::cusparse
