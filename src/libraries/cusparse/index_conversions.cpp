// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions and sorts of 32-bit indices: COO to CSR and back, CSR to CSC, and sorts with their permutations.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

checks check_sizes(const call& c, int64_t rows, int64_t columns, int64_t entries) {
  checks valid(c);
  valid.sizes(rows, columns, entries);
  return valid;
}

// Reorders the `count` entries from `first` so that the keys, then the minor keys, ascend. Equal entries keep their
// order. The permutation goes with its entries.
void sort_entries(int* keys, int* minor_keys, int* permutation, int64_t first, int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : minor_keys && minor_keys[a] < minor_keys[b];
  });
  std::vector<int> moved(order.size());
  for (int* const array : {keys, minor_keys, permutation}) {
    if (!array) continue;
    for (size_t i = 0; i < order.size(); ++i) moved[i] = array[order[i]];
    std::copy(moved.begin(), moved.end(), array + first);
  }
}

cusparseStatus_t sort_coo(const call& c, int rows, int columns, int entries, int* keys, int* minor_keys,
                          int* permutation) {
  checks valid = check_sizes(c, rows, columns, entries);
  valid.require(entries == 0 || (keys && minor_keys));
  if (!valid.hold() || entries == 0) return valid.status();
  return submit(c, entries, false, [=](memory_accesses& memory) {
    if (!writes(memory, keys, entries) || !writes(memory, minor_keys, entries) ||
        (permutation && !writes(memory, permutation, entries))) {
      return;
    }
    sort_entries(keys, minor_keys, permutation, 0, entries);
  });
}

cusparseStatus_t sort_lines(const call& c, int lines, int others, int entries, cusparseMatDescr_t descr,
                            const int* offsets, int* indices, int* permutation) {
  checks valid = check_sizes(c, lines, others, entries);
  valid.pointers(descr, offsets).require(entries == 0 || indices);
  if (!valid.hold() || entries == 0) return valid.status();
  return submit(c, entries, false, [=, base = int64_t{descr->base}](memory_accesses& memory) {
    if (!reads(memory, offsets, lines + 1) || !writes(memory, indices, entries) ||
        (permutation && !writes(memory, permutation, entries))) {
      return;
    }
    for (int line = 0; line < lines; ++line) {
      sort_entries(indices, nullptr, permutation, offsets[line] - base, offsets[line + 1] - offsets[line]);
    }
  });
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* coo_row_ind, int nnz, int m, int* csr_row_ptr,
                                  cusparseIndexBase_t base) {
  const call c{handle, "cusparseXcoo2csr"};
  checks valid = check_sizes(c, m, 0, nnz);
  valid.pointers(csr_row_ptr).require(nnz == 0 || coo_row_ind);
  if (!valid.hold()) return valid.status();
  return submit(c, nnz + m, false, [=](memory_accesses& memory) {
    if (!reads(memory, coo_row_ind, nnz) || !writes(memory, csr_row_ptr, m + 1)) return;
    int entry = 0;
    for (int row = 0; row <= m; ++row) {
      while (entry < nnz && coo_row_ind[entry] - base < row) ++entry;
      csr_row_ptr[row] = entry + base;
    }
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csr_row_ptr, int nnz, int m, int* coo_row_ind,
                                  cusparseIndexBase_t base) {
  const call c{handle, "cusparseXcsr2coo"};
  checks valid = check_sizes(c, m, 0, nnz);
  valid.pointers(csr_row_ptr).require(nnz == 0 || coo_row_ind);
  if (!valid.hold()) return valid.status();
  return submit(c, nnz + m, false, [=](memory_accesses& memory) {
    if (!reads(memory, csr_row_ptr, m + 1) || !writes(memory, coo_row_ind, nnz)) return;
    for (int row = 0; row < m; ++row) {
      std::fill(coo_row_ind + csr_row_ptr[row] - base, coo_row_ind + csr_row_ptr[row + 1] - base, row + base);
    }
  });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p) {
  const call c{handle, "cusparseCreateIdentityPermutation"};
  checks valid = check_sizes(c, n, 0, 0);
  valid.require(n == 0 || p);
  if (!valid.hold() || n == 0) return valid.status();
  return submit(c, n, false, [=](memory_accesses& memory) {
    if (writes(memory, p, n)) std::iota(p, p + n, 0);
  });
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* buffer_size) {
  return nominal_size(check_sizes({handle, "cusparseXcoosort_bufferSizeExt"}, m, n, nnz), buffer_size);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int* coo_rows, int* coo_cols,
                                       int* p, void*) {
  return sort_coo({handle, "cusparseXcoosortByRow"}, m, n, nnz, coo_rows, coo_cols, p);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int* coo_rows, int* coo_cols,
                                          int* p, void*) {
  return sort_coo({handle, "cusparseXcoosortByColumn"}, m, n, nnz, coo_cols, coo_rows, p);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* buffer_size) {
  return nominal_size(check_sizes({handle, "cusparseXcsrsort_bufferSizeExt"}, m, n, nnz), buffer_size);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
                                  const int* csr_row_ptr, int* csr_col_ind, int* p, void*) {
  return sort_lines({handle, "cusparseXcsrsort"}, m, n, nnz, descr, csr_row_ptr, csr_col_ind, p);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* buffer_size) {
  return nominal_size(check_sizes({handle, "cusparseXcscsort_bufferSizeExt"}, m, n, nnz), buffer_size);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
                                  const int* csc_col_ptr, int* csc_row_ind, int* p, void*) {
  return sort_lines({handle, "cusparseXcscsort"}, n, m, nnz, descr, csc_col_ptr, csc_row_ind, p);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void*, const int*,
                                               const int*, void*, int*, int*, cudaDataType val_type, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t* buffer_size) {
  checks valid = check_sizes({handle, "cusparseCsr2cscEx2_bufferSize"}, m, n, nnz);
  valid.supports(size_of(val_type) != 0, types_refused);
  return nominal_size(valid, buffer_size);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* csr_val,
                                    const int* csr_row_ptr, const int* csr_col_ind, void* csc_val, int* csc_col_ptr,
                                    int* csc_row_ind, cudaDataType val_type, cusparseAction_t copy_values,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  const call c{handle, "cusparseCsr2cscEx2"};
  const bool has_values = copy_values == CUSPARSE_ACTION_NUMERIC;
  checks valid = check_sizes(c, m, n, nnz);
  valid.pointers(csr_row_ptr, csc_col_ptr)
      .require(nnz == 0 || (csr_col_ind && csc_row_ind))
      .require(nnz == 0 || !has_values || (csr_val && csc_val))
      .supports(size_of(val_type) != 0, types_refused);
  if (!valid.hold()) return valid.status();
  return submit(c, nnz + m + n, false, [=](memory_accesses& memory) {
    const sparse_matrix from = csr_matrix(m, n, nnz, csr_row_ptr, csr_col_ind, csr_val, val_type, base);
    if (!report(memory, from, has_values ? access::reads : access::pattern)) return;
    const compressed turned = transpose(compress(from, has_values), has_values);
    if (!writes(memory, csc_col_ptr, n + 1) || !writes(memory, csc_row_ind, nnz)) return;
    for (int column = 0; column <= n; ++column) {
      csc_col_ptr[column] = static_cast<int>(turned.offsets[column]) + base;
    }
    for (int k = 0; k < nnz; ++k) csc_row_ind[k] = static_cast<int>(turned.indices[k]) + base;
    const size_t bytes = turned.values.bytes(nnz);
    if (has_values && nnz > 0 && memory.writes(bytes_at(csc_val, bytes))) std::memcpy(csc_val, turned.values.at, bytes);
  });
}

}  // extern "C"
