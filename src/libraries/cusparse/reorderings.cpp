// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reorderings of a CSR matrix: sorts of its rows that can be undone (csru2csr), and colors of its graph (csrcolor).
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

// The order that csru2csr has found, for csr2csru. Written and read in streams.
struct row_sort {
  std::shared_ptr<std::vector<int>> order = std::make_shared<std::vector<int>>();
  int entries = -1;  // the entries of the sorted matrix
};

checks check_sort(const call& c, int m, int n, int entries, const void* values, const int* offsets, const int* indices,
                  const row_sort* info) {
  checks valid(c);
  valid.sizes(m, n, entries).pointers(offsets, info).require(entries == 0 || (values && indices));
  return valid;
}
bool reports_sort(memory_accesses& memory, int m, int entries, const void* values, size_t size, const int* offsets,
                  const int* indices) {
  return reads(memory, offsets, m + 1) && writes(memory, indices, entries) &&
         (entries == 0 || memory.writes(bytes_at(values, static_cast<size_t>(entries) * size)));
}

// Moves the entries so that entry i becomes the old entry order[i]; `is_back` undoes it.
template <class T>
void move_entries(const std::vector<int>& order, bool is_back, T* array) {
  std::vector<T> moved(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const auto old = static_cast<size_t>(order[i]);
    is_back ? moved[old] = array[i] : moved[i] = array[old];
  }
  std::copy(moved.begin(), moved.end(), array);
}

template <class T>
cusparseStatus_t sort_rows(const call& c, int m, int n, int entries, cusparseMatDescr_t descr, T* values,
                           const int* offsets, int* indices, row_sort* info, bool is_back) {
  checks valid = check_sort(c, m, n, entries, values, offsets, indices, info);
  valid.pointers(descr);
  valid.require(!valid.hold() || !is_back || info->entries == entries);
  if (!valid.hold()) return valid.status();
  if (!is_back) info->entries = entries;
  return submit(c, int64_t{entries} * 8, false,
                [=, base = int{descr->base}, order = info->order](memory_accesses& memory) {
                  if (!reports_sort(memory, m, entries, values, sizeof(T), offsets, indices)) return;
                  if (!is_back) {
                    order->resize(static_cast<size_t>(entries));
                    std::iota(order->begin(), order->end(), 0);
                    for (int row = 0; row < m; ++row) {
                      std::stable_sort(order->begin() + offsets[row] - base, order->begin() + offsets[row + 1] - base,
                                       [indices](int a, int b) { return indices[a] < indices[b]; });
                    }
                  }
                  move_entries(*order, is_back, values);
                  move_entries(*order, is_back, indices);
                });
}

// The colors of rows: neighbours in the graph of the matrix and of its transposed matrix differ. Each row takes the
// least color that no neighbour has.
std::vector<int> find_colors(const compressed& rows) {
  const compressed columns = transpose(rows, false);
  std::vector<int> colors(static_cast<size_t>(rows.rows), -1);
  std::vector<int64_t> taken_by(static_cast<size_t>(rows.rows) + 1, -1);
  for (int64_t row = 0; row < rows.rows; ++row) {
    for (const compressed* const half : {&rows, &columns}) {
      for (int64_t k = half->offsets[row]; k < half->offsets[row + 1]; ++k) {
        const int64_t other = half->indices[k];
        if (other != row && colors[static_cast<size_t>(other)] >= 0)
          taken_by[static_cast<size_t>(colors[static_cast<size_t>(other)])] = row;
      }
    }
    int color = 0;
    while (taken_by[static_cast<size_t>(color)] == row) ++color;
    colors[static_cast<size_t>(row)] = color;
  }
  return colors;
}

// The fraction of rows that the caller wants colored has no effect: all rows are.
template <class T>
cusparseStatus_t color_rows(const call& c, int m, int entries, cusparseMatDescr_t descr, const int* offsets,
                            const int* indices, const T* fraction, int* count, int* colors, int* order,
                            const void* info) {
  checks valid(c);
  valid.sizes(m, entries).pointers(descr, offsets, fraction, count, info).require(m == 0 || colors);
  valid.require(entries == 0 || indices);
  require_general(valid, descr);
  if (!valid.hold()) return valid.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, entries, on_host, [=, base = descr->base](memory_accesses& memory) {
    const sparse_matrix a = csr_matrix(m, m, entries, offsets, indices, nullptr, CUDA_R_32F, base);
    if (!report(memory, a, access::pattern) || !writes(memory, colors, m) || (order && !writes(memory, order, m)) ||
        (!on_host && !writes(memory, count, 1))) {
      return;
    }
    const std::vector<int> found = find_colors(compress(a, false));
    std::copy(found.begin(), found.end(), colors);
    *count = found.empty() ? 0 : 1 + *std::max_element(found.begin(), found.end());
    if (!order) return;
    std::vector<int> rows(found.size());
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](int x, int y) { return found[static_cast<size_t>(x)] < found[static_cast<size_t>(y)]; });
    for (size_t place = 0; place < rows.size(); ++place) order[rows[place]] = static_cast<int>(place);
  });
}

}  // namespace

}  // namespace cohort::cusparse

struct csru2csrInfo : cohort::cusparse::row_sort {};
struct cusparseColorInfo {};

using namespace cohort::cusparse;

#define COHORT_REORDERINGS(X, T, Real)                                                                                \
  cusparseStatus_t cusparse##X##csru2csr_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, T* values,     \
                                                       const int* offsets, int* columns, csru2csrInfo_t info,         \
                                                       size_t* size) {                                                \
    return nominal_size(                                                                                              \
        check_sort({handle, "cusparse" #X "csru2csr_bufferSizeExt"}, m, n, nnz, values, offsets, columns, info),      \
        size);                                                                                                        \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##csru2csr(cusparseHandle_t handle, int m, int n, int nnz,                              \
                                         const cusparseMatDescr_t descr, T* values, const int* offsets, int* columns, \
                                         csru2csrInfo_t info, void*) {                                                \
    return sort_rows({handle, "cusparse" #X "csru2csr"}, m, n, nnz, descr, values, offsets, columns, info, false);    \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##csr2csru(cusparseHandle_t handle, int m, int n, int nnz,                              \
                                         const cusparseMatDescr_t descr, T* values, const int* offsets, int* columns, \
                                         csru2csrInfo_t info, void*) {                                                \
    return sort_rows({handle, "cusparse" #X "csr2csru"}, m, n, nnz, descr, values, offsets, columns, info, true);     \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##csrcolor(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,     \
                                         const T*, const int* offsets, const int* columns, const Real* fraction,      \
                                         int* ncolors, int* coloring, int* reordering,                                \
                                         const cusparseColorInfo_t info) {                                            \
    return color_rows({handle, "cusparse" #X "csrcolor"}, m, nnz, descr, offsets, columns, fraction, ncolors,         \
                      coloring, reordering, info);                                                                    \
  }

extern "C" {

cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info) { return destroy(info); }
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info) { return destroy(info); }

COHORT_REORDERINGS(S, float, float)
COHORT_REORDERINGS(D, double, double)
COHORT_REORDERINGS(C, cuComplex, float)
COHORT_REORDERINGS(Z, cuDoubleComplex, double)

}  // extern "C"
