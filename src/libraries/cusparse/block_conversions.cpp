// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between CSR and matrices of blocks, square (BSR) and rectangular (GEBSR).
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "libraries/cusparse/blocks.hpp"

namespace cohort::cusparse {

namespace {

// The arrays of a result: offsets, indices and values.
struct result_arrays {
  cusparseMatDescr_t descr;
  void* values;
  int *offsets, *indices;
};

// An operand of a call without an argument for the number of entries: the work reads the number, the last offset. Empty
// where the checks have failed.
sparse_matrix rows_of(const checks& valid, int m, int n, const int* offsets, const int* columns, const void* values,
                      cudaDataType type, cusparseMatDescr_t descr) {
  if (!valid.hold()) return {};
  return csr_matrix(m, n, 0, offsets, columns, values, type, descr->base);
}
sparse_matrix blocks_of(const checks& valid, int mb, int nb, const int* offsets, const int* columns, const void* values,
                        cudaDataType type, const block_shape& shape, cusparseMatDescr_t descr) {
  if (!valid.hold()) return {};
  return bsr_matrix(mb, nb, 0, offsets, columns, values, type, shape, *descr);
}
bool count_entries(memory_accesses& memory, sparse_matrix& a) {
  const auto* const offsets = static_cast<const int*>(a.offsets);
  const int64_t lines = a.rows / a.block_rows;
  if (!reads(memory, offsets, lines + 1)) return false;
  a.entries = a.stored = int64_t{offsets[lines] - offsets[0]} * a.block_rows * a.block_columns;
  return true;
}

int64_t blocks_in(int64_t size, int64_t of_block) { return (size + of_block - 1) / of_block; }

// The blocks that hold entries, row by row of blocks. The columns of a row of blocks ascend.
struct block_pattern {
  std::vector<int64_t> offsets{0}, columns;
};
block_pattern find_blocks(const compressed& rows, const block_shape& shape) {
  block_pattern found;
  const int64_t block_rows = blocks_in(rows.rows, shape.rows);
  for (int64_t row = 0; row < block_rows; ++row) {
    const auto first = static_cast<int64_t>(found.columns.size());
    const int64_t end = std::min(rows.rows, (row + 1) * shape.rows);
    for (int64_t k = rows.offsets[row * shape.rows]; k < rows.offsets[end]; ++k)
      found.columns.push_back(rows.indices[k] / shape.columns);
    std::sort(found.columns.begin() + first, found.columns.end());
    found.columns.erase(std::unique(found.columns.begin() + first, found.columns.end()), found.columns.end());
    found.offsets.push_back(static_cast<int64_t>(found.columns.size()));
  }
  return found;
}

bool write_indices(memory_accesses& memory, const std::vector<int64_t>& from, int* to, int base) {
  if (!writes(memory, to, static_cast<int64_t>(from.size()))) return false;
  std::transform(from.begin(), from.end(), to, [base](int64_t index) { return static_cast<int>(index) + base; });
  return true;
}

// Writes the offsets of the blocks of C, and their number to the host or the device.
cusparseStatus_t count_blocks(const call& c, checks valid, const sparse_matrix& operand, const block_shape& shape,
                              cusparseMatDescr_t descr, int* offsets, int* total) {
  check_blocks(valid, shape, descr).pointers(offsets, total);
  if (!valid.hold()) return valid.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, operand.rows * 16, on_host, [=, base = int{descr->base}](memory_accesses& memory) {
    sparse_matrix a = operand;
    if (!count_entries(memory, a) || !report(memory, a, access::pattern) || (!on_host && !writes(memory, total, 1)))
      return;
    const block_pattern found = find_blocks(compress(a, false), shape);
    if (write_indices(memory, found.offsets, offsets, base)) *total = static_cast<int>(found.columns.size());
  });
}

// Copies the entries of rows to their blocks; other elements of blocks become zero.
void fill_blocks(const compressed& rows, const block_pattern& blocks, const block_shape& shape, size_t size, char* to) {
  const auto* const from = static_cast<const char*>(rows.values.at);
  const int64_t block_size = int64_t{shape.rows} * shape.columns;
  std::memset(to, 0, blocks.columns.size() * static_cast<size_t>(block_size) * size);
  for (int64_t row = 0; row < rows.rows; ++row) {
    const auto first = blocks.columns.begin() + blocks.offsets[static_cast<size_t>(row / shape.rows)];
    const auto last = blocks.columns.begin() + blocks.offsets[static_cast<size_t>(row / shape.rows) + 1];
    for (int64_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      const int64_t column = rows.indices[k], inner_row = row % shape.rows, inner_column = column % shape.columns;
      const int64_t block = std::lower_bound(first, last, column / shape.columns) - blocks.columns.begin();
      const int64_t inside = shape.direction == CUSPARSE_DIRECTION_ROW ? inner_row * shape.columns + inner_column
                                                                       : inner_column * shape.rows + inner_row;
      std::memcpy(to + static_cast<size_t>(block * block_size + inside) * size, from + static_cast<size_t>(k) * size,
                  size);
    }
  }
}

// Writes the indices and values of blocks. Their offsets are those of the call that counted them.
cusparseStatus_t make_blocks(const call& c, checks valid, const sparse_matrix& operand, const block_shape& shape,
                             const result_arrays& result) {
  check_blocks(valid, shape, result.descr).pointers(result.offsets);
  if (!valid.hold()) return valid.status();
  return submit(c, operand.rows * 16, false, [=, base = int{result.descr->base}](memory_accesses& memory) {
    sparse_matrix a = operand;
    if (!count_entries(memory, a) || !report(memory, a, access::reads) ||
        !reads(memory, result.offsets, blocks_in(a.rows, shape.rows) + 1)) {
      return;
    }
    const compressed rows = compress(a, true);
    const block_pattern found = find_blocks(rows, shape);
    const size_t bytes = a.values.bytes(static_cast<int64_t>(found.columns.size()) * shape.rows * shape.columns);
    if (!write_indices(memory, found.columns, result.indices, base)) return;
    if (bytes != 0 && memory.writes(bytes_at(result.values, bytes)))
      fill_blocks(rows, found, shape, size_of(a.values.type), static_cast<char*>(result.values));
  });
}

// Writes all elements of blocks as entries of CSR rows, zeros too. `has_values`: false for indices only.
cusparseStatus_t expand_blocks(const call& c, checks valid, const sparse_matrix& operand, bool has_values,
                               const result_arrays& result) {
  valid.pointers(result.descr, result.offsets);
  require_general(valid, result.descr);
  if (!valid.hold()) return valid.status();
  return submit(c, operand.rows * 16, false, [=, base = int{result.descr->base}](memory_accesses& memory) {
    sparse_matrix a = operand;
    if (!count_entries(memory, a) || !report(memory, a, has_values ? access::reads : access::pattern)) return;
    const compressed rows = compress(a, has_values);
    if (!write_indices(memory, rows.own_offsets, result.offsets, base) ||
        !write_indices(memory, rows.own_indices, result.indices, base)) {
      return;
    }
    if (has_values && !rows.own_values.empty() && memory.writes(bytes_at(result.values, rows.own_values.size())))
      std::memcpy(result.values, rows.own_values.data(), rows.own_values.size());
  });
}

// The checks of an operand in CSR, and the operand where they hold.
checks check_rows(const call& c, int m, int n, cusparseMatDescr_t descr, const int* offsets) {
  checks valid(c);
  valid.sizes(m, n).pointers(descr, offsets);
  return require_general(valid, descr);
}
checks check_block_operand(const call& c, int mb, int nb, const block_shape& shape, cusparseMatDescr_t descr,
                           const int* offsets) {
  checks valid(c);
  check_blocks(valid, shape, descr).sizes(mb, nb).pointers(offsets);
  return valid;
}

cusparseStatus_t find_size(const call& c, int m, int n, const block_shape& shape, cusparseMatDescr_t descr,
                           const int* offsets, size_t* size) {
  checks valid = check_rows(c, m, n, descr, offsets);
  check_blocks(valid, shape, descr);
  return nominal_size(valid, size);
}
cusparseStatus_t as_int(cusparseStatus_t status, size_t from, int* size) {
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (!size) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = static_cast<int>(from);
  return status;
}

// The sizes of blocks of the operand and of the result of a conversion between blocks.
struct two_shapes {
  block_shape from, to;
};
cusparseStatus_t find_size(const call& c, int mb, int nb, int blocks, const two_shapes& shapes,
                           cusparseMatDescr_t descr, const int* offsets, size_t* size) {
  checks valid = check_block_operand(c, mb, nb, shapes.from, descr, offsets);
  check_blocks(valid.sizes(blocks), shapes.to, descr);
  return nominal_size(valid, size);
}

// A matrix of blocks, each of which counts as one number.
struct scalar_blocks {
  int rows, columns, blocks;
  const void* values;
  const int *offsets, *indices;
  int block_rows, block_columns;

  checks check(const call& c) const {
    checks valid(c);
    valid.sizes(rows, columns, blocks).require(block_rows > 0 && block_columns > 0).pointers(offsets);
    return valid.require(blocks == 0 || indices);
  }
};

// The transposed matrix of blocks. A block keeps its elements in their order.
cusparseStatus_t transpose_blocks(const call& c, const scalar_blocks& a, size_t element_size, void* values,
                                  int* indices, int* offsets, cusparseAction_t copy_values, cusparseIndexBase_t base) {
  const bool has_values = copy_values == CUSPARSE_ACTION_NUMERIC;
  checks valid = a.check(c);
  valid.pointers(offsets).require(a.blocks == 0 || (indices && (!has_values || (a.values && values))));
  valid.require(copy_values == CUSPARSE_ACTION_SYMBOLIC || has_values);
  if (!valid.hold()) return valid.status();
  const size_t bytes = static_cast<size_t>(a.block_rows) * static_cast<size_t>(a.block_columns) * element_size;
  return submit(c, a.blocks * static_cast<int64_t>(bytes), false, [=](memory_accesses& memory) {
    const sparse_matrix from = csr_matrix(a.rows, a.columns, a.blocks, a.offsets, a.indices, nullptr, CUDA_R_32F, base);
    if (!report(memory, from, access::pattern)) return;
    const compressed turned = transpose(compress(from, false), false);
    if (!write_indices(memory, turned.own_offsets, offsets, base) ||
        !write_indices(memory, turned.own_indices, indices, base) || !has_values || a.blocks == 0) {
      return;
    }
    const size_t all = static_cast<size_t>(a.blocks) * bytes;
    if (!memory.reads(bytes_at(a.values, all)) || !memory.writes(bytes_at(values, all))) return;
    for (int64_t k = 0; k < a.blocks; ++k) {
      std::memcpy(static_cast<char*>(values) + static_cast<size_t>(k) * bytes,
                  static_cast<const char*>(a.values) + static_cast<size_t>(turned.place_of(k)) * bytes, bytes);
    }
  });
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

#define COHORT_BLOCK_CONVERSIONS(X, T)                                                                                 \
  cusparseStatus_t cusparse##X##csr2bsr(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,                \
                                        const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,     \
                                        const int* columns_a, int block_dim, const cusparseMatDescr_t descr_c,         \
                                        T* values_c, int* offsets_c, int* columns_c) {                                 \
    const call c{handle, "cusparse" #X "csr2bsr"};                                                                     \
    const checks valid = check_rows(c, m, n, descr_a, offsets_a);                                                      \
    return make_blocks(c, valid, rows_of(valid, m, n, offsets_a, columns_a, values_a, data_type_of<T>, descr_a),       \
                       {dir, block_dim, block_dim}, {descr_c, values_c, offsets_c, columns_c});                        \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsr2csr(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb,              \
                                        const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,     \
                                        const int* columns_a, int block_dim, const cusparseMatDescr_t descr_c,         \
                                        T* values_c, int* offsets_c, int* columns_c) {                                 \
    const call c{handle, "cusparse" #X "bsr2csr"};                                                                     \
    const block_shape shape{dir, block_dim, block_dim};                                                                \
    const checks valid = check_block_operand(c, mb, nb, shape, descr_a, offsets_a);                                    \
    return expand_blocks(c, valid,                                                                                     \
                         blocks_of(valid, mb, nb, offsets_a, columns_a, values_a, data_type_of<T>, shape, descr_a),    \
                         true, {descr_c, values_c, offsets_c, columns_c});                                             \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##csr2gebsr_bufferSizeExt(                                                               \
      cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, const cusparseMatDescr_t descr_a, const T*,      \
      const int* offsets_a, const int*, int row_block_dim, int col_block_dim, size_t* size) {                          \
    return find_size({handle, "cusparse" #X "csr2gebsr_bufferSizeExt"}, m, n, {dir, row_block_dim, col_block_dim},     \
                     descr_a, offsets_a, size);                                                                        \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##csr2gebsr_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,   \
                                                     const cusparseMatDescr_t descr_a, const T*, const int* offsets_a, \
                                                     const int*, int row_block_dim, int col_block_dim, int* size) {    \
    size_t wide = 0;                                                                                                   \
    const cusparseStatus_t status = find_size({handle, "cusparse" #X "csr2gebsr_bufferSize"}, m, n,                    \
                                              {dir, row_block_dim, col_block_dim}, descr_a, offsets_a, &wide);         \
    return as_int(status, wide, size);                                                                                 \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##csr2gebsr(                                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, const cusparseMatDescr_t descr_a,                \
      const T* values_a, const int* offsets_a, const int* columns_a, const cusparseMatDescr_t descr_c, T* values_c,    \
      int* offsets_c, int* columns_c, int row_block_dim, int col_block_dim, void*) {                                   \
    const call c{handle, "cusparse" #X "csr2gebsr"};                                                                   \
    const checks valid = check_rows(c, m, n, descr_a, offsets_a);                                                      \
    return make_blocks(c, valid, rows_of(valid, m, n, offsets_a, columns_a, values_a, data_type_of<T>, descr_a),       \
                       {dir, row_block_dim, col_block_dim}, {descr_c, values_c, offsets_c, columns_c});                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2csr(                                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, const cusparseMatDescr_t descr_a,              \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim, int col_block_dim,             \
      const cusparseMatDescr_t descr_c, T* values_c, int* offsets_c, int* columns_c) {                                 \
    const call c{handle, "cusparse" #X "gebsr2csr"};                                                                   \
    const block_shape shape{dir, row_block_dim, col_block_dim};                                                        \
    const checks valid = check_block_operand(c, mb, nb, shape, descr_a, offsets_a);                                    \
    return expand_blocks(c, valid,                                                                                     \
                         blocks_of(valid, mb, nb, offsets_a, columns_a, values_a, data_type_of<T>, shape, descr_a),    \
                         true, {descr_c, values_c, offsets_c, columns_c});                                             \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsc_bufferSizeExt(cusparseHandle_t handle, int mb, int nb, int nnzb,           \
                                                          const T* values, const int* offsets, const int* columns,     \
                                                          int row_block_dim, int col_block_dim, size_t* size) {        \
    const scalar_blocks a{mb, nb, nnzb, values, offsets, columns, row_block_dim, col_block_dim};                       \
    return nominal_size(a.check({handle, "cusparse" #X "gebsr2gebsc_bufferSizeExt"}), size);                           \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsc_bufferSize(cusparseHandle_t handle, int mb, int nb, int nnzb,              \
                                                       const T* values, const int* offsets, const int* columns,        \
                                                       int row_block_dim, int col_block_dim, int* size) {              \
    const scalar_blocks a{mb, nb, nnzb, values, offsets, columns, row_block_dim, col_block_dim};                       \
    size_t wide = 0;                                                                                                   \
    return as_int(nominal_size(a.check({handle, "cusparse" #X "gebsr2gebsc_bufferSize"}), &wide), wide, size);         \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsc(cusparseHandle_t handle, int mb, int nb, int nnzb, const T* values,        \
                                            const int* offsets, const int* columns, int row_block_dim,                 \
                                            int col_block_dim, T* bsc_values, int* bsc_rows, int* bsc_offsets,         \
                                            cusparseAction_t copy_values, cusparseIndexBase_t base, void*) {           \
    return transpose_blocks({handle, "cusparse" #X "gebsr2gebsc"},                                                     \
                            {mb, nb, nnzb, values, offsets, columns, row_block_dim, col_block_dim}, sizeof(T),         \
                            bsc_values, bsc_rows, bsc_offsets, copy_values, base);                                     \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsr_bufferSizeExt(                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T*, const int* offsets_a, const int*, int row_block_dim_a, int col_block_dim_a, int row_block_dim_c,       \
      int col_block_dim_c, size_t* size) {                                                                             \
    const two_shapes shapes{{dir, row_block_dim_a, col_block_dim_a}, {dir, row_block_dim_c, col_block_dim_c}};         \
    return find_size({handle, "cusparse" #X "gebsr2gebsr_bufferSizeExt"}, mb, nb, nnzb, shapes, descr_a, offsets_a,    \
                     size);                                                                                            \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsr_bufferSize(                                                                \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T*, const int* offsets_a, const int*, int row_block_dim_a, int col_block_dim_a, int row_block_dim_c,       \
      int col_block_dim_c, int* size) {                                                                                \
    const two_shapes shapes{{dir, row_block_dim_a, col_block_dim_a}, {dir, row_block_dim_c, col_block_dim_c}};         \
    size_t wide = 0;                                                                                                   \
    const cusparseStatus_t status =                                                                                    \
        find_size({handle, "cusparse" #X "gebsr2gebsr_bufferSize"}, mb, nb, nnzb, shapes, descr_a, offsets_a, &wide);  \
    return as_int(status, wide, size);                                                                                 \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##gebsr2gebsr(                                                                           \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim_a, int col_block_dim_a,         \
      const cusparseMatDescr_t descr_c, T* values_c, int* offsets_c, int* columns_c, int row_block_dim_c,              \
      int col_block_dim_c, void*) {                                                                                    \
    const call c{handle, "cusparse" #X "gebsr2gebsr"};                                                                 \
    const block_shape shape{dir, row_block_dim_a, col_block_dim_a};                                                    \
    checks valid = check_block_operand(c, mb, nb, shape, descr_a, offsets_a);                                          \
    valid.sizes(nnzb);                                                                                                 \
    return make_blocks(c, valid,                                                                                       \
                       blocks_of(valid, mb, nb, offsets_a, columns_a, values_a, data_type_of<T>, shape, descr_a),      \
                       {dir, row_block_dim_c, col_block_dim_c}, {descr_c, values_c, offsets_c, columns_c});            \
  }

extern "C" {

cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                                     const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                     int block_dim, const cusparseMatDescr_t descr_c, int* offsets_c, int* total) {
  const call c{handle, "cusparseXcsr2bsrNnz"};
  const checks valid = check_rows(c, m, n, descr_a, offsets_a);
  return count_blocks(c, valid, rows_of(valid, m, n, offsets_a, columns_a, nullptr, CUDA_R_32F, descr_a),
                      {dir, block_dim, block_dim}, descr_c, offsets_c, total);
}
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                                       const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                       const cusparseMatDescr_t descr_c, int* offsets_c, int row_block_dim,
                                       int col_block_dim, int* total, void*) {
  const call c{handle, "cusparseXcsr2gebsrNnz"};
  const checks valid = check_rows(c, m, n, descr_a, offsets_a);
  return count_blocks(c, valid, rows_of(valid, m, n, offsets_a, columns_a, nullptr, CUDA_R_32F, descr_a),
                      {dir, row_block_dim, col_block_dim}, descr_c, offsets_c, total);
}
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb,
                                    const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                    int row_block_dim, int col_block_dim, const cusparseMatDescr_t descr_c,
                                    int* offsets_c, int* columns_c) {
  const call c{handle, "cusparseXgebsr2csr"};
  const block_shape shape{dir, row_block_dim, col_block_dim};
  const checks valid = check_block_operand(c, mb, nb, shape, descr_a, offsets_a);
  return expand_blocks(c, valid, blocks_of(valid, mb, nb, offsets_a, columns_a, nullptr, CUDA_R_32F, shape, descr_a),
                       false, {descr_c, nullptr, offsets_c, columns_c});
}
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb,
                                         const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                         int row_block_dim_a, int col_block_dim_a, const cusparseMatDescr_t descr_c,
                                         int* offsets_c, int row_block_dim_c, int col_block_dim_c, int* total, void*) {
  const call c{handle, "cusparseXgebsr2gebsrNnz"};
  const block_shape shape{dir, row_block_dim_a, col_block_dim_a};
  checks valid = check_block_operand(c, mb, nb, shape, descr_a, offsets_a);
  valid.sizes(nnzb);
  return count_blocks(c, valid, blocks_of(valid, mb, nb, offsets_a, columns_a, nullptr, CUDA_R_32F, shape, descr_a),
                      {dir, row_block_dim_c, col_block_dim_c}, descr_c, offsets_c, total);
}

COHORT_BLOCK_CONVERSIONS(S, float)
COHORT_BLOCK_CONVERSIONS(D, double)
COHORT_BLOCK_CONVERSIONS(C, cuComplex)
COHORT_BLOCK_CONVERSIONS(Z, cuDoubleComplex)

}  // extern "C"
