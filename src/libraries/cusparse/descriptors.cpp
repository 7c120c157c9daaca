// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that make, read and change descriptors.
#include "libraries/cusparse/descriptors.hpp"

#include <cusparse.h>

#include <cstring>
#include <type_traits>
#include "libraries/cusparse/call.hpp"

namespace cohort::cusparse {

sparse_matrix sparse_matrix::at_batch(int64_t batch) const {
  sparse_matrix one = *this;
  if (offsets) one.offsets = offset_array().from(batch * offsets_stride).at();
  one.indices = index_array_of_entries().from(batch * indices_stride).at();
  one.values = values.from(batch * values_stride);
  return one;
}

dense_matrix dense_matrix::at_batch(int64_t batch) const {
  dense_matrix one = *this;
  one.values = values.from(batch * stride);
  return one;
}

namespace {

bool is_base(cusparseIndexBase_t base) { return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE; }
bool is_order(cusparseOrder_t order) { return order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW; }

// INVALID_VALUE for no type at all, NOT_SUPPORTED for one that indices or values do not have.
cusparseStatus_t check_index_type(cusparseIndexType_t type) {
  if (type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I) return CUSPARSE_STATUS_SUCCESS;
  return type == CUSPARSE_INDEX_16U ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t check_value_type(cudaDataType type) {
  return size_of(type) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

// An argument that is an array. are_arrays(): no size is negative, and each array that has elements exists.
struct array_size {
  const void* at;
  int64_t count;
};
template <class... Arrays>
bool are_arrays(Arrays... each) {
  return (... && (each.count >= 0 && (each.at || each.count == 0)));
}

// The fields that all formats have in common are checked here; `value` is made if they are valid.
template <class Descriptor>
cusparseStatus_t make_matrix(Descriptor* made, const sparse_matrix& value) {
  if (value.rows < 0 || value.columns < 0 || value.entries < 0 || !is_base(value.base)) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  for (cusparseStatus_t status : {check_index_type(value.offsets_type), check_index_type(value.indices_type),
                                  check_value_type(value.values.type)}) {
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
  }
  return statuses.create(made, value);
}

// Makes a matrix in CSR, or in CSC with `rows` and `columns` exchanged. The arrays may be null, although the matrix has
// entries: cusparseCsrSetPointers() sets them later.
template <class Descriptor>
cusparseStatus_t make_compressed(Descriptor* made, cusparseFormat_t format, int64_t rows, int64_t columns,
                                 int64_t entries, const void* offsets, const void* indices, const void* values,
                                 cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
                                 cusparseIndexBase_t base, cudaDataType type) {
  sparse_matrix m{format, rows, columns, entries};
  m.offsets = const_cast<void*>(offsets);
  m.indices = const_cast<void*>(indices);
  m.values = {const_cast<void*>(values), type};
  m.offsets_type = offsets_type;
  m.indices_type = indices_type;
  m.base = base;
  m.stored = entries;
  return make_matrix(made, m);
}

template <class Descriptor>
cusparseStatus_t make_coo(Descriptor* made, int64_t rows, int64_t columns, int64_t entries, const void* row_indices,
                          const void* column_indices, const void* values, cusparseIndexType_t index_type,
                          cusparseIndexBase_t base, cudaDataType type) {
  if (!are_arrays(array_size{row_indices, entries}, array_size{column_indices, entries})) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return make_compressed(made, CUSPARSE_FORMAT_COO, rows, columns, entries, row_indices, column_indices, values,
                         index_type, index_type, base, type);
}

template <class Descriptor>
cusparseStatus_t make_bsr(Descriptor* made, int64_t rows, int64_t columns, int64_t blocks, int64_t row_block_size,
                          int64_t column_block_size, const void* offsets, const void* indices, const void* values,
                          cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type, cusparseIndexBase_t base,
                          cudaDataType type, cusparseOrder_t order) {
  if (row_block_size <= 0 || column_block_size <= 0 || !is_order(order)) return CUSPARSE_STATUS_INVALID_VALUE;
  sparse_matrix m{CUSPARSE_FORMAT_BSR, rows * row_block_size, columns * column_block_size,
                  blocks * row_block_size * column_block_size};
  m.offsets = const_cast<void*>(offsets);
  m.indices = const_cast<void*>(indices);
  m.values = {const_cast<void*>(values), type};
  m.offsets_type = offsets_type;
  m.indices_type = indices_type;
  m.base = base;
  m.block_rows = row_block_size;
  m.block_columns = column_block_size;
  m.block_order = order;
  m.stored = m.entries;
  return make_matrix(made, m);
}

template <class Descriptor>
cusparseStatus_t make_blocked_ell(Descriptor* made, int64_t rows, int64_t columns, int64_t block_size,
                                  int64_t ell_columns, const void* indices, const void* values,
                                  cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  if (block_size <= 0 || ell_columns < 0 || ell_columns > columns || ell_columns % block_size != 0) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  sparse_matrix m{CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, rows * ell_columns};
  m.indices = const_cast<void*>(indices);
  m.values = {const_cast<void*>(values), type};
  m.indices_type = index_type;
  m.base = base;
  m.block_rows = m.block_columns = block_size;
  m.ell_columns = ell_columns;
  m.stored = m.entries;
  return make_matrix(made, m);
}

template <class Descriptor>
cusparseStatus_t make_sliced_ell(Descriptor* made, int64_t rows, int64_t columns, int64_t entries, int64_t stored,
                                 int64_t slice_rows, const void* offsets, const void* indices, const void* values,
                                 cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
                                 cusparseIndexBase_t base, cudaDataType type) {
  if (slice_rows <= 0 || stored < entries ||
      !are_arrays(array_size{offsets, 1}, array_size{indices, stored}, array_size{values, stored})) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  sparse_matrix m{CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, entries};
  m.offsets = const_cast<void*>(offsets);
  m.indices = const_cast<void*>(indices);
  m.values = {const_cast<void*>(values), type};
  m.offsets_type = offsets_type;
  m.indices_type = indices_type;
  m.base = base;
  m.slice_rows = slice_rows;
  m.stored = stored;
  return make_matrix(made, m);
}

template <class Descriptor>
cusparseStatus_t make_sparse_vector(Descriptor* made, int64_t size, int64_t entries, const void* indices,
                                    const void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                    cudaDataType type) {
  if (size < 0 || entries > size || !is_base(base) ||
      !are_arrays(array_size{indices, entries}, array_size{values, entries})) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  for (cusparseStatus_t status : {check_index_type(index_type), check_value_type(type)}) {
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
  }
  sparse_vector v{size, entries, const_cast<void*>(indices), {const_cast<void*>(values), type}, index_type, base};
  return statuses.create(made, v);
}

template <class Descriptor>
cusparseStatus_t make_dense_vector(Descriptor* made, int64_t size, const void* values, cudaDataType type) {
  if (!are_arrays(array_size{values, size})) return CUSPARSE_STATUS_INVALID_VALUE;
  if (check_value_type(type) != CUSPARSE_STATUS_SUCCESS) return check_value_type(type);
  return statuses.create(made, dense_vector{size, {const_cast<void*>(values), type}});
}

template <class Descriptor>
cusparseStatus_t make_dense_matrix(Descriptor* made, int64_t rows, int64_t columns, int64_t ld, const void* values,
                                   cudaDataType type, cusparseOrder_t order) {
  if (rows < 0 || columns < 0 || !is_order(order) || ld < (order == CUSPARSE_ORDER_COL ? rows : columns) ||
      !are_arrays(array_size{values, rows * columns})) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  if (check_value_type(type) != CUSPARSE_STATUS_SUCCESS) return check_value_type(type);
  return statuses.create(made, dense_matrix{rows, columns, ld, {const_cast<void*>(values), type}, order});
}

bool has_format(const sparse_matrix* m, cusparseFormat_t format) { return m && m->format == format; }

template <class Pointer>
cusparseStatus_t get_compressed(const sparse_matrix* m, cusparseFormat_t format, int64_t* rows, int64_t* columns,
                                int64_t* entries, Pointer* offsets, Pointer* indices, Pointer* values,
                                cusparseIndexType_t* offsets_type, cusparseIndexType_t* indices_type,
                                cusparseIndexBase_t* base, cudaDataType* type) {
  if (!has_format(m, format) || !rows || !columns || !entries || !offsets || !indices || !values || !offsets_type ||
      !indices_type || !base || !type) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  *rows = m->rows, *columns = m->columns, *entries = m->entries;
  *offsets = m->offsets, *indices = m->indices, *values = m->values.at;
  *offsets_type = m->offsets_type, *indices_type = m->indices_type, *base = m->base, *type = m->values.type;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t get_blocked_ell(const sparse_matrix* m, int64_t* rows, int64_t* columns, int64_t* block_size,
                                 int64_t* ell_columns, Pointer* indices, Pointer* values,
                                 cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  if (!has_format(m, CUSPARSE_FORMAT_BLOCKED_ELL) || !rows || !columns || !block_size || !ell_columns || !indices ||
      !values || !index_type || !base || !type) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  *rows = m->rows, *columns = m->columns, *block_size = m->block_rows, *ell_columns = m->ell_columns;
  *indices = m->indices, *values = m->values.at;
  *index_type = m->indices_type, *base = m->base, *type = m->values.type;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t get_sparse_vector(const sparse_vector* v, int64_t* size, int64_t* entries, Pointer* indices,
                                   Pointer* values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                   cudaDataType* type) {
  if (!v || !size || !entries || !indices || !values || !index_type || !base || !type) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  *size = v->size, *entries = v->entries, *indices = v->indices, *values = v->values.at;
  *index_type = v->index_type, *base = v->base, *type = v->values.type;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t get_dense_vector(const dense_vector* v, int64_t* size, Pointer* values, cudaDataType* type) {
  if (!v || !size || !values || !type) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = v->size, *values = v->values.at, *type = v->values.type;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t get_dense_matrix(const dense_matrix* m, int64_t* rows, int64_t* columns, int64_t* ld, Pointer* values,
                                  cudaDataType* type, cusparseOrder_t* order) {
  if (!m || !rows || !columns || !ld || !values || !type || !order) return CUSPARSE_STATUS_INVALID_VALUE;
  *rows = m->rows, *columns = m->columns, *ld = m->ld, *values = m->values.at;
  *type = m->values.type, *order = m->order;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descriptor, class Pointer>
cusparseStatus_t get_values(const Descriptor* from, Pointer* values) {
  if (!from || !values) return CUSPARSE_STATUS_INVALID_VALUE;
  *values = from->values.at;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Descriptor>
cusparseStatus_t set_values(Descriptor* to, void* values) {
  if (!to || !values) return CUSPARSE_STATUS_INVALID_VALUE;
  to->values.at = values;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class From, class Field>
cusparseStatus_t get_field(const From* from, Field From::* field, Field* value) {
  if (!from || !value) return CUSPARSE_STATUS_INVALID_VALUE;
  *value = from->*field;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_pointers(sparse_matrix* m, cusparseFormat_t format, void* offsets, void* indices, void* values) {
  if (!has_format(m, format) || !offsets ||
      !are_arrays(array_size{indices, m->entries}, array_size{values, m->entries})) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  m->offsets = offsets;
  m->indices = indices;
  m->values.at = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_batches(sparse_matrix* m, cusparseFormat_t format, int count, int64_t offsets, int64_t indices,
                             int64_t values) {
  if (!has_format(m, format) || count <= 0 || offsets < 0 || indices < 0 || values < 0) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  m->batches = count;
  m->offsets_stride = offsets;
  m->indices_stride = indices;
  m->values_stride = values;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_offsets, void* columns, void* values, cusparseIndexType_t offsets_type,
                                   cusparseIndexType_t columns_type, cusparseIndexBase_t base,
                                   cudaDataType value_type) {
  return make_compressed(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, columns, values, offsets_type,
                         columns_type, base, value_type);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* column_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
  return make_compressed(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, column_offsets, row_indices, values,
                         offsets_type, rows_type, base, value_type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_indices, void* columns, void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
  return make_coo(matrix, rows, cols, nnz, row_indices, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t block_rows, int64_t block_columns,
                                   int64_t blocks, int64_t row_block_size, int64_t column_block_size, void* row_offsets,
                                   void* columns, void* values, cusparseIndexType_t offsets_type,
                                   cusparseIndexType_t columns_type, cusparseIndexBase_t base, cudaDataType value_type,
                                   cusparseOrder_t order) {
  return make_bsr(matrix, block_rows, block_columns, blocks, row_block_size, column_block_size, row_offsets, columns,
                  values, offsets_type, columns_type, base, value_type, order);
}
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t block_size,
                                          int64_t ell_columns, void* columns, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type) {
  return make_blocked_ell(matrix, rows, cols, block_size, ell_columns, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                         int64_t values_size, int64_t slice_size, void* slice_offsets, void* columns,
                                         void* values, cusparseIndexType_t offsets_type,
                                         cusparseIndexType_t columns_type, cusparseIndexBase_t base,
                                         cudaDataType value_type) {
  return make_sliced_ell(matrix, rows, cols, nnz, values_size, slice_size, slice_offsets, columns, values, offsets_type,
                         columns_type, base, value_type);
}
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType value_type) {
  return make_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType value_type) {
  return make_dense_vector(vector, size, values, value_type);
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld, void* values,
                                     cudaDataType value_type, cusparseOrder_t order) {
  return make_dense_matrix(matrix, rows, cols, ld, values, value_type, order);
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* row_offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                        cusparseIndexBase_t base, cudaDataType value_type) {
  return make_compressed(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, columns, values, offsets_type,
                         columns_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* column_offsets, const void* row_indices, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
                                        cusparseIndexBase_t base, cudaDataType value_type) {
  return make_compressed(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, column_offsets, row_indices, values,
                         offsets_type, rows_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* row_indices, const void* columns, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type) {
  return make_coo(matrix, rows, cols, nnz, row_indices, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t* matrix, int64_t block_rows, int64_t block_columns,
                                        int64_t blocks, int64_t row_block_size, int64_t column_block_size,
                                        const void* row_offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                        cusparseIndexBase_t base, cudaDataType value_type, cusparseOrder_t order) {
  return make_bsr(matrix, block_rows, block_columns, blocks, row_block_size, column_block_size, row_offsets, columns,
                  values, offsets_type, columns_type, base, value_type, order);
}
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                               int64_t block_size, int64_t ell_columns, const void* columns,
                                               const void* values, cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType value_type) {
  return make_blocked_ell(matrix, rows, cols, block_size, ell_columns, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                              int64_t nnz, int64_t values_size, int64_t slice_size,
                                              const void* slice_offsets, const void* columns, const void* values,
                                              cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                              cusparseIndexBase_t base, cudaDataType value_type) {
  return make_sliced_ell(matrix, rows, cols, nnz, values_size, slice_size, slice_offsets, columns, values, offsets_type,
                         columns_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType value_type) {
  return make_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType value_type) {
  return make_dense_vector(vector, size, values, value_type);
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld,
                                          const void* values, cudaDataType value_type, cusparseOrder_t order) {
  return make_dense_matrix(matrix, rows, cols, ld, values, value_type, order);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) { return destroy(matrix); }

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_offsets, void** columns, void** values, cusparseIndexType_t* offsets_type,
                                cusparseIndexType_t* columns_type, cusparseIndexBase_t* base,
                                cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, columns, values, offsets_type,
                        columns_type, base, value_type);
}
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** column_offsets, void** row_indices, void** values,
                                cusparseIndexType_t* offsets_type, cusparseIndexType_t* rows_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, column_offsets, row_indices, values, offsets_type,
                        rows_type, base, value_type);
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_indices, void** columns, void** values, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, columns, values, index_type,
                        index_type, base, value_type);
}
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* block_size,
                                       int64_t* ell_columns, void** columns, void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type) {
  return get_blocked_ell(matrix, rows, cols, block_size, ell_columns, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                  cudaDataType* value_type) {
  return get_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* value_type) {
  return get_dense_vector(vector, size, values, value_type);
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld, void** values,
                                  cudaDataType* type, cusparseOrder_t* order) {
  return get_dense_matrix(matrix, rows, cols, ld, values, type, order);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** row_offsets, const void** columns, const void** values,
                                     cusparseIndexType_t* offsets_type, cusparseIndexType_t* columns_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, columns, values, offsets_type,
                        columns_type, base, value_type);
}
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** column_offsets, const void** row_indices, const void** values,
                                     cusparseIndexType_t* offsets_type, cusparseIndexType_t* rows_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, column_offsets, row_indices, values, offsets_type,
                        rows_type, base, value_type);
}
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** row_indices, const void** columns, const void** values,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type) {
  return get_compressed(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, columns, values, index_type,
                        index_type, base, value_type);
}
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                            int64_t* block_size, int64_t* ell_columns, const void** columns,
                                            const void** values, cusparseIndexType_t* index_type,
                                            cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_blocked_ell(matrix, rows, cols, block_size, ell_columns, columns, values, index_type, base, value_type);
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values, cusparseIndexType_t* index_type,
                                       cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* value_type) {
  return get_dense_vector(vector, size, values, value_type);
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld,
                                       const void** values, cudaDataType* type, cusparseOrder_t* order) {
  return get_dense_matrix(matrix, rows, cols, ld, values, type, order);
}
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values) {
  return get_values(matrix, values);
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return set_values(vector, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return set_values(vector, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets, void* columns, void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSR, row_offsets, columns, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets, void* row_indices,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSC, column_offsets, row_indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices, void* columns, void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_COO, row_indices, columns, values);
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base) {
  return get_field<sparse_vector>(vector, &sparse_vector::base, base);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
  return get_field<sparse_matrix>(matrix, &sparse_matrix::base, base);
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  return get_field<sparse_matrix>(matrix, &sparse_matrix::format, format);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return get_field<sparse_matrix>(matrix, &sparse_matrix::batches, count);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz) {
  if (!matrix || !rows || !cols || !nnz) return CUSPARSE_STATUS_INVALID_VALUE;
  *rows = matrix->rows;
  *cols = matrix->columns;
  *nnz = matrix->entries;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride) {
  return set_batches(matrix, CUSPARSE_FORMAT_COO, count, stride, stride, stride);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets_stride,
                                            int64_t columns_values_stride) {
  return set_batches(matrix, CUSPARSE_FORMAT_CSR, count, offsets_stride, columns_values_stride, columns_values_stride);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets_stride,
                                            int64_t columns_stride, int64_t values_stride) {
  return set_batches(matrix, CUSPARSE_FORMAT_BSR, count, offsets_stride, columns_stride, values_stride);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride) {
  if (!matrix || count <= 0 || stride < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = count;
  matrix->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride) {
  if (!matrix || !count || !stride) return CUSPARSE_STATUS_INVALID_VALUE;
  *count = matrix->batches;
  *stride = matrix->stride;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t size) {
  if (!matrix || !data) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && size == sizeof matrix->fill) {
    std::memcpy(data, &matrix->fill, size);
  } else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && size == sizeof matrix->diagonal) {
    std::memcpy(data, &matrix->diagonal, size);
  } else {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t size) {
  int value = 0;
  if (!matrix || !data || size != sizeof value) return CUSPARSE_STATUS_INVALID_VALUE;
  std::memcpy(&value, data, size);
  if (value != 0 && value != 1) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
    matrix->fill = static_cast<cusparseFillMode_t>(value);
  } else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE) {
    matrix->diagonal = static_cast<cusparseDiagType_t>(value);
  } else {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
