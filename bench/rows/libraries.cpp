// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures cuBLAS and cuSOLVER beside OpenBLAS called directly, cuSPARSE beside a plain loop, and cuRAND beside the C++
// library, on one core.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../peers/blas.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr size_t random_count = 1 << 20;

double digit(size_t i) { return static_cast<double>(random_word(i) % 256) / 256; }

// One handle of each library for the process of a row.
struct handles {
  cublasHandle_t blas = nullptr;
  cublasLtHandle_t lt = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cusparseHandle_t sparse = nullptr;

  handles() {
    cublasCreate(&blas);
    cublasLtCreate(&lt);
    cusolverDnCreate(&solver);
    cusparseCreate(&sparse);
  }
};
const handles& shared_handles() {
  static const handles all;
  return all;
}

// `run_ours` and `run_theirs` leave results that `verify` compares.
template <class Ours, class Theirs, class Verify>
row_sides blas_sides(double operations, Ours run_ours, Theirs run_theirs, Verify verify) {
  const auto finished = [run_ours] {
    run_ours();
    cudaDeviceSynchronize();
  };
  if (!has_blas()) return {rate_of(operations, finished), {{{}, blas_version()}}};
  finished();
  run_theirs();
  verify();
  return {rate_of(operations, finished), {{rate_of(operations, run_theirs)}}};
}

// Square matrices of order n, by rows. cuBLAS has columns: the product of the transposed matrices in reverse order.
template <class T>
struct square_matrices {
  explicit square_matrices(size_t order) : n(order) {}

  size_t n;
  array<T> a{n * n, [](size_t i) { return digit(i); }}, b{n * n, [](size_t i) { return digit(~i); }};
  array<T> ours{n * n}, theirs{n * n};

  int order() const { return static_cast<int>(n); }
  double operations() const { return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }
  void verify(const char* side) const { expect_near(side, ours.data(), theirs.data(), n * n, 1e-4); }
};

cublasStatus_t gemm(int n, const float* a, const float* b, float* c) {
  const float one = 1, zero = 0;
  return cublasSgemm(shared_handles().blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}
cublasStatus_t gemm(int n, const double* a, const double* b, double* c) {
  const double one = 1, zero = 0;
  return cublasDgemm(shared_handles().blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}

template <class T>
row_sides products(size_t n) {
  const auto d = std::make_shared<square_matrices<T>>(n);
  return blas_sides(
      d->operations(), [d] { gemm(d->order(), d->a.data(), d->b.data(), d->ours.data()); },
      [d] { blas_product(d->a.data(), d->b.data(), d->theirs.data(), d->n); }, [d] { d->verify("gemm"); });
}

// The peer has the operands as floats and keeps its result so.
row_sides half_products(size_t n) {
  const auto d = std::make_shared<square_matrices<float>>(n);
  const auto half = [](const array<float>& from) {
    return std::make_shared<array<__half>>(from.size(), [&](size_t i) { return __float2half_rn(from[i]); });
  };
  const auto a = half(d->a), b = half(d->b), c = half(d->ours);
  const auto run = [d, a, b, c] {
    const float one = 1, zero = 0;
    const int order = d->order();
    cublasGemmEx(shared_handles().blas, CUBLAS_OP_N, CUBLAS_OP_N, order, order, order, &one, b->data(), CUDA_R_16F,
                 order, a->data(), CUDA_R_16F, order, &zero, c->data(), CUDA_R_16F, order, CUBLAS_COMPUTE_32F,
                 CUBLAS_GEMM_DEFAULT);
  };
  return blas_sides(
      d->operations(), run, [d] { blas_product(d->a.data(), d->b.data(), d->theirs.data(), d->n); },
      [d, c] {
        for (size_t i = 0; i < c->size(); ++i) d->ours[i] = __half2float((*c)[i]);
        expect_near("GemmEx", d->ours.data(), d->theirs.data(), d->n * d->n, 1e-3);
      });
}

// The peer adds the bias and takes the maximum in a loop after the product.
row_sides biased_products(size_t n) {
  const auto d = std::make_shared<square_matrices<float>>(n);
  const auto bias = std::make_shared<array<float>>(n, [](size_t i) { return -digit(i) * 500; });
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, n, n, static_cast<int64_t>(n));
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  const float* const bias_at = bias->data();
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at, sizeof bias_at);
  return blas_sides(
      d->operations(),
      [d, product, layout, bias] {
        const float one = 1, zero = 0;
        cublasLtMatmul(shared_handles().lt, product, &one, d->b.data(), layout, d->a.data(), layout, &zero,
                       d->ours.data(), layout, d->ours.data(), layout, nullptr, nullptr, 0, nullptr);
      },
      [d, bias] {
        blas_product(d->a.data(), d->b.data(), d->theirs.data(), d->n);
        for (size_t row = 0; row < d->n; ++row) {
          float* const at = d->theirs.data() + row * d->n;
          for (size_t i = 0; i < d->n; ++i) at[i] = std::max(0.0f, at[i] + (*bias)[i]);
        }
      },
      [d] { expect_near("Lt", d->ours.data(), d->theirs.data(), d->n * d->n, 1e-4, 1e-2); });
}

// A matrix that a factorization overwrites, so each run copies it first.
struct factored_matrix {
  factored_matrix(size_t order, const array<double>& from)
      : n(order), matrix(from.size(), [&](size_t i) { return from[i]; }) {}

  size_t n;
  array<double> matrix, ours{n * n}, theirs{n * n}, values{n}, their_values{n};
  array<int> pivots{n}, their_pivots{n}, info{1};
  array<double> work{8 * n * n + 64 * n + 1024};

  int order() const { return static_cast<int>(n); }
  int work_size() const { return static_cast<int>(work.size()); }
  double cubed() const { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }
  void begin(const array<double>& to) const { std::memcpy(to.data(), matrix.data(), matrix.bytes()); }
};

std::shared_ptr<factored_matrix> diagonally_dominant(size_t n) {
  array<double> a(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j)
      a[i * n + j] = a[j * n + i] = digit(i * n + j) + (i == j ? static_cast<double>(n) : 0);
  }
  return std::make_shared<factored_matrix>(n, a);
}

row_sides cholesky(size_t n) {
  const auto d = diagonally_dominant(n);
  return blas_sides(
      d->cubed() / 3,
      [d] {
        d->begin(d->ours);
        cusolverDnDpotrf(shared_handles().solver, CUBLAS_FILL_MODE_LOWER, d->order(), d->ours.data(), d->order(),
                         d->work.data(), d->work_size(), d->info.data());
      },
      [d] {
        d->begin(d->theirs);
        lapack_cholesky(d->theirs.data(), d->n);
      },
      [d] { expect_near("potrf", d->ours.data(), d->theirs.data(), d->n * d->n, 1e-9); });
}

row_sides lu(size_t n) {
  const auto d = diagonally_dominant(n);
  return blas_sides(
      2 * d->cubed() / 3,
      [d] {
        d->begin(d->ours);
        cusolverDnDgetrf(shared_handles().solver, d->order(), d->order(), d->ours.data(), d->order(), d->work.data(),
                         d->pivots.data(), d->info.data());
      },
      [d] {
        d->begin(d->theirs);
        lapack_lu(d->theirs.data(), d->their_pivots.data(), d->n);
      },
      [d] { expect_near("getrf", d->ours.data(), d->theirs.data(), d->n * d->n, 1e-9, 1e-9); });
}

row_sides eigenvalues(size_t n) {
  const auto d = diagonally_dominant(n);
  return blas_sides(
      9 * d->cubed(),
      [d] {
        d->begin(d->ours);
        cusolverDnDsyevd(shared_handles().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, d->order(),
                         d->ours.data(), d->order(), d->values.data(), d->work.data(), d->work_size(), d->info.data());
      },
      [d] {
        d->begin(d->theirs);
        lapack_eigenvalues(d->theirs.data(), d->their_values.data(), d->n);
      },
      [d] { expect_near("syevd", d->values.data(), d->their_values.data(), d->n, 1e-9, 1e-9); });
}

// A CSR matrix with `per_row` entries a row, on diagonals or at random columns.
struct sparse_rows {
  sparse_rows(int count, int per_row, bool at_random)
      : rows(count),
        offsets(static_cast<size_t>(count) + 1, [&](size_t i) { return i * static_cast<size_t>(per_row); }),
        columns(entries(), [&](size_t i) { return column(static_cast<int>(i), per_row, at_random); }),
        values(entries(), digit),
        x(static_cast<size_t>(count), [](size_t i) { return digit(~i); }),
        ours(static_cast<size_t>(count)),
        theirs(static_cast<size_t>(count)) {
    cusparseCreateCsr(&matrix, rows, rows, static_cast<int64_t>(entries()), offsets.data(), columns.data(),
                      values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&from, rows, x.data(), CUDA_R_32F);
    cusparseCreateDnVec(&to, rows, ours.data(), CUDA_R_32F);
  }
  size_t entries() const { return static_cast<size_t>(offsets[static_cast<size_t>(rows)]); }
  int column(int entry, int per_row, bool at_random) const {
    if (at_random) return static_cast<int>(random_word(static_cast<size_t>(entry)) % static_cast<unsigned>(rows));
    return std::clamp(entry / per_row + (entry % per_row - per_row / 2) * 37, 0, rows - 1);
  }

  int rows;
  array<int> offsets, columns;
  array<float> values, x, ours, theirs;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t from = nullptr, to = nullptr;
};

void multiply_plainly(const sparse_rows& m) {
  const int* const offsets = m.offsets.data();
  const int* const columns = m.columns.data();
  const float* const values = m.values.data();
  const float* const x = m.x.data();
  float* const y = m.theirs.data();
  for (int row = 0; row < m.rows; ++row) {
    float sum = 0;
    for (int k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

row_sides sparse_products(int rows, int per_row, bool at_random) {
  const auto m = std::make_shared<sparse_rows>(rows, per_row, at_random);
  const auto run_ours = [m] {
    const float one = 1, zero = 0;
    cusparseSpMV(shared_handles().sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m->matrix, m->from, &zero, m->to,
                 CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
    cudaDeviceSynchronize();
  };
  const auto run_theirs = [m] { multiply_plainly(*m); };
  run_ours();
  run_theirs();
  expect_near("SpMV", m->ours.data(), m->theirs.data(), m->ours.size(), 1e-4, 1e-5);
  const double operations = 2.0 * static_cast<double>(m->entries());
  return {rate_of(operations, run_ours), {{rate_of(operations, run_theirs)}}};
}

// The peer draws from the C++ library's MT19937. Both sides write one million numbers.
template <class Number, class Distribution>
row_sides random_numbers(curandRngType type, curandStatus_t (*generate)(curandGenerator_t, Number*),
                         Distribution distribution) {
  const auto ours = std::make_shared<array<Number>>(random_count),
             theirs = std::make_shared<array<Number>>(random_count);
  curandGenerator_t generator = nullptr;
  curandCreateGenerator(&generator, type);
  const auto run_ours = [ours, generator, generate] {
    generate(generator, ours->data());
    cudaDeviceSynchronize();
  };
  const auto engine = std::make_shared<std::mt19937>();
  const auto drawn = std::make_shared<Distribution>(distribution);
  const auto run_theirs = [theirs, drawn, engine] {
    for (size_t i = 0; i < random_count; ++i) (*theirs)[i] = (*drawn)(*engine);
  };
  run_ours();
  run_theirs();
  double our_mean = 0, their_mean = 0;
  for (size_t i = 0; i < random_count; ++i) our_mean += (*ours)[i], their_mean += (*theirs)[i];
  our_mean /= random_count, their_mean /= random_count;
  expect_near("the mean", &our_mean, &their_mean, 1, 1e-2, 1e-2);
  constexpr double bytes = random_count * sizeof(Number);
  return {rate_of(bytes, run_ours), {{rate_of(bytes, run_theirs)}}};
}

void add_random_rows(suite& rows) {
  const auto row = [&rows](const char* name, row_sides (*make)()) {
    rows.add({.name = name,
              .unit = "GB/s",
              .peers = {{.name = "mt19937 of the C++ library", .limit = bar::at_least(1)}},
              .has_kernel = false},
             make);
  };
  row("cuRAND, uniform floats of XORWOW", [] {
    return random_numbers<float>(
        CURAND_RNG_PSEUDO_XORWOW,
        [](curandGenerator_t g, float* out) { return curandGenerateUniform(g, out, random_count); },
        std::uniform_real_distribution<float>());
  });
  row("cuRAND, uniform doubles of MT19937", [] {
    return random_numbers<double>(
        CURAND_RNG_PSEUDO_MT19937,
        [](curandGenerator_t g, double* out) { return curandGenerateUniformDouble(g, out, random_count); },
        std::uniform_real_distribution<double>());
  });
  row("cuRAND, normal floats of Philox", [] {
    return random_numbers<float>(
        CURAND_RNG_PSEUDO_PHILOX4_32_10,
        [](curandGenerator_t g, float* out) { return curandGenerateNormal(g, out, random_count, 3, 1); },
        std::normal_distribution<float>(3, 1));
  });
  row("cuRAND, log-normal doubles of MTGP32", [] {
    return random_numbers<double>(
        CURAND_RNG_PSEUDO_MTGP32,
        [](curandGenerator_t g, double* out) { return curandGenerateLogNormalDouble(g, out, random_count, 1, 0.25); },
        std::lognormal_distribution<double>(1, 0.25));
  });
  row("cuRAND, Poisson numbers of mean 80 of Sobol32", [] {
    return random_numbers<unsigned int>(
        CURAND_RNG_QUASI_SOBOL32,
        [](curandGenerator_t g, unsigned int* out) { return curandGeneratePoisson(g, out, random_count, 80); },
        std::poisson_distribution<unsigned int>(80));
  });
}

void add(suite& rows, const char* name, const char* peer, row_sides (*make)(), double at_least = 0.95) {
  rows.add({.name = name,
            .unit = "GFlop/s",
            .peers = {{.name = peer, .limit = bar::at_least(at_least)}},
            .has_kernel = false},
           make);
}

}  // namespace

void add_library_rows(suite& rows) {
  add(rows, "cuBLAS, sgemm, 1024", "OpenBLAS", [] { return products<float>(1024); });
  // The product takes 40 us, and the change to other threads about 10 us.
  add(rows, "cuBLAS, sgemm, 128", "OpenBLAS", [] { return products<float>(128); }, 0.7);
  add(rows, "cuBLAS, dgemm, 1024", "OpenBLAS", [] { return products<double>(1024); });
  // Our side also converts three matrices, one half at a time.
  add(rows, "cuBLAS, GemmEx of halves, 1024", "OpenBLAS, of floats", [] { return half_products(1024); }, 0.6);
  add(rows, "cublasLt, product, bias and ReLU, 1024", "OpenBLAS and a loop", [] { return biased_products(1024); }, 0.8);
  add(rows, "cuSOLVER, potrf, 1024", "OpenBLAS", [] { return cholesky(1024); });
  add(rows, "cuSOLVER, getrf, 1024", "OpenBLAS", [] { return lu(1024); });
  add(rows, "cuSOLVER, syevd with vectors, 384", "OpenBLAS", [] { return eigenvalues(384); });
  add(
      rows, "cuSPARSE, SpMV, 200,000 rows of 27 on diagonals", "plain loop",
      [] { return sparse_products(200000, 27, false); }, 0.9);
  add(
      rows, "cuSPARSE, SpMV, 300,000 rows of 5 on diagonals", "plain loop",
      [] { return sparse_products(300000, 5, false); }, 0.9);
  add(
      rows, "cuSPARSE, SpMV, 100,000 rows of 27 at random columns", "plain loop",
      [] { return sparse_products(100000, 27, true); }, 0.9);
  add_random_rows(rows);
}

}  // namespace bench
