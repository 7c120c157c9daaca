// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors of a BSR matrix: bsrilu02, bsric02. Without fill-in between blocks, the factors of blocks are
// those of their elements: the rows of elements are factored, and go back to their places in the blocks.
#include <cusparse.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "libraries/cusparse/blocks.hpp"
#include "libraries/cusparse/incomplete_factors.hpp"

namespace cohort::cusparse {

namespace {

checks check_factors(const call& c, const block_matrix& a, const factorization* info) {
  checks valid(c);
  a.check(valid);
  return valid.pointers(info);
}

// Notes the first row of blocks that has no block on the diagonal.
cusparseStatus_t analyze(const call& c, const block_matrix& a, factorization* info) {
  const checks valid = check_factors(c, a, info);
  if (!valid.hold()) return valid.status();
  return submit(c, a.blocks, false, [a, base = int{a.descr->base}, zeros = info->zeros](memory_accesses& memory) {
    if (!reads(memory, a.offsets, a.rows + 1) || !reads(memory, a.indices, a.blocks)) return;
    *zeros = pivots();
    for (int row = 0; row < a.rows && zeros->structural < 0; ++row) {
      bool has_pivot = false;
      for (int block = a.offsets[row] - base; block < a.offsets[row + 1] - base; ++block)
        has_pivot = has_pivot || a.indices[block] - base == row;
      if (!has_pivot) zeros->structural = row + base;
    }
  });
}

template <class T, class Compute>
cusparseStatus_t compute(const call& c, const block_matrix& a, factorization* info, Compute run) {
  using number = number_for<T>;
  const checks valid = check_factors(c, a, info);
  if (!valid.hold()) return valid.status();
  const sparse_matrix matrix = a.as(data_type_of<T>);
  return submit(c, matrix.entries * 8, false, [=, settings = *info](memory_accesses& memory) {
    if (!report(memory, matrix, access::writes)) return;
    const compressed rows = compress(matrix, true);
    const std::vector<int> offsets(rows.own_offsets.begin(), rows.own_offsets.end());
    const std::vector<int> columns(rows.own_indices.begin(), rows.own_indices.end());
    auto* const values = static_cast<number*>(rows.values.at);
    settings.zeros->numerical = -1;
    run(factor_rows<number>(static_cast<int>(rows.rows), offsets.data(), columns.data(), values, 0), settings,
        *settings.zeros);
    int64_t& zero = settings.zeros->numerical;
    if (zero >= 0) zero = zero / matrix.block_rows + matrix.base;
    for (int64_t k = 0; k < rows.entries; ++k) static_cast<number*>(matrix.values.at)[rows.place_of(k)] = values[k];
  });
}

}  // namespace

}  // namespace cohort::cusparse

struct bsrilu02Info : cohort::cusparse::factorization {};
struct bsric02Info : cohort::cusparse::factorization {};

using namespace cohort::cusparse;

#define COHORT_BLOCK_FACTORS(X, T, stem, Info, AnalyzedT, run)                                                         \
  cusparseStatus_t cusparse##X##stem##_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,  \
                                                  const cusparseMatDescr_t descr, T* values, const int* offsets,       \
                                                  const int* columns, int block_dim, Info info, int* size) {           \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim};                               \
    return find_size(check_factors({handle, "cusparse" #X #stem "_bufferSize"}, a, info), size);                       \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##stem##_bufferSizeExt(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr, T* values,   \
      const int* offsets, const int* columns, int block_size, Info info, size_t* size) {                               \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    return nominal_size(check_factors({handle, "cusparse" #X #stem "_bufferSizeExt"}, a, info), size);                 \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##stem##_analysis(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,    \
                                                const cusparseMatDescr_t descr, AnalyzedT* values, const int* offsets, \
                                                const int* columns, int block_dim, Info info, cusparseSolvePolicy_t,   \
                                                void*) {                                                               \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim};                               \
    return analyze({handle, "cusparse" #X #stem "_analysis"}, a, info);                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##stem(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,               \
                                     const cusparseMatDescr_t descr, T* values, const int* offsets,                    \
                                     const int* columns, int block_dim, Info info, cusparseSolvePolicy_t, void*) {     \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim};                               \
    return compute<T>({handle, "cusparse" #X #stem}, a, info, run<number_for<T>>);                                     \
  }
#define COHORT_BOTH_BLOCK_FACTORS(X, T)                                                                         \
  COHORT_BLOCK_FACTORS(X, T, bsrilu02, bsrilu02Info_t, T, factor_lu)                                            \
  COHORT_BLOCK_FACTORS(X, T, bsric02, bsric02Info_t, const T, factor_cholesky)                                  \
  cusparseStatus_t cusparse##X##bsrilu02_numericBoost(cusparseHandle_t handle, bsrilu02Info_t info, int enable, \
                                                      double* tol, T* value) {                                  \
    return set_boost(handle, "cusparse" #X "bsrilu02_numericBoost", info, enable, tol, value);                  \
  }

extern "C" {

cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle, bsrilu02Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXbsrilu02_zeroPivot"}, info, position);
}
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXbsric02_zeroPivot"}, info, position);
}

COHORT_BOTH_BLOCK_FACTORS(S, float)
COHORT_BOTH_BLOCK_FACTORS(D, double)
COHORT_BOTH_BLOCK_FACTORS(C, cuComplex)
COHORT_BOTH_BLOCK_FACTORS(Z, cuDoubleComplex)

}  // extern "C"
