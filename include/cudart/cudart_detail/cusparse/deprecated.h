/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Functions of cuSPARSE that NVIDIA marks as deprecated or legacy. Included by cusparse.h, which declares the types. */
#pragma once

typedef struct bsrsv2Info* bsrsv2Info_t;
typedef struct bsrsm2Info* bsrsm2Info_t;
typedef struct bsrilu02Info* bsrilu02Info_t;
typedef struct bsric02Info* bsric02Info_t;
typedef struct csru2csrInfo* csru2csrInfo_t;
typedef struct cusparseColorInfo* cusparseColorInfo_t;
typedef struct pruneInfo* pruneInfo_t;

cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t* info);
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t* info);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t* info);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t* info);
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t* info);
cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t* info);
cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t* info);
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info);
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info);
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info);
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info);
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info, int* position);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle, bsrilu02Info_t info, int* position);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info, int* position);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info, int* position);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                                     const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                     int block_dim, const cusparseMatDescr_t descr_c, int* offsets_c, int* total);
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                                       const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                       const cusparseMatDescr_t descr_c, int* offsets_c, int row_block_dim,
                                       int col_block_dim, int* total, void* buffer);
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb,
                                    const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                    int row_block_dim, int col_block_dim, const cusparseMatDescr_t descr_c,
                                    int* offsets_c, int* columns_c);
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb,
                                         const cusparseMatDescr_t descr_a, const int* offsets_a, const int* columns_a,
                                         int row_block_dim_a, int col_block_dim_a, const cusparseMatDescr_t descr_c,
                                         int* offsets_c, int row_block_dim_c, int col_block_dim_c, int* total,
                                         void* buffer);

/* Of each type. */
#define COHORT_CUSPARSE_DEPRECATED(X, T, Real)                                                                         \
  cusparseStatus_t cusparse##X##bsr2csr(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb,              \
                                        const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,     \
                                        const int* columns_a, int block_dim, const cusparseMatDescr_t descr_c,         \
                                        T* values_c, int* offsets_c, int* columns_c);                                  \
  cusparseStatus_t cusparse##X##bsric02(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,            \
                                        const cusparseMatDescr_t descr_a, T* values, const int* offsets,               \
                                        const int* columns, int block_dim, bsric02Info_t info,                         \
                                        cusparseSolvePolicy_t policy, void* buffer);                                   \
  cusparseStatus_t cusparse##X##bsric02_analysis(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,   \
                                                 const cusparseMatDescr_t descr_a, const T* values,                    \
                                                 const int* offsets, const int* columns, int block_dim,                \
                                                 bsric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);      \
  cusparseStatus_t cusparse##X##bsric02_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, \
                                                   const cusparseMatDescr_t descr_a, T* values, const int* offsets,    \
                                                   const int* columns, int block_dim, bsric02Info_t info, int* size);  \
  cusparseStatus_t cusparse##X##bsric02_bufferSizeExt(                                                                 \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr_a, T* values, \
      const int* offsets, const int* columns, int block_size, bsric02Info_t info, size_t* size);                       \
  cusparseStatus_t cusparse##X##bsrilu02(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,           \
                                         const cusparseMatDescr_t descr_a, T* values, const int* offsets,              \
                                         const int* columns, int block_dim, bsrilu02Info_t info,                       \
                                         cusparseSolvePolicy_t policy, void* buffer);                                  \
  cusparseStatus_t cusparse##X##bsrilu02_analysis(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,  \
                                                  const cusparseMatDescr_t descr_a, T* values, const int* offsets,     \
                                                  const int* columns, int block_dim, bsrilu02Info_t info,              \
                                                  cusparseSolvePolicy_t policy, void* buffer);                         \
  cusparseStatus_t cusparse##X##bsrilu02_bufferSize(                                                                   \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr_a, T* values, \
      const int* offsets, const int* columns, int block_dim, bsrilu02Info_t info, int* size);                          \
  cusparseStatus_t cusparse##X##bsrilu02_bufferSizeExt(                                                                \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr_a, T* values, \
      const int* offsets, const int* columns, int block_size, bsrilu02Info_t info, size_t* size);                      \
  cusparseStatus_t cusparse##X##bsrilu02_numericBoost(cusparseHandle_t handle, bsrilu02Info_t info, int enable_boost,  \
                                                      double* tol, T* value);                                          \
  cusparseStatus_t cusparse##X##bsrmm(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a,      \
                                      cusparseOperation_t op_b, int mb, int n, int kb, int nnzb, const T* alpha,       \
                                      const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,       \
                                      const int* columns_a, const int block_size, const T* b, const int ldb,           \
                                      const T* beta, T* c, int ldc);                                                   \
  cusparseStatus_t cusparse##X##bsrmv(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a,      \
                                      int mb, int nb, int nnzb, const T* alpha, const cusparseMatDescr_t descr_a,      \
                                      const T* values_a, const int* offsets_a, const int* columns_a, int block_dim,    \
                                      const T* x, const T* beta, T* y);                                                \
  cusparseStatus_t cusparse##X##bsrsm2_analysis(                                                                       \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, cusparseOperation_t op_x, int mb,    \
      int n, int nnzb, const cusparseMatDescr_t descr_a, const T* values, const int* offsets, const int* columns,      \
      int block_size, bsrsm2Info_t info, cusparseSolvePolicy_t policy, void* buffer);                                  \
  cusparseStatus_t cusparse##X##bsrsm2_bufferSize(                                                                     \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, cusparseOperation_t op_x, int mb,    \
      int n, int nnzb, const cusparseMatDescr_t descr_a, T* values, const int* offsets, const int* columns,            \
      int block_size, bsrsm2Info_t info, int* size);                                                                   \
  cusparseStatus_t cusparse##X##bsrsm2_bufferSizeExt(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, cusparseOperation_t op_b, int mb,    \
      int n, int nnzb, const cusparseMatDescr_t descr_a, T* values, const int* offsets, const int* columns,            \
      int block_size, bsrsm2Info_t info, size_t* size);                                                                \
  cusparseStatus_t cusparse##X##bsrsm2_solve(                                                                          \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, cusparseOperation_t op_x, int mb,    \
      int n, int nnzb, const T* alpha, const cusparseMatDescr_t descr_a, const T* values, const int* offsets,          \
      const int* columns, int block_size, bsrsm2Info_t info, const T* b, int ldb, T* x, int ldx,                       \
      cusparseSolvePolicy_t policy, void* buffer);                                                                     \
  cusparseStatus_t cusparse##X##bsrsv2_analysis(                                                                       \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, int mb, int nnzb,                    \
      const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a, const int* columns_a, int block_dim,  \
      bsrsv2Info_t info, cusparseSolvePolicy_t policy, void* buffer);                                                  \
  cusparseStatus_t cusparse##X##bsrsv2_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir,                    \
                                                  cusparseOperation_t op_a, int mb, int nnzb,                          \
                                                  const cusparseMatDescr_t descr_a, T* values_a, const int* offsets_a, \
                                                  const int* columns_a, int block_dim, bsrsv2Info_t info, int* size);  \
  cusparseStatus_t cusparse##X##bsrsv2_bufferSizeExt(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, int mb, int nnzb,                    \
      const cusparseMatDescr_t descr_a, T* values_a, const int* offsets_a, const int* columns_a, int block_size,       \
      bsrsv2Info_t info, size_t* size);                                                                                \
  cusparseStatus_t cusparse##X##bsrsv2_solve(                                                                          \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, int mb, int nnzb, const T* alpha,    \
      const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a, const int* columns_a, int block_dim,  \
      bsrsv2Info_t info, const T* f, T* x, cusparseSolvePolicy_t policy, void* buffer);                                \
  cusparseStatus_t cusparse##X##bsrxmv(                                                                                \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, int mask_size, int mb, int nb,       \
      int nnzb, const T* alpha, const cusparseMatDescr_t descr_a, const T* values_a, const int* mask,                  \
      const int* offsets_a, const int* ends, const int* columns_a, int block_dim, const T* x, const T* beta, T* y);    \
  cusparseStatus_t cusparse##X##csr2bsr(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,                \
                                        const cusparseMatDescr_t descr_a, const T* values_a, const int* offsets_a,     \
                                        const int* columns_a, int block_dim, const cusparseMatDescr_t descr_c,         \
                                        T* values_c, int* offsets_c, int* columns_c);                                  \
  cusparseStatus_t cusparse##X##csr2csr_compress(                                                                      \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr_a, const T* values_a,                      \
      const int* columns_a, const int* offsets_a, int nnz_a, const int* counts, T* values_c, int* columns_c,           \
      int* offsets_c, T tol);                                                                                          \
  cusparseStatus_t cusparse##X##csr2csru(cusparseHandle_t handle, int m, int n, int nnz,                               \
                                         const cusparseMatDescr_t descr_a, T* values, const int* offsets,              \
                                         int* columns, csru2csrInfo_t info, void* buffer);                             \
  cusparseStatus_t cusparse##X##csr2gebsr(                                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, const cusparseMatDescr_t descr_a,                \
      const T* values_a, const int* offsets_a, const int* columns_a, const cusparseMatDescr_t descr_c, T* values_c,    \
      int* offsets_c, int* columns_c, int row_block_dim, int col_block_dim, void* buffer);                             \
  cusparseStatus_t cusparse##X##csr2gebsr_bufferSize(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, const cusparseMatDescr_t descr_a,                \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim, int col_block_dim, int* size); \
  cusparseStatus_t cusparse##X##csr2gebsr_bufferSizeExt(cusparseHandle_t handle, cusparseDirection_t dir, int m,       \
                                                        int n, const cusparseMatDescr_t descr_a, const T* values_a,    \
                                                        const int* offsets_a, const int* columns_a, int row_block_dim, \
                                                        int col_block_dim, size_t* size);                              \
  cusparseStatus_t cusparse##X##csrcolor(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr_a,    \
                                         const T* values_a, const int* offsets_a, const int* columns_a,                \
                                         const Real* fraction, int* ncolors, int* coloring, int* reordering,           \
                                         const cusparseColorInfo_t info);                                              \
  cusparseStatus_t cusparse##X##csric02_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                         \
                                                      const cusparseMatDescr_t descr_a, T* values, const int* offsets, \
                                                      const int* columns, csric02Info_t info, size_t* size);           \
  cusparseStatus_t cusparse##X##csrilu02_bufferSizeExt(                                                                \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr_a, T* values, const int* offsets,        \
      const int* columns, csrilu02Info_t info, size_t* size);                                                          \
  cusparseStatus_t cusparse##X##csru2csr(cusparseHandle_t handle, int m, int n, int nnz,                               \
                                         const cusparseMatDescr_t descr_a, T* values, const int* offsets,              \
                                         int* columns, csru2csrInfo_t info, void* buffer);                             \
  cusparseStatus_t cusparse##X##csru2csr_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, T* values,      \
                                                       const int* offsets, int* columns, csru2csrInfo_t info,          \
                                                       size_t* size);                                                  \
  cusparseStatus_t cusparse##X##gebsr2csr(                                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, const cusparseMatDescr_t descr_a,              \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim, int col_block_dim,             \
      const cusparseMatDescr_t descr_c, T* values_c, int* offsets_c, int* columns_c);                                  \
  cusparseStatus_t cusparse##X##gebsr2gebsc(cusparseHandle_t handle, int mb, int nb, int nnzb, const T* values,        \
                                            const int* offsets, const int* columns, int row_block_dim,                 \
                                            int col_block_dim, T* values_c, int* rows, int* offsets_c,                 \
                                            cusparseAction_t copy_values, cusparseIndexBase_t base, void* buffer);     \
  cusparseStatus_t cusparse##X##gebsr2gebsc_bufferSize(cusparseHandle_t handle, int mb, int nb, int nnzb,              \
                                                       const T* values, const int* offsets, const int* columns,        \
                                                       int row_block_dim, int col_block_dim, int* size);               \
  cusparseStatus_t cusparse##X##gebsr2gebsc_bufferSizeExt(cusparseHandle_t handle, int mb, int nb, int nnzb,           \
                                                          const T* values, const int* offsets, const int* columns,     \
                                                          int row_block_dim, int col_block_dim, size_t* size);         \
  cusparseStatus_t cusparse##X##gebsr2gebsr(                                                                           \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim_a, int col_block_dim_a,         \
      const cusparseMatDescr_t descr_c, T* values_c, int* offsets_c, int* columns_c, int row_block_dim_c,              \
      int col_block_dim_c, void* buffer);                                                                              \
  cusparseStatus_t cusparse##X##gebsr2gebsr_bufferSize(                                                                \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim_a, int col_block_dim_a,         \
      int row_block_dim_c, int col_block_dim_c, int* size);                                                            \
  cusparseStatus_t cusparse##X##gebsr2gebsr_bufferSizeExt(                                                             \
      cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr_a,    \
      const T* values_a, const int* offsets_a, const int* columns_a, int row_block_dim_a, int col_block_dim_a,         \
      int row_block_dim_c, int col_block_dim_c, size_t* size);                                                         \
  cusparseStatus_t cusparse##X##gemvi(cusparseHandle_t handle, cusparseOperation_t op_a, int m, int n, const T* alpha, \
                                      const T* a, int lda, int nnz, const T* x, const int* indices, const T* beta,     \
                                      T* y, cusparseIndexBase_t base, void* buffer);                                   \
  cusparseStatus_t cusparse##X##gemvi_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, int m, int n,      \
                                                 int nnz, int* size);                                                  \
  cusparseStatus_t cusparse##X##nnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,                    \
                                    const cusparseMatDescr_t descr_a, const T* a, int lda, int* counts, int* total);   \
  cusparseStatus_t cusparse##X##nnz_compress(cusparseHandle_t handle, int m, const cusparseMatDescr_t descr,           \
                                             const T* values_a, const int* offsets_a, int* counts, int* nnz_c, T tol);
COHORT_CUSPARSE_DEPRECATED(S, float, float)
COHORT_CUSPARSE_DEPRECATED(D, double, double)
COHORT_CUSPARSE_DEPRECATED(C, cuComplex, float)
COHORT_CUSPARSE_DEPRECATED(Z, cuDoubleComplex, double)
#undef COHORT_CUSPARSE_DEPRECATED

/* Sparse matrices of the elements above a threshold; C has no half precision. */
#define COHORT_CUSPARSE_PRUNES(X, T)                                                                                  \
  cusparseStatus_t cusparse##X##pruneCsr2csr(                                                                         \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, const T* threshold, const cusparseMatDescr_t descr_c, T* values_c,  \
      const int* offsets_c, int* columns_c, void* buffer);                                                            \
  cusparseStatus_t cusparse##X##pruneCsr2csrByPercentage(                                                             \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, float percentage, const cusparseMatDescr_t descr_c, T* values_c,    \
      const int* offsets_c, int* columns_c, pruneInfo_t info, void* buffer);                                          \
  cusparseStatus_t cusparse##X##pruneCsr2csrByPercentage_bufferSizeExt(                                               \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, float percentage, const cusparseMatDescr_t descr_c,                 \
      const T* values_c, const int* offsets_c, const int* columns_c, pruneInfo_t info, size_t* size);                 \
  cusparseStatus_t cusparse##X##pruneCsr2csrNnz(                                                                      \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, const T* threshold, const cusparseMatDescr_t descr_c,               \
      int* offsets_c, int* total, void* buffer);                                                                      \
  cusparseStatus_t cusparse##X##pruneCsr2csrNnzByPercentage(                                                          \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, float percentage, const cusparseMatDescr_t descr_c, int* offsets_c, \
      int* total, pruneInfo_t info, void* buffer);                                                                    \
  cusparseStatus_t cusparse##X##pruneCsr2csr_bufferSizeExt(                                                           \
      cusparseHandle_t handle, int m, int n, int nnz_a, const cusparseMatDescr_t descr_a, const T* values_a,          \
      const int* offsets_a, const int* columns_a, const T* threshold, const cusparseMatDescr_t descr_c,               \
      const T* values_c, const int* offsets_c, const int* columns_c, size_t* size);                                   \
  cusparseStatus_t cusparse##X##pruneDense2csr(cusparseHandle_t handle, int m, int n, const T* a, int lda,            \
                                               const T* threshold, const cusparseMatDescr_t descr_c, T* values_c,     \
                                               const int* offsets_c, int* columns_c, void* buffer);                   \
  cusparseStatus_t cusparse##X##pruneDense2csrByPercentage(                                                           \
      cusparseHandle_t handle, int m, int n, const T* a, int lda, float percentage, const cusparseMatDescr_t descr_c, \
      T* values_c, const int* offsets_c, int* columns_c, pruneInfo_t info, void* buffer);                             \
  cusparseStatus_t cusparse##X##pruneDense2csrByPercentage_bufferSizeExt(                                             \
      cusparseHandle_t handle, int m, int n, const T* a, int lda, float percentage, const cusparseMatDescr_t descr_c, \
      const T* values_c, const int* offsets_c, const int* columns_c, pruneInfo_t info, size_t* size);                 \
  cusparseStatus_t cusparse##X##pruneDense2csrNnz(cusparseHandle_t handle, int m, int n, const T* a, int lda,         \
                                                  const T* threshold, const cusparseMatDescr_t descr_c,               \
                                                  int* offsets_c, int* total, void* buffer);                          \
  cusparseStatus_t cusparse##X##pruneDense2csrNnzByPercentage(                                                        \
      cusparseHandle_t handle, int m, int n, const T* a, int lda, float percentage, const cusparseMatDescr_t descr_c, \
      int* offsets_c, int* total, pruneInfo_t info, void* buffer);                                                    \
  cusparseStatus_t cusparse##X##pruneDense2csr_bufferSizeExt(                                                         \
      cusparseHandle_t handle, int m, int n, const T* a, int lda, const T* threshold,                                 \
      const cusparseMatDescr_t descr_c, const T* values_c, const int* offsets_c, const int* columns_c, size_t* size);
#ifdef __cplusplus
COHORT_CUSPARSE_PRUNES(H, __half)
#endif
COHORT_CUSPARSE_PRUNES(S, float)
COHORT_CUSPARSE_PRUNES(D, double)
#undef COHORT_CUSPARSE_PRUNES
