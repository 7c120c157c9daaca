// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between sparse and dense matrices.
#include <cusparse.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

namespace {

using libraries::parallel_for;

using stored_types = combinations<uniform<CUDA_R_8I>, uniform<CUDA_R_16F>, uniform<CUDA_R_16BF>, uniform<CUDA_R_32F>,
                                  uniform<CUDA_R_64F>, uniform<CUDA_C_16F>, uniform<CUDA_C_16BF>, uniform<CUDA_C_32F>,
                                  uniform<CUDA_C_64F>>;
using zero_test = bool(const void*);
template <class E>
bool is_zero(const void* at) {
  const auto value = value_of(*static_cast<const E*>(at));
  return value == decltype(value)();
}
zero_test* zero_test_of(cudaDataType type) {
  return find_combination<zero_test>(stored_types{}, type, type, type, type,
                                     []<class Types>(Types) -> zero_test* { return is_zero<typename Types::A>; });
}

// Checks that both descriptors have one size and one type of values, and that conversions support them.
template <class Sparse, class Dense>
void check_pair(checks& valid, Sparse sparse, Dense dense) {
  valid.pointers(sparse, dense);
  if (!valid.hold()) return;
  valid.require(sparse->rows == dense->rows && sparse->columns == dense->columns)
      .supports(sparse->values.type == dense->values.type && zero_test_of(dense->values.type), types_refused)
      .supports(sparse->batches == 1 && dense->batches == 1, "conversions have no batches")
      .supports(sparse->format != CUSPARSE_FORMAT_SLICED_ELLPACK, "conversions have no format Sliced-ELL");
}

checks check_to_dense(const call& c, cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense) {
  checks valid(c);
  check_pair(valid, sparse, dense);
  valid.supports(!valid.hold() || sparse->format != CUSPARSE_FORMAT_BLOCKED_ELL,
                 "a matrix in the format Blocked-ELL has no dense form");
  return valid;
}

void store_dense(const sparse_matrix& from, const dense_matrix& to) {
  const size_t size = size_of(to.values.type);
  const auto element = [&](int64_t row, int64_t column) {
    return to.values.from(row * to.row_step() + column * to.column_step()).at;
  };
  const bool by_columns = to.order == CUSPARSE_ORDER_COL;
  for (int64_t line = 0; line < (by_columns ? to.columns : to.rows); ++line) {
    std::memset(element(by_columns ? 0 : line, by_columns ? line : 0), 0,
                to.values.bytes(by_columns ? to.rows : to.columns));
  }
  const compressed lines = compress(from, true);
  parallel_for(lines.rows, rows_per_part(lines.rows, lines.entries), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      for (int64_t k = lines.offsets[line]; k < lines.offsets[line + 1]; ++k) {
        const int64_t other = lines.indices[k];
        std::memcpy(is_by_columns(from) ? element(other, line) : element(line, other), lines.values.from(k).at, size);
      }
    }
  });
}

// Blocks of a dense matrix, of which a sparse matrix stores those that are not zero: rows of blocks, or columns for
// CSC. Other formats than BSR have blocks of one element.
class dense_blocks {
 public:
  dense_blocks(const dense_matrix& dense, const sparse_matrix& sparse)
      : dense_(dense),
        sparse_(sparse),
        by_columns_(is_by_columns(sparse)),
        is_zero_(zero_test_of(dense.values.type)),
        height_(sparse.block_rows),
        width_(sparse.block_columns) {}

  int64_t lines() const { return by_columns_ ? dense_.columns : dense_.rows / height_; }
  int64_t in_line() const { return by_columns_ ? dense_.rows : dense_.columns / width_; }
  int64_t block_size() const { return height_ * width_; }

  bool is_stored(int64_t line, int64_t i) const {
    for (int64_t place = 0; place < block_size(); ++place) {
      if (!is_zero_(element(line, i, place))) return true;
    }
    return false;
  }
  // The first stored block of each line, and the number of all.
  std::vector<int64_t> offsets() const {
    std::vector<int64_t> counts(static_cast<size_t>(lines()) + 1);
    parallel_for(lines(), rows_per_part(lines(), dense_.rows * dense_.columns), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        for (int64_t i = 0; i < in_line(); ++i) counts[static_cast<size_t>(line) + 1] += is_stored(line, i);
      }
    });
    for (size_t line = 0; line + 1 < counts.size(); ++line) counts[line + 1] += counts[line];
    return counts;
  }
  void store(int64_t line, int64_t i, int64_t block) const {
    for (int64_t place = 0; place < block_size(); ++place) {
      std::memcpy(sparse_.values.from(block * block_size() + place).at, element(line, i, place),
                  size_of(dense_.values.type));
    }
  }

 private:
  // An element of a block by its place in the sparse matrix's values.
  const void* element(int64_t line, int64_t i, int64_t place) const {
    const bool by_rows = sparse_.block_order == CUSPARSE_ORDER_ROW;
    const int64_t row = (by_columns_ ? i : line) * height_ + (by_rows ? place / width_ : place % height_);
    const int64_t column = (by_columns_ ? line : i) * width_ + (by_rows ? place % width_ : place / height_);
    return dense_.values.from(row * dense_.row_step() + column * dense_.column_step()).at;
  }

  const dense_matrix& dense_;
  const sparse_matrix& sparse_;
  bool by_columns_;
  zero_test* is_zero_;
  int64_t height_, width_;
};

// Stores the values of the blocks that the program has chosen by their column indices.
void store_blocked_ell(const dense_matrix& from, const sparse_matrix& to) {
  const int64_t size = to.block_rows, blocks = to.ell_columns / size,
                bytes = static_cast<int64_t>(size_of(to.values.type));
  for (int64_t row = 0; row < to.rows; ++row) {
    for (int64_t i = 0; i < to.ell_columns; ++i) {
      const int64_t block = to.index_array_of_entries()[row / size * blocks + i / size];
      const int64_t column = block * size + i % size;
      void* const value = to.values.from(row * to.ell_columns + i).at;
      if (block < 0 || column >= to.columns) {
        std::memset(value, 0, static_cast<size_t>(bytes));
      } else {
        const int64_t place = row * from.row_step() + column * from.column_step();
        std::memcpy(value, from.values.from(place).at, static_cast<size_t>(bytes));
      }
    }
  }
}

void store_sparse(const dense_matrix& from, const sparse_matrix& to) {
  const dense_blocks blocks(from, to);
  const std::vector<int64_t> offsets = blocks.offsets();
  parallel_for(blocks.lines(), rows_per_part(blocks.lines(), from.rows * from.columns),
               [&](int64_t begin, int64_t end) {
                 for (int64_t line = begin; line < end; ++line) {
                   int64_t block = offsets[static_cast<size_t>(line)];
                   for (int64_t i = 0; i < blocks.in_line(); ++i) {
                     if (!blocks.is_stored(line, i)) continue;
                     if (to.format == CUSPARSE_FORMAT_COO) to.offset_array().set(block, line);
                     to.index_array_of_entries().set(block, i);
                     blocks.store(line, i, block++);
                   }
                 }
               });
}

checks check_to_sparse(const call& c, cusparseConstDnMatDescr_t dense, cusparseConstSpMatDescr_t sparse) {
  checks valid(c);
  check_pair(valid, sparse, dense);
  return valid;
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t mat_a,
                                                  cusparseDnMatDescr_t mat_b, cusparseSparseToDenseAlg_t,
                                                  size_t* buffer_size) {
  return nominal_size(check_to_dense({handle, "cusparseSparseToDense_bufferSize"}, mat_a, mat_b), buffer_size);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t mat_a,
                                       cusparseDnMatDescr_t mat_b, cusparseSparseToDenseAlg_t, void*) {
  const call c{handle, "cusparseSparseToDense"};
  const checks valid = check_to_dense(c, mat_a, mat_b);
  if (!valid.hold()) return valid.status();
  return submit(c, mat_a->entries + mat_b->rows * mat_b->columns, false,
                [from = sparse_matrix(*mat_a), to = dense_matrix(*mat_b)](memory_accesses& memory) {
                  if (report(memory, from, access::reads) && report(memory, to, access::writes)) store_dense(from, to);
                });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                                  cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t,
                                                  size_t* buffer_size) {
  return nominal_size(check_to_sparse({handle, "cusparseDenseToSparse_bufferSize"}, mat_a, mat_b), buffer_size);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                                cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t, void*) {
  const call c{handle, "cusparseDenseToSparse_analysis"};
  checks valid = check_to_sparse(c, mat_a, mat_b);
  if (!valid.hold() || mat_b->format == CUSPARSE_FORMAT_BLOCKED_ELL) return valid.status();
  const bool has_offsets = mat_b->format != CUSPARSE_FORMAT_COO;
  if (!valid.require(!has_offsets || mat_b->offsets).hold()) return valid.status();
  int64_t blocks = 0;
  const cusparseStatus_t status = submit(
      c, mat_a->rows * mat_a->columns, true,
      [from = dense_matrix(*mat_a), to = sparse_matrix(*mat_b), has_offsets, count = &blocks](memory_accesses& memory) {
        if (!report(memory, from, access::reads)) return;
        const std::vector<int64_t> offsets = dense_blocks(from, to).offsets();
        *count = offsets.back();
        if (!has_offsets) return;
        const auto lines = static_cast<int64_t>(offsets.size());
        if (!memory.writes(bytes_at(to.offsets, to.offset_array().bytes(lines)))) return;
        for (int64_t i = 0; i < lines; ++i) to.offset_array().set(i, offsets[static_cast<size_t>(i)]);
      });
  if (status == CUSPARSE_STATUS_SUCCESS) {
    mat_b->entries = mat_b->stored = blocks * mat_b->block_rows * mat_b->block_columns;
  }
  return status;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                               cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t, void*) {
  const call c{handle, "cusparseDenseToSparse_convert"};
  checks valid = check_to_sparse(c, mat_a, mat_b);
  if (!valid.hold()) return valid.status();
  if (!valid.require(mat_b->stored == 0 || (mat_b->indices && mat_b->values.at)).hold()) return valid.status();
  return submit(c, mat_a->rows * mat_a->columns, false,
                [from = dense_matrix(*mat_a), to = sparse_matrix(*mat_b)](memory_accesses& memory) {
                  if (!report(memory, from, access::reads)) return;
                  if (to.format == CUSPARSE_FORMAT_BLOCKED_ELL) {
                    if (report(memory, to, access::writes)) store_blocked_ell(from, to);
                  } else if (report_result(memory, to)) {
                    store_sparse(from, to);
                  }
                });
}

}  // extern "C"
