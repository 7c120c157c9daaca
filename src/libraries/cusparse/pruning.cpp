// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of elements that are not zero, and CSR matrices without small elements: nnz, nnz_compress, csr2csr_compress,
// and the prune functions, which take a threshold or a percentage.
#include <cuda_fp16.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

double magnitude(__half element) { return std::fabs(__half2float(element)); }
double magnitude(float element) { return std::fabs(element); }
double magnitude(double element) { return std::fabs(element); }
double magnitude(cuComplex element) { return std::hypot(element.x, element.y); }
double magnitude(cuDoubleComplex element) { return std::hypot(element.x, element.y); }
double real_part(float tolerance) { return tolerance; }
double real_part(double tolerance) { return tolerance; }
double real_part(cuComplex tolerance) { return tolerance.x; }
double real_part(cuDoubleComplex tolerance) { return tolerance.x; }
double imaginary_part(cuComplex tolerance) { return tolerance.y; }
double imaginary_part(cuDoubleComplex tolerance) { return tolerance.y; }
template <class T>
double imaginary_part(T) {
  return 0;
}

// A dense matrix in columns.
template <class T>
struct dense_columns {
  int rows, columns;
  const T* values;
  int ld;

  void check(checks& valid) const {
    valid.sizes(rows, columns).require(ld >= std::max(1, rows)).require(rows == 0 || columns == 0 || values);
  }
  bool report(memory_accesses& memory) const {
    const size_t size = sizeof(T);
    const libraries::memory_rows all{values, static_cast<size_t>(rows) * size, static_cast<size_t>(ld) * size,
                                     static_cast<size_t>(columns)};
    return rows == 0 || columns == 0 || memory.reads(all, "A");
  }
  int lines() const { return rows; }
  int64_t size() const { return int64_t{rows} * columns; }
  // Calls use(column, value) for the elements of a row.
  template <class Use>
  void each(int row, const Use& use) const {
    for (int column = 0; column < columns; ++column) use(column, values[row + int64_t{column} * ld]);
  }
};
// A CSR matrix.
template <class T>
struct csr_rows {
  int rows, entries;
  cusparseMatDescr descr;
  const T* values;
  const int *offsets, *indices;

  bool report(memory_accesses& memory) const {
    return reads(memory, offsets, rows + 1) && reads(memory, indices, entries) && reads(memory, values, entries);
  }
  int lines() const { return rows; }
  int64_t size() const { return entries; }
  template <class Use>
  void each(int row, const Use& use) const {
    const int base = static_cast<int>(descr.base);
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) use(indices[k] - base, values[k]);
  }
};
// The operand in CSR. Checks the arguments; only if all checks hold is `descr` read.
template <class T>
csr_rows<T> csr_operand(checks& valid, int m, int n, int entries, cusparseMatDescr_t descr, const T* values,
                        const int* offsets, const int* indices) {
  require_general(valid, descr).sizes(m, n, entries).pointers(offsets);
  valid.require(entries == 0 || (values && indices));
  return {m, entries, valid.hold() ? *descr : cusparseMatDescr(), values, offsets, indices};
}

template <class T>
cusparseStatus_t count_dense(const call& c, cusparseDirection_t direction, const dense_columns<T>& a,
                             cusparseMatDescr_t descr, int* counts, int* total) {
  checks valid(c);
  require_general(valid, descr).pointers(total);
  a.check(valid);
  const int lines = direction == CUSPARSE_DIRECTION_ROW ? a.rows : a.columns;
  valid.require(direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN);
  valid.require(lines == 0 || counts);
  if (!valid.hold()) return valid.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, a.size(), on_host, [=](memory_accesses& memory) {
    if (!a.report(memory) || !writes(memory, counts, lines) || (!on_host && !writes(memory, total, 1))) return;
    std::fill_n(counts, lines, 0);
    for (int row = 0; row < a.rows; ++row) {
      a.each(row, [&](int column, T value) {
        if (magnitude(value) != 0) ++counts[direction == CUSPARSE_DIRECTION_ROW ? row : column];
      });
    }
    *total = std::accumulate(counts, counts + lines, 0);
  });
}

template <class T>
cusparseStatus_t count_large(const call& c, int m, cusparseMatDescr_t descr, const T* values, const int* offsets,
                             int* counts, int* total, T tolerance) {
  checks valid(c);
  require_general(valid, descr).sizes(m).pointers(offsets, total).require(m == 0 || counts);
  valid.require(real_part(tolerance) >= 0 && imaginary_part(tolerance) == 0);
  if (!valid.hold()) return valid.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, int64_t{m} * 16, on_host, [=, base = int{descr->base}](memory_accesses& memory) {
    if (!reads(memory, offsets, m + 1) || !reads(memory, values, offsets[m] - base) || !writes(memory, counts, m) ||
        (!on_host && !writes(memory, total, 1))) {
      return;
    }
    for (int row = 0; row < m; ++row) {
      counts[row] =
          static_cast<int>(std::count_if(values + offsets[row] - base, values + offsets[row + 1] - base,
                                         [tolerance](T value) { return magnitude(value) > real_part(tolerance); }));
    }
    *total = std::accumulate(counts, counts + m, 0);
  });
}

// Writes the elements above a bound to their places in a result, row after row. The counts that made `offsets`
// limit each row, so a matrix that has changed since then writes nothing outside.
template <class Operand, class T>
void copy_large(const Operand& a, double bound, const int* offsets, int base, int* indices, T* values) {
  for (int row = 0; row < a.lines(); ++row) {
    int at = offsets[row] - base;
    const int end = offsets[row + 1] - base;
    a.each(row, [&](int column, T value) {
      if (at >= end || !(magnitude(value) > bound)) return;
      indices[at] = column + base, values[at] = value, ++at;
    });
  }
}

// The arrays of a CSR result.
template <class T>
struct csr_result {
  T* values;
  int *offsets, *indices;
};

template <class T>
cusparseStatus_t compress_rows(const call& c, int m, int n, cusparseMatDescr_t descr, int entries, const T* values,
                               const int* indices, const int* offsets, const int* counts, const csr_result<T>& result,
                               T tolerance) {
  checks valid(c);
  const csr_rows<T> a = csr_operand(valid, m, n, entries, descr, values, offsets, indices);
  valid.pointers(result.offsets).require(m == 0 || counts);
  valid.require(real_part(tolerance) >= 0 && imaginary_part(tolerance) == 0);
  if (!valid.hold()) return valid.status();
  return submit(c, int64_t{entries} + m, false, [=](memory_accesses& memory) {
    if (!a.report(memory) || !reads(memory, counts, m) || !writes(memory, result.offsets, m + 1)) return;
    const int base = static_cast<int>(a.descr.base);
    result.offsets[0] = base;
    for (int row = 0; row < m; ++row) result.offsets[row + 1] = result.offsets[row] + counts[row];
    const int kept = result.offsets[m] - base;
    if (!writes(memory, result.values, kept) || !writes(memory, result.indices, kept)) return;
    copy_large(a, real_part(tolerance), result.offsets, base, result.indices, result.values);
  });
}

// The limit of a prune function: elements that do not exceed it are left out. A percentage gives the limit that so many
// percent of the operand's elements do not exceed.
template <class T>
class limit {
 public:
  limit(const call& c, const T* threshold) : in_device_(threshold) {
    if (!c.has_host_pointers()) return;
    value_ = static_cast<double>(value_of(*threshold));
    in_device_ = nullptr;
  }
  explicit limit(float percentage) : percentage_(percentage) {}

  template <class Operand>
  double read(memory_accesses& memory, const Operand& a) const {
    if (in_device_) return memory.reads(bytes_at(in_device_, sizeof(T))) ? double{value_of(*in_device_)} : 0;
    if (percentage_ < 0) return value_;
    std::vector<double> sizes;
    sizes.reserve(static_cast<size_t>(a.size()));
    for (int row = 0; row < a.lines(); ++row) a.each(row, [&](int, T value) { sizes.push_back(magnitude(value)); });
    const auto count = static_cast<int64_t>(sizes.size());
    const auto place = static_cast<int64_t>(std::ceil(static_cast<double>(count) * (percentage_ / 100.0))) - 1;
    if (count == 0) return -1;
    // With 0 % the smallest element is the limit too, so the zeros go.
    const auto at = sizes.begin() + std::clamp<int64_t>(place, 0, count - 1);
    std::nth_element(sizes.begin(), at, sizes.end());
    return *at;
  }

 private:
  const T* in_device_ = nullptr;
  double value_ = 0;
  float percentage_ = -1;
};

template <class T, class Operand>
cusparseStatus_t count_kept(const call& c, const checks& valid, const Operand& a, const limit<T>& least,
                            cusparseMatDescr_t descr, int* offsets, int* total) {
  checks all = valid;
  require_general(all, descr).pointers(offsets, total);
  if (!all.hold()) return all.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, a.size(), on_host, [=, base = int{descr->base}](memory_accesses& memory) {
    if (!a.report(memory) || !writes(memory, offsets, a.lines() + 1) || (!on_host && !writes(memory, total, 1))) return;
    const double bound = least.read(memory, a);
    offsets[0] = base;
    for (int row = 0; row < a.lines(); ++row) {
      offsets[row + 1] = offsets[row];
      a.each(row, [&](int, T value) { offsets[row + 1] += magnitude(value) > bound ? 1 : 0; });
    }
    *total = offsets[a.lines()] - base;
  });
}

template <class T, class Operand>
cusparseStatus_t keep(const call& c, const checks& valid, const Operand& a, const limit<T>& least,
                      cusparseMatDescr_t descr, T* values, const int* offsets, int* indices) {
  checks all = valid;
  require_general(all, descr).pointers(offsets);
  if (!all.hold()) return all.status();
  return submit(c, a.size(), false, [=, base = int{descr->base}](memory_accesses& memory) {
    if (!a.report(memory) || !reads(memory, offsets, a.lines() + 1)) return;
    const int kept = offsets[a.lines()] - base;
    if (!writes(memory, values, kept) || !writes(memory, indices, kept)) return;
    copy_large(a, least.read(memory, a), offsets, base, indices, values);
  });
}

// Checks an operand and its threshold. Calls with a percentage, from 0 to 100, have none: `threshold` is then null.
template <class T>
checks check_dense(const call& c, const dense_columns<T>& a, const T* threshold, float percentage = -1) {
  checks valid(c);
  a.check(valid);
  return valid.require(threshold || (percentage >= 0 && percentage <= 100));
}
checks check_limit(const call& c, const void* threshold, float percentage = -1) {
  checks valid(c);
  return valid.require(threshold || (percentage >= 0 && percentage <= 100));
}

}  // namespace

}  // namespace cohort::cusparse

// A percentage is computed again by each call; nothing is kept for later calls.
struct pruneInfo {};

using namespace cohort::cusparse;

#define COHORT_COUNTS(X, T)                                                                                         \
  cusparseStatus_t cusparse##X##nnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,                 \
                                    const cusparseMatDescr_t descr, const T* a, int lda, int* counts, int* total) { \
    return count_dense<T>({handle, "cusparse" #X "nnz"}, dir, {m, n, a, lda}, descr, counts, total);                \
  }                                                                                                                 \
  cusparseStatus_t cusparse##X##nnz_compress(cusparseHandle_t handle, int m, const cusparseMatDescr_t descr,        \
                                             const T* values, const int* offsets, int* counts, int* total, T tol) { \
    return count_large({handle, "cusparse" #X "nnz_compress"}, m, descr, values, offsets, counts, total, tol);      \
  }                                                                                                                 \
  cusparseStatus_t cusparse##X##csr2csr_compress(                                                                   \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr, const T* values, const int* columns,   \
      const int* offsets, int nnz, const int* counts, T* values_c, int* columns_c, int* offsets_c, T tol) {         \
    return compress_rows<T>({handle, "cusparse" #X "csr2csr_compress"}, m, n, descr, nnz, values, columns, offsets, \
                            counts, {values_c, offsets_c, columns_c}, tol);                                         \
  }

// The functions with a threshold or with a percentage. The last arguments are the last parameters.
#define COHORT_PRUNE_DENSE_SIZE(X, T, name, Limit, check_of_limit, ...)                                         \
  cusparseStatus_t cusparse##X##name(cusparseHandle_t handle, int m, int n, const T* a, int lda, Limit by,      \
                                     const cusparseMatDescr_t, const T*, const int*, const int*, __VA_ARGS__) { \
    return nominal_size(check_dense<T>({handle, "cusparse" #X #name}, {m, n, a, lda}, check_of_limit), size);   \
  }
#define COHORT_PRUNE_DENSE(X, T, count, name, Limit, check_of_limit, limit_of_call, ...)                          \
  cusparseStatus_t cusparse##X##count(cusparseHandle_t handle, int m, int n, const T* a, int lda, Limit by,       \
                                      const cusparseMatDescr_t descr, int* offsets, int* total, __VA_ARGS__) {    \
    const call c{handle, "cusparse" #X #count};                                                                   \
    const dense_columns<T> of{m, n, a, lda};                                                                      \
    const checks valid = check_dense(c, of, check_of_limit);                                                      \
    if (!valid.hold()) return valid.status();                                                                     \
    return count_kept<T>(c, valid, of, limit_of_call, descr, offsets, total);                                     \
  }                                                                                                               \
  cusparseStatus_t cusparse##X##name(cusparseHandle_t handle, int m, int n, const T* a, int lda, Limit by,        \
                                     const cusparseMatDescr_t descr, T* values, const int* offsets, int* columns, \
                                     __VA_ARGS__) {                                                               \
    const call c{handle, "cusparse" #X #name};                                                                    \
    const dense_columns<T> of{m, n, a, lda};                                                                      \
    const checks valid = check_dense(c, of, check_of_limit);                                                      \
    if (!valid.hold()) return valid.status();                                                                     \
    return keep<T>(c, valid, of, limit_of_call, descr, values, offsets, columns);                                 \
  }
#define COHORT_PRUNE_ROWS_SIZE(X, T, name, Limit, check_of_limit, ...)                                                 \
  cusparseStatus_t cusparse##X##name(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr_a, \
                                     const T* values_a, const int* offsets_a, const int* columns_a, Limit by,          \
                                     const cusparseMatDescr_t, const T*, const int*, const int*, __VA_ARGS__) {        \
    checks valid = check_limit({handle, "cusparse" #X #name}, check_of_limit);                                         \
    csr_operand(valid, m, n, nnz, descr_a, values_a, offsets_a, columns_a);                                            \
    return nominal_size(valid, size);                                                                                  \
  }
#define COHORT_PRUNE_ROWS(X, T, count, name, Limit, check_of_limit, limit_of_call, ...)                                \
  cusparseStatus_t cusparse##X##count(cusparseHandle_t handle, int m, int n, int nnz,                                  \
                                      const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,       \
                                      const int* columns_a, Limit by, const cusparseMatDescr_t descr, int* offsets,    \
                                      int* total, __VA_ARGS__) {                                                       \
    const call c{handle, "cusparse" #X #count};                                                                        \
    checks valid = check_limit(c, check_of_limit);                                                                     \
    const csr_rows<T> of = csr_operand(valid, m, n, nnz, descr_a, values_a, offsets_a, columns_a);                     \
    if (!valid.hold()) return valid.status();                                                                          \
    return count_kept<T>(c, valid, of, limit_of_call, descr, offsets, total);                                          \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##name(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr_a, \
                                     const T* values_a, const int* offsets_a, const int* columns_a, Limit by,          \
                                     const cusparseMatDescr_t descr, T* values, const int* offsets, int* columns,      \
                                     __VA_ARGS__) {                                                                    \
    const call c{handle, "cusparse" #X #name};                                                                         \
    checks valid = check_limit(c, check_of_limit);                                                                     \
    const csr_rows<T> of = csr_operand(valid, m, n, nnz, descr_a, values_a, offsets_a, columns_a);                     \
    if (!valid.hold()) return valid.status();                                                                          \
    return keep<T>(c, valid, of, limit_of_call, descr, values, offsets, columns);                                      \
  }
#define COHORT_NO_THRESHOLD(T) static_cast<const T*>(nullptr), by
#define COHORT_PRUNES(X, T)                                                                                           \
  COHORT_PRUNE_DENSE_SIZE(X, T, pruneDense2csr_bufferSizeExt, const T*, by, size_t* size)                             \
  COHORT_PRUNE_DENSE(X, T, pruneDense2csrNnz, pruneDense2csr, const T*, by, limit<T>(c, by), void*)                   \
  COHORT_PRUNE_DENSE_SIZE(X, T, pruneDense2csrByPercentage_bufferSizeExt, float, COHORT_NO_THRESHOLD(T), pruneInfo_t, \
                          size_t* size)                                                                               \
  COHORT_PRUNE_DENSE(X, T, pruneDense2csrNnzByPercentage, pruneDense2csrByPercentage, float, COHORT_NO_THRESHOLD(T),  \
                     limit<T>(by), pruneInfo_t, void*)                                                                \
  COHORT_PRUNE_ROWS_SIZE(X, T, pruneCsr2csr_bufferSizeExt, const T*, by, size_t* size)                                \
  COHORT_PRUNE_ROWS(X, T, pruneCsr2csrNnz, pruneCsr2csr, const T*, by, limit<T>(c, by), void*)                        \
  COHORT_PRUNE_ROWS_SIZE(X, T, pruneCsr2csrByPercentage_bufferSizeExt, float, COHORT_NO_THRESHOLD(T), pruneInfo_t,    \
                         size_t* size)                                                                                \
  COHORT_PRUNE_ROWS(X, T, pruneCsr2csrNnzByPercentage, pruneCsr2csrByPercentage, float, COHORT_NO_THRESHOLD(T),       \
                    limit<T>(by), pruneInfo_t, void*)

extern "C" {

cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info) { return destroy(info); }

COHORT_COUNTS(S, float)
COHORT_COUNTS(D, double)
COHORT_COUNTS(C, cuComplex)
COHORT_COUNTS(Z, cuDoubleComplex)

COHORT_PRUNES(H, __half)
COHORT_PRUNES(S, float)
COHORT_PRUNES(D, double)

}  // extern "C"
