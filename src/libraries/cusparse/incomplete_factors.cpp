// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors without fill-in of a matrix in CSR: csrilu02, csric02. Columns of a row are sorted, as the guide
// demands. Rows are computed in their order by one thread.
#include "libraries/cusparse/incomplete_factors.hpp"

#include <cusparse.h>

#include <cstdint>
#include <memory>

namespace cohort::cusparse {

namespace {

checks check_matrix(const call& c, int m, int entries, cusparseMatDescr_t descr, const void* values, const int* offsets,
                    const int* columns, const factorization* info) {
  checks valid(c);
  valid.sizes(m, entries).pointers(descr, info, offsets).require(entries == 0 || (values && columns));
  return require_general(valid, descr);
}

cusparseStatus_t analyze(const call& c, int m, int entries, cusparseMatDescr_t descr, const void* values,
                         const int* offsets, const int* columns, factorization* info) {
  const checks valid = check_matrix(c, m, entries, descr, values, offsets, columns, info);
  if (!valid.hold()) return valid.status();
  return submit(c, entries, false, [=, base = int{descr->base}, zeros = info->zeros](memory_accesses& memory) {
    if (!reads(memory, offsets, m + 1) || !reads(memory, columns, entries)) return;
    *zeros = pivots();
    const factor_rows<const float> rows(m, offsets, columns, nullptr, base);
    for (int64_t row = 0; row < m && zeros->structural < 0; ++row) {
      if (rows.find(row, row) == rows.end(row)) zeros->structural = row;
    }
    if (zeros->structural >= 0) zeros->structural += base;
  });
}

template <class T, class Compute>
cusparseStatus_t compute(const call& c, int m, int entries, cusparseMatDescr_t descr, T* values, const int* offsets,
                         const int* columns, factorization* info, Compute run) {
  const checks valid = check_matrix(c, m, entries, descr, values, offsets, columns, info);
  if (!valid.hold()) return valid.status();
  return submit(
      c, int64_t{entries} * 8, false, [=, base = int{descr->base}, settings = *info](memory_accesses& memory) {
        if (!reads(memory, offsets, m + 1) || !reads(memory, columns, entries) || !writes(memory, values, entries)) {
          return;
        }
        settings.zeros->numerical = -1;
        run(factor_rows<number_for<T>>(m, offsets, columns, reinterpret_cast<number_for<T>*>(values), base), settings,
            *settings.zeros);
        if (settings.zeros->numerical >= 0) settings.zeros->numerical += base;
      });
}

}  // namespace

// Waits for the work of the stream, and returns the first row without a pivot.
cusparseStatus_t find_zero_pivot(const call& c, const factorization* info, int* position) {
  checks valid(c);
  valid.pointers(info, position);
  if (!valid.hold()) return valid.status();
  int64_t found = -1;
  const cusparseStatus_t status = submit(
      c, 1, true, [=, zeros = info->zeros, to = &found, in_device = !c.has_host_pointers()](memory_accesses& memory) {
        if (in_device && !writes(memory, position, 1)) return;
        *to = zeros->first();
        *position = static_cast<int>(*to);
      });
  return status != CUSPARSE_STATUS_SUCCESS ? status : found >= 0 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS;
}

}  // namespace cohort::cusparse

struct csrilu02Info : cohort::cusparse::factorization {};
struct csric02Info : cohort::cusparse::factorization {};

using namespace cohort::cusparse;

#define COHORT_FACTORIZATION(X, T, stem, Info, run)                                                                   \
  cusparseStatus_t cusparse##X##stem##_bufferSize(cusparseHandle_t handle, int m, int nnz,                            \
                                                  const cusparseMatDescr_t descr, T* values, const int* offsets,      \
                                                  const int* columns, Info info, int* size) {                         \
    return find_size(                                                                                                 \
        check_matrix({handle, "cusparse" #X #stem "_bufferSize"}, m, nnz, descr, values, offsets, columns, info),     \
        size);                                                                                                        \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##stem##_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                         \
                                                     const cusparseMatDescr_t descr, T* values, const int* offsets,   \
                                                     const int* columns, Info info, size_t* size) {                   \
    return nominal_size(                                                                                              \
        check_matrix({handle, "cusparse" #X #stem "_bufferSizeExt"}, m, nnz, descr, values, offsets, columns, info),  \
        size);                                                                                                        \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##stem##_analysis(cusparseHandle_t handle, int m, int nnz,                              \
                                                const cusparseMatDescr_t descr, const T* values, const int* offsets,  \
                                                const int* columns, Info info, cusparseSolvePolicy_t, void*) {        \
    return analyze({handle, "cusparse" #X #stem "_analysis"}, m, nnz, descr, values, offsets, columns, info);         \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##stem(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,         \
                                     T* values, const int* offsets, const int* columns, Info info,                    \
                                     cusparseSolvePolicy_t, void*) {                                                  \
    return compute({handle, "cusparse" #X #stem}, m, nnz, descr, values, offsets, columns, info, run<number_for<T>>); \
  }
#define COHORT_FACTORIZATIONS(X, T)                                                                             \
  COHORT_FACTORIZATION(X, T, csrilu02, csrilu02Info_t, factor_lu)                                               \
  COHORT_FACTORIZATION(X, T, csric02, csric02Info_t, factor_cholesky)                                           \
  cusparseStatus_t cusparse##X##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int enable, \
                                                      double* tol, T* value) {                                  \
    return set_boost(handle, "cusparse" #X "csrilu02_numericBoost", info, enable, tol, value);                  \
  }

extern "C" {

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXcsrilu02_zeroPivot"}, info, position);
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXcsric02_zeroPivot"}, info, position);
}

COHORT_FACTORIZATIONS(S, float)
COHORT_FACTORIZATIONS(D, double)
COHORT_FACTORIZATIONS(C, cuComplex)
COHORT_FACTORIZATIONS(Z, cuDoubleComplex)

}  // extern "C"
