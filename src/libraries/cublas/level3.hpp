// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 3 of BLAS: products of matrices, and the routines of matrices that CUDA adds.
#pragma once

#include <algorithm>
#include <vector>

#include "libraries/cublas/level2.hpp"

namespace cohort::cublas {

inline double cost_of(int64_t m, int64_t n, int64_t k) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

// The shape of a product: C has m rows and n columns, k is the length of a sum.
struct gemm_shape {
  cublasOperation_t transa, transb;
  int64_t m, n, k, lda, ldb, ldc;

  int64_t rows_of_a() const { return transa == CUBLAS_OP_N ? m : k; }
  int64_t columns_of_a() const { return transa == CUBLAS_OP_N ? k : m; }
  int64_t rows_of_b() const { return transb == CUBLAS_OP_N ? k : n; }
  int64_t columns_of_b() const { return transb == CUBLAS_OP_N ? n : k; }
  double cost() const { return cost_of(m, n, k); }
  bool has_result() const { return m > 0 && n > 0; }

  void check(checks& valid) const {
    valid.is_op(transa).is_op(transb).sizes(m, n, k);
    valid.columns(lda, rows_of_a()).columns(ldb, rows_of_b()).columns(ldc, m);
  }
  // Reports the operands, of which A and B are not read if `multiplies` is false.
  template <class A, class B, class C>
  bool report(memory_accesses& memory, bool multiplies, const A* a, const B* b, const C* c) const {
    if (multiplies) {
      memory.reads(matrix_at(a, rows_of_a(), columns_of_a(), lda), "A");
      memory.reads(matrix_at(b, rows_of_b(), columns_of_b(), ldb), "B");
    }
    return memory.writes(matrix_at(c, m, n, ldc), "C");
  }
};

// C = beta * C, where C is not read if beta is 0.
template <class T>
void scale_matrix(const T& beta, T* c, int64_t ldc, int64_t m, int64_t n) {
  for (int64_t column = 0; column < n; ++column) {
    for (int64_t row = 0; row < m; ++row) {
      auto& at = *numbers(c + row + column * ldc);
      at = is_zero(beta) ? arithmetic_of<T>{} : number(beta) * at;
    }
  }
}

// If alpha or k is 0, A and B must not be read. OpenBLAS would read them if the matrices are small.
template <class T>
void multiply(const gemm_shape& s, const T& alpha, const T* a, const T* b, const T& beta, T* c) {
  if (is_zero(alpha) || s.k == 0) return scale_matrix(beta, c, s.ldc, s.m, s.n);
  openblas<T>().gemm(blas_letter(s.transa), blas_letter(s.transb), blas_argument(s.m), blas_argument(s.n),
                     blas_argument(s.k), &alpha, a, blas_argument(s.lda), b, blas_argument(s.ldb), &beta, c,
                     blas_argument(s.ldc));
}

template <class T>
cublasStatus_t gemm(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                    const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result,
                    int64_t ldc) {
  checks valid(c);
  const gemm_shape s{transa, transb, m, n, k, lda, ldb, ldc};
  s.check(valid);
  valid.pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || !s.has_result()) return valid.status();
  return submit(c, s.cost(), false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const T by_a = fa.read(memory), by_b = fb.read(memory);
    if (s.report(memory, !is_zero(by_a) && s.k > 0, a, b, result)) multiply(s, by_a, a, b, by_b, result);
  });
}

// Computes as gemm() does. CUDA's gemm3m forms a complex product from three real ones, which saves time on a GPU only.
template <class T>
cublasStatus_t gemm3m(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                      int64_t k, const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta,
                      T* result, int64_t ldc) {
  return gemm(c, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, result, ldc);
}

template <class T>
cublasStatus_t symmetric_product(const call& c,
                                 typename openblas_functions<T>::symmetric_product* openblas_functions<T>::* member,
                                 cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const T* alpha,
                                 const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result,
                                 int64_t ldc) {
  checks valid(c);
  const int64_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  valid.is_side(side).is_triangle(uplo).sizes(m, n).columns(lda, order).columns(ldb, m).columns(ldc, m);
  valid.pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  const double cost = cost_of(m, n, order);
  return submit(c, cost, false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const T by_a = fa.read(memory), by_b = fb.read(memory);
    if (!is_zero(by_a)) {
      reads_triangle(memory, a, uplo, order, lda);
      memory.reads(matrix_at(b, m, n, ldb), "B");
    }
    if (!memory.writes(matrix_at(result, m, n, ldc), "C")) return;
    (openblas<T>().*member)(blas_letter(side), blas_letter(uplo), blas_argument(m), blas_argument(n), &by_a, a,
                            blas_argument(lda), b, blas_argument(ldb), &by_b, result, blas_argument(ldc));
  });
}
template <class T>
cublasStatus_t symm(const call& c, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const T* alpha,
                    const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result, int64_t ldc) {
  return symmetric_product(c, &openblas_functions<T>::symm, side, uplo, m, n, alpha, a, lda, b, ldb, beta, result, ldc);
}
template <class T>
cublasStatus_t hemm(const call& c, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const T* alpha,
                    const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result, int64_t ldc) {
  return symmetric_product(c, &openblas_functions<T>::hemm, side, uplo, m, n, alpha, a, lda, b, ldb, beta, result, ldc);
}

// The shape of C = alpha * op(A) * op(B)' + beta * C, of which one triangle is computed.
struct rank_k_shape {
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  int64_t n, k;

  int64_t rows() const { return trans == CUBLAS_OP_N ? n : k; }
  int64_t columns() const { return trans == CUBLAS_OP_N ? k : n; }
  // `is_hermitian`: complex matrices may be conjugate-transposed, but not transposed; else the reverse.
  template <class T>
  void check(checks& valid, bool is_hermitian) const {
    const cublasOperation_t refused = is_hermitian ? CUBLAS_OP_T : CUBLAS_OP_C;
    valid.is_triangle(uplo).is_op(trans).require(!is_complex<T> || trans != refused).sizes(n, k);
  }
  template <class T>
  bool report(memory_accesses& memory, bool multiplies, const T* a, int64_t lda, const T* b, int64_t ldb, T* c,
              int64_t ldc) const {
    if (multiplies) {
      memory.reads(matrix_at(a, rows(), columns(), lda), "A");
      if (b) memory.reads(matrix_at(b, rows(), columns(), ldb), "B");
    }
    writes_triangle(memory, c, uplo, n, ldc, "C");
    return memory.error() == cudaSuccess;
  }
};

// syrk and herk, by one matrix; syr2k and her2k, by two. `function` calls OpenBLAS with the factors.
template <class T, class Alpha, class Beta, class Function>
cublasStatus_t update_rank_k(const call& c, bool is_hermitian, const rank_k_shape& s, const Alpha* alpha, const T* a,
                             int64_t lda, const T* b, int64_t ldb, const Beta* beta, T* result, int64_t ldc,
                             Function&& function) {
  checks valid(c);
  s.check<T>(valid, is_hermitian);
  valid.columns(lda, s.rows()).columns(ldb, b ? s.rows() : 0).columns(ldc, s.n).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || s.n == 0) return valid.status();
  const double cost = cost_of(s.n, s.n, s.k);
  return submit(c, cost, false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const Alpha by_a = fa.read(memory);
    const Beta by_b = fb.read(memory);
    if (s.report(memory, !is_zero(by_a) && s.k > 0, a, lda, b, ldb, result, ldc)) function(&by_a, &by_b);
  });
}

template <class T>
cublasStatus_t syrk(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const T* alpha,
                    const T* a, int64_t lda, const T* beta, T* result, int64_t ldc) {
  return update_rank_k<T>(
      c, false, {uplo, trans, n, k}, alpha, a, lda, nullptr, 1, beta, result, ldc, [=](const T* by_a, const T* by_b) {
        openblas<T>().syrk(blas_letter(uplo), blas_letter(trans), blas_argument(n), blas_argument(k), by_a, a,
                           blas_argument(lda), by_b, result, blas_argument(ldc));
      });
}
template <class T>
cublasStatus_t herk(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                    const real_of<T>* alpha, const T* a, int64_t lda, const real_of<T>* beta, T* result, int64_t ldc) {
  return update_rank_k<T>(c, true, {uplo, trans, n, k}, alpha, a, lda, nullptr, 1, beta, result, ldc,
                          [=](const real_of<T>* by_a, const real_of<T>* by_b) {
                            openblas<T>().herk(blas_letter(uplo), blas_letter(trans), blas_argument(n),
                                               blas_argument(k), by_a, a, blas_argument(lda), by_b, result,
                                               blas_argument(ldc));
                          });
}
template <class T>
cublasStatus_t syr2k(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                     const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result,
                     int64_t ldc) {
  return update_rank_k<T>(
      c, false, {uplo, trans, n, k}, alpha, a, lda, b, ldb, beta, result, ldc, [=](const T* by_a, const T* by_b) {
        openblas<T>().syr2k(blas_letter(uplo), blas_letter(trans), blas_argument(n), blas_argument(k), by_a, a,
                            blas_argument(lda), b, blas_argument(ldb), by_b, result, blas_argument(ldc));
      });
}
template <class T>
cublasStatus_t her2k(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                     const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const real_of<T>* beta,
                     T* result, int64_t ldc) {
  return update_rank_k<T>(c, true, {uplo, trans, n, k}, alpha, a, lda, b, ldb, beta, result, ldc,
                          [=](const T* by_a, const real_of<T>* by_b) {
                            openblas<T>().her2k(blas_letter(uplo), blas_letter(trans), blas_argument(n),
                                                blas_argument(k), by_a, a, blas_argument(lda), b, blas_argument(ldb),
                                                by_b, result, blas_argument(ldc));
                          });
}

// One triangle of alpha * op(A) * op(B)' + beta * C. OpenBLAS has no such routine: the whole product is computed, and
// its triangle is added.
template <class T, class Beta>
cublasStatus_t rank_k_of_two(const call& c, bool is_hermitian, cublasFillMode_t uplo, cublasOperation_t trans,
                             int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb,
                             const Beta* beta, T* result, int64_t ldc) {
  const auto add = [=](const T* by_a, const Beta* by_b) {
    const cublasOperation_t turned = is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    const bool plain = trans == CUBLAS_OP_N;
    std::vector<T> product(static_cast<size_t>(n) * static_cast<size_t>(n));
    const gemm_shape s{plain ? CUBLAS_OP_N : turned, plain ? turned : CUBLAS_OP_N, n, n, k, lda, ldb, n};
    multiply(s, *by_a, a, b, T{}, product.data());
    for (int64_t column = 0; column < n; ++column) {
      const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
      for (int64_t row = is_lower ? column : 0; row < (is_lower ? n : column + 1); ++row) {
        auto& to = *numbers(result + row + column * ldc);
        const auto term = number(product[static_cast<size_t>(row + column * n)]);
        to = is_zero(*by_b) ? term : term + number(*by_b) * to;
        if constexpr (is_complex<T>) {
          if (is_hermitian && row == column) to.imag(0);
        }
      }
    }
  };
  return update_rank_k<T>(c, is_hermitian, {uplo, trans, n, k}, alpha, a, lda, b, ldb, beta, result, ldc, add);
}
template <class T>
cublasStatus_t syrkx(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                     const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* result,
                     int64_t ldc) {
  return rank_k_of_two(c, false, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, result, ldc);
}
template <class T>
cublasStatus_t herkx(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                     const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const real_of<T>* beta,
                     T* result, int64_t ldc) {
  return rank_k_of_two(c, true, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, result, ldc);
}

// A triangular matrix on one side of B.
struct triangular_shape {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  int64_t m, n, lda, ldb;

  int64_t order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  void check(checks& valid) const {
    valid.is_side(side).is_triangle(uplo).is_op(trans).is_diagonal(diag).sizes(m, n);
    valid.columns(lda, order()).columns(ldb, m);
  }
  template <class T>
  void call_openblas(typename openblas_functions<T>::triangular_product* function, const T& alpha, const T* a,
                     T* b) const {
    function(blas_letter(side), blas_letter(uplo), blas_letter(trans), blas_letter(diag), blas_argument(m),
             blas_argument(n), &alpha, a, blas_argument(lda), b, blas_argument(ldb));
  }
};

template <class T>
void copy_matrix(const T* from, int64_t ld_from, T* to, int64_t ld_to, int64_t m, int64_t n) {
  for (int64_t column = 0; column < n; ++column) {
    const T* const source = from + column * ld_from;
    std::copy(source, source + m, to + column * ld_to);
  }
}

// C = alpha * op(A) * B, where C may be B.
template <class T>
cublasStatus_t trmm(const call& c, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int64_t m, int64_t n, const T* alpha, const T* a, int64_t lda, const T* b,
                    int64_t ldb, T* result, int64_t ldc) {
  checks valid(c);
  const triangular_shape s{side, uplo, trans, diag, m, n, lda, ldc};
  s.check(valid);
  valid.columns(ldb, m).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  return submit(c, cost_of(m, n, s.order()), false, [=, fa = factor(c, alpha)](memory_accesses& memory) {
    const T by_a = fa.read(memory);
    if (!is_zero(by_a)) {
      reads_triangle(memory, a, uplo, s.order(), lda);
      memory.reads(matrix_at(b, m, n, ldb), "B");
    }
    if (!memory.writes(matrix_at(result, m, n, ldc), "C")) return;
    if (result != b && !is_zero(by_a)) copy_matrix(b, ldb, result, ldc, m, n);
    s.call_openblas(openblas<T>().trmm, by_a, a, result);
  });
}

template <class T>
cublasStatus_t trsm(const call& c, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int64_t m, int64_t n, const T* alpha, const T* a, int64_t lda, T* b,
                    int64_t ldb) {
  checks valid(c);
  const triangular_shape s{side, uplo, trans, diag, m, n, lda, ldb};
  s.check(valid);
  valid.pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  return submit(c, cost_of(m, n, s.order()), false, [=, fa = factor(c, alpha)](memory_accesses& memory) {
    const T by_a = fa.read(memory);
    if (!is_zero(by_a)) reads_triangle(memory, a, uplo, s.order(), lda);
    if (memory.writes(matrix_at(b, m, n, ldb), "B")) s.call_openblas(openblas<T>().trsm, by_a, a, b);
  });
}

// The element of op(A) in a row and a column.
template <class T>
arithmetic_of<T> element_of(const T* a, int64_t ld, cublasOperation_t op, int64_t row, int64_t column) {
  if (op == CUBLAS_OP_N) return number(a[row + column * ld]);
  const arithmetic_of<T> turned = number(a[column + row * ld]);
  return op == CUBLAS_OP_C ? conjugate(turned) : turned;
}

// C = alpha * op(A) + beta * op(B), where C may be A or B if that matrix is not transposed.
template <class T>
cublasStatus_t geam(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                    const T* alpha, const T* a, int64_t lda, const T* beta, const T* b, int64_t ldb, T* result,
                    int64_t ldc) {
  checks valid(c);
  const bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
  valid.is_op(transa).is_op(transb).sizes(m, n).columns(ldc, m).pointers(alpha, beta);
  valid.columns(lda, plain_a ? m : n).columns(ldb, plain_b ? m : n);
  valid.require(result != a || (plain_a && lda == ldc)).require(result != b || (plain_b && ldb == ldc));
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  return submit(c, cost_of(m, n, 1), false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const T by_a = fa.read(memory), by_b = fb.read(memory);
    const bool uses_a = !is_zero(by_a), uses_b = !is_zero(by_b);
    if (uses_a) memory.reads(matrix_at(a, plain_a ? m : n, plain_a ? n : m, lda), "A");
    if (uses_b) memory.reads(matrix_at(b, plain_b ? m : n, plain_b ? n : m, ldb), "B");
    if (!memory.writes(matrix_at(result, m, n, ldc), "C")) return;
    for (int64_t column = 0; column < n; ++column) {
      for (int64_t row = 0; row < m; ++row) {
        arithmetic_of<T> sum{};
        if (uses_a) sum += number(by_a) * element_of(a, lda, transa, row, column);
        if (uses_b) sum += number(by_b) * element_of(b, ldb, transb, row, column);
        *numbers(result + row + column * ldc) = sum;
      }
    }
  });
}

// C = diag(x) * A or A * diag(x), where C may be A.
template <class T>
cublasStatus_t dgmm(const call& c, cublasSideMode_t side, int64_t m, int64_t n, const T* a, int64_t lda, const T* x,
                    int64_t incx, T* result, int64_t ldc) {
  checks valid(c);
  valid.is_side(side).sizes(m, n).columns(lda, m).columns(ldc, m).indices(incx);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  return submit(c, cost_of(m, n, 1), false, [=](memory_accesses& memory) {
    const int64_t length = side == CUBLAS_SIDE_LEFT ? m : n;
    memory.reads(matrix_at(a, m, n, lda), "A");
    memory.reads(vector_at(x, length, incx), "x");
    if (!memory.writes(matrix_at(result, m, n, ldc), "C")) return;
    for (int64_t column = 0; column < n; ++column) {
      for (int64_t row = 0; row < m; ++row) {
        const T* const by = element(x, length, incx, side == CUBLAS_SIDE_LEFT ? row : column);
        *numbers(result + row + column * ldc) = number(a[row + column * lda]) * number(*by);
      }
    }
  });
}

}  // namespace cohort::cublas
