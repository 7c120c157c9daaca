// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors without fill-in of a matrix in CSR: csrilu02, csric02. Columns of a row are sorted, as the guide
// demands. Rows are computed in their order by one thread.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

// The first row without a pivot, which the program reads after the factorization; -1: none. Written in a stream.
struct pivots {
  int64_t structural = -1, numerical = -1;

  void note_numerical(int64_t row) {
    if (numerical < 0) numerical = row;
  }
  int64_t first() const { return structural >= 0 ? structural : numerical; }
};

// Settings and result of a factorization, which its descriptor holds.
struct factorization {
  std::shared_ptr<pivots> zeros = std::make_shared<pivots>();
  bool boosts = false;  // small pivots are replaced by a number of the program
  double tolerance = 0;
  any_number boost;
};

checks check_matrix(const call& c, int m, int entries, cusparseMatDescr_t descr, const void* values, const int* offsets,
                    const int* columns, const factorization* info) {
  checks valid(c);
  valid.sizes(m, entries).pointers(descr, info, offsets).require(entries == 0 || (values && columns));
  return valid.require(!valid.hold() || descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                       CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

// Rows of a CSR matrix with sorted columns.
template <class Number>
class factor_rows {
 public:
  factor_rows(int rows, const int* offsets, const int* columns, Number* values, int base)
      : rows_(rows), offsets_(offsets), columns_(columns), values_(values), base_(base) {}

  int64_t rows() const { return rows_; }
  int64_t begin(int64_t row) const { return offsets_[row] - base_; }
  int64_t end(int64_t row) const { return offsets_[row + 1] - base_; }
  int64_t column(int64_t entry) const { return columns_[entry] - base_; }
  Number& operator[](int64_t entry) const { return values_[entry]; }
  // The row's entry in column `wanted`; end() if there is none.
  int64_t find(int64_t row, int64_t wanted) const {
    const int* const first = columns_ + begin(row);
    const int* const last = columns_ + end(row);
    const int* const found = std::lower_bound(first, last, wanted + base_);
    return found != last && *found == wanted + base_ ? found - columns_ : end(row);
  }

 private:
  int64_t rows_;
  const int* offsets_;
  const int* columns_;
  Number* values_;
  int64_t base_;
};

// L and U in the places of A, with ones on the diagonal of L.
template <class Number>
void factor_lu(const factor_rows<Number>& a, const factorization& settings, pivots& zeros) {
  for (int64_t row = 0; row < a.rows(); ++row) {
    for (int64_t k = a.begin(row); k < a.end(row) && a.column(k) < row; ++k) {
      const int64_t upper = a.column(k), pivot = a.find(upper, upper);
      if (pivot == a.end(upper)) continue;
      a[k] /= a[pivot];
      int64_t mine = k + 1;
      for (int64_t theirs = pivot + 1; theirs < a.end(upper); ++theirs) {
        while (mine < a.end(row) && a.column(mine) < a.column(theirs)) ++mine;
        if (mine < a.end(row) && a.column(mine) == a.column(theirs)) a[mine] -= times(a[k], a[theirs]);
      }
    }
    const int64_t diagonal = a.find(row, row);
    if (diagonal == a.end(row)) continue;
    if (settings.boosts && std::abs(a[diagonal]) <= settings.tolerance) a[diagonal] = number_of<Number>(settings.boost);
    if (a[diagonal] == Number()) zeros.note_numerical(row);
  }
}

// L in the places of A's lower triangle: A = L * L^H.
template <class Number>
void factor_cholesky(const factor_rows<Number>& a, const factorization&, pivots& zeros) {
  for (int64_t row = 0; row < a.rows(); ++row) {
    for (int64_t k = a.begin(row); k < a.end(row) && a.column(k) <= row; ++k) {
      const int64_t other = a.column(k);
      Number sum = a[k];
      int64_t theirs = a.begin(other);
      for (int64_t mine = a.begin(row); mine < k; ++mine) {
        while (theirs < a.end(other) && a.column(theirs) < a.column(mine)) ++theirs;
        if (theirs < a.end(other) && a.column(theirs) == a.column(mine)) sum -= times(a[mine], conjugate(a[theirs]));
      }
      if (other < row) {
        const int64_t pivot = a.find(other, other);
        a[k] = pivot == a.end(other) ? sum : sum / a[pivot];
      } else {
        if (!(std::real(sum) > 0)) zeros.note_numerical(row);
        a[k] = std::sqrt(std::real(sum));
      }
    }
  }
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

cusparseStatus_t find_size(const checks& valid, int* size) {
  if (!valid.hold()) return valid.status();
  if (!size) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = nominal_buffer;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

}  // namespace cohort::cusparse

struct csrilu02Info : cohort::cusparse::factorization {};
struct csric02Info : cohort::cusparse::factorization {};

using namespace cohort::cusparse;

namespace {

template <class T>
cusparseStatus_t set_boost(cusparseHandle_t handle, const char* name, csrilu02Info_t info, int enable,
                           const double* tol, const T* value) {
  const call c{handle, name};
  checks valid(c);
  valid.pointers(info).require(!enable || (tol && value));
  if (!valid.hold()) return valid.status();
  info->boosts = enable != 0;
  if (!enable) return CUSPARSE_STATUS_SUCCESS;
  // The factors are read at this call, from device memory after the work of the stream.
  if (!c.has_host_pointers() && cudaStreamSynchronize(handle->stream) != cudaSuccess) {
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
  info->tolerance = *tol;
  std::memcpy(info->boost.bytes, value, sizeof *value);
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

#define COHORT_FACTORIZATION(X, T, stem, Info, run)                                                                   \
  cusparseStatus_t cusparse##X##stem##_bufferSize(cusparseHandle_t handle, int m, int nnz,                            \
                                                  const cusparseMatDescr_t descr, T* values, const int* offsets,      \
                                                  const int* columns, Info info, int* size) {                         \
    return find_size(                                                                                                 \
        check_matrix({handle, "cusparse" #X #stem "_bufferSize"}, m, nnz, descr, values, offsets, columns, info),     \
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
