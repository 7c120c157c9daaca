// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 2 of BLAS: a matrix and vectors.
#pragma once

#include <vector>

#include "libraries/cublas/level1.hpp"

namespace cohort::cublas {

using libraries::blas_argument;
using libraries::blas_letter;

// Reports the write of y for y = beta * y + product. If beta is 0, y becomes 0: its old NaN or infinity has no effect.
template <class T>
bool prepare_result(memory_accesses& memory, const T& beta, T* y, int64_t n, int64_t incy) {
  if (!memory.writes(vector_at(y, n, incy), "y")) return false;
  if (is_zero(beta)) {
    for (int64_t i = 0; i < n; ++i) *element(y, n, incy, i) = T{};
  }
  return true;
}

// y = alpha * A * x + beta * y. `reads(memory)` reports the matrix; `multiply(alpha, beta)` calls OpenBLAS.
template <class T, class Reads, class Multiply>
cublasStatus_t matrix_by_vector(const call& c, double cost, const T* alpha, const T* x, int64_t lenx, int64_t incx,
                                const T* beta, T* y, int64_t leny, int64_t incy, Reads&& reads, Multiply&& multiply) {
  return submit(c, cost, false, [=, by_a = factor(c, alpha), by_b = factor(c, beta)](memory_accesses& memory) {
    const T a = by_a.read(memory), b = by_b.read(memory);
    if (!is_zero(a)) {
      reads(memory);
      memory.reads(vector_at(x, lenx, incx), "x");
    }
    if (memory.error() == cudaSuccess && prepare_result(memory, b, y, leny, incy)) multiply(&a, &b);
  });
}

// A vector for OpenBLAS 0.3.21, copied if needed. A copy has adjacent elements, and after them an unused one that
// OpenBLAS may read.
template <class T>
class packed_vector {
 public:
  packed_vector(const T* x, int64_t n, int64_t increment, bool is_copied) : first_(x), increment_(increment) {
    if (!is_copied) return;
    copied_.resize(static_cast<size_t>(n) + 1);
    for (int64_t i = 0; i < n; ++i) copied_[static_cast<size_t>(i)] = *element(x, n, increment, i);
    first_ = copied_.data();
    increment_ = 1;
  }
  const T* first() const { return first_; }
  int64_t increment() const { return increment_; }

 private:
  const T* first_;
  int64_t increment_;
  std::vector<T> copied_;
};

// OpenBLAS's gemv. With complex numbers, a matrix that is not transposed and AVX-512, it reads one element after x.
template <class T>
void call_gemv(cublasOperation_t trans, int64_t m, int64_t n, const T* alpha, const T* a, int64_t lda, const T* x,
               int64_t incx, const T* beta, T* y, int64_t incy) {
  const bool plain = trans == CUBLAS_OP_N;
  const packed_vector from(x, plain ? n : m, incx, is_complex<T> && plain);
  openblas<T>().gemv(blas_letter(trans), blas_argument(m), blas_argument(n), alpha, a, blas_argument(lda), from.first(),
                     blas_argument(from.increment()), beta, y, blas_argument(incy));
}

template <class T>
cublasStatus_t gemv(const call& c, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha, const T* a,
                    int64_t lda, const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  checks valid(c);
  valid.is_op(trans).sizes(m, n).columns(lda, m).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  const bool plain = trans == CUBLAS_OP_N;
  return matrix_by_vector(
      c, static_cast<double>(m) * static_cast<double>(n), alpha, x, plain ? n : m, incx, beta, y, plain ? m : n, incy,
      [=](memory_accesses& memory) { memory.reads(matrix_at(a, m, n, lda), "A"); },
      [=](const T* by_a, const T* by_b) { call_gemv(trans, m, n, by_a, a, lda, x, incx, by_b, y, incy); });
}

template <class T>
cublasStatus_t gbmv(const call& c, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                    const T* alpha, const T* a, int64_t lda, const T* x, int64_t incx, const T* beta, T* y,
                    int64_t incy) {
  checks valid(c);
  valid.is_op(trans).sizes(m, n, kl, ku).columns(lda, kl + ku + 1).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  const bool plain = trans == CUBLAS_OP_N;
  return matrix_by_vector(
      c, static_cast<double>(kl + ku + 1) * static_cast<double>(n), alpha, x, plain ? n : m, incx, beta, y,
      plain ? m : n, incy, [=](memory_accesses& memory) { memory.reads(matrix_at(a, kl + ku + 1, n, lda), "A"); },
      [=](const T* by_a, const T* by_b) {
        openblas<T>().gbmv(blas_letter(trans), blas_argument(m), blas_argument(n), blas_argument(kl), blas_argument(ku),
                           by_a, a, blas_argument(lda), x, blas_argument(incx), by_b, y, blas_argument(incy));
      });
}

// Number of elements of a packed triangle.
inline int64_t packed_size(int64_t n) { return n * (n + 1) / 2; }

// A triangular matrix and a vector that the call replaces.
template <class T, class Reads, class Function>
cublasStatus_t triangular_vector(checks& valid, const call& c, cublasFillMode_t uplo, cublasOperation_t trans,
                                 cublasDiagType_t diag, int64_t n, T* x, int64_t incx, Reads&& reads,
                                 Function&& function) {
  valid.is_triangle(uplo).is_op(trans).is_diagonal(diag).sizes(n).increments(incx);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return submit(c, static_cast<double>(n) * static_cast<double>(n) / 2, false, [=](memory_accesses& memory) {
    reads(memory);
    if (!memory.writes(vector_at(x, n, incx), "x")) return;
    function(blas_letter(uplo), blas_letter(trans), blas_letter(diag), blas_argument(n));
  });
}

template <class T>
cublasStatus_t triangular(const call& c, typename openblas_functions<T>::triangular* openblas_functions<T>::* member,
                          cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const T* a,
                          int64_t lda, T* x, int64_t incx) {
  checks valid(c);
  valid.columns(lda, n);
  return triangular_vector(
      valid, c, uplo, trans, diag, n, x, incx,
      [=](memory_accesses& memory) { reads_triangle(memory, a, uplo, n, lda); },
      [=](auto... first) { (openblas<T>().*member)(first..., a, blas_argument(lda), x, blas_argument(incx)); });
}
template <class T>
cublasStatus_t trmv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    const T* a, int64_t lda, T* x, int64_t incx) {
  return triangular(c, &openblas_functions<T>::trmv, uplo, trans, diag, n, a, lda, x, incx);
}
template <class T>
cublasStatus_t trsv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    const T* a, int64_t lda, T* x, int64_t incx) {
  return triangular(c, &openblas_functions<T>::trsv, uplo, trans, diag, n, a, lda, x, incx);
}

template <class T>
cublasStatus_t triangular_band(const call& c,
                               typename openblas_functions<T>::triangular_band* openblas_functions<T>::* member,
                               cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                               int64_t k, const T* a, int64_t lda, T* x, int64_t incx) {
  checks valid(c);
  valid.sizes(k).columns(lda, k + 1);
  return triangular_vector(
      valid, c, uplo, trans, diag, n, x, incx,
      [=](memory_accesses& memory) { memory.reads(matrix_at(a, k + 1, n, lda), "A"); },
      [=](auto... first) {
        (openblas<T>().*member)(first..., blas_argument(k), a, blas_argument(lda), x, blas_argument(incx));
      });
}
template <class T>
cublasStatus_t tbmv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    int64_t k, const T* a, int64_t lda, T* x, int64_t incx) {
  return triangular_band(c, &openblas_functions<T>::tbmv, uplo, trans, diag, n, k, a, lda, x, incx);
}
template <class T>
cublasStatus_t tbsv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    int64_t k, const T* a, int64_t lda, T* x, int64_t incx) {
  return triangular_band(c, &openblas_functions<T>::tbsv, uplo, trans, diag, n, k, a, lda, x, incx);
}

template <class T>
cublasStatus_t triangular_packed(const call& c,
                                 typename openblas_functions<T>::triangular_packed* openblas_functions<T>::* member,
                                 cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                                 const T* ap, T* x, int64_t incx) {
  checks valid(c);
  return triangular_vector(
      valid, c, uplo, trans, diag, n, x, incx,
      [=](memory_accesses& memory) { memory.reads(vector_at(ap, packed_size(n), 1), "AP"); },
      [=](auto... first) { (openblas<T>().*member)(first..., ap, x, blas_argument(incx)); });
}
template <class T>
cublasStatus_t tpmv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    const T* ap, T* x, int64_t incx) {
  return triangular_packed(c, &openblas_functions<T>::tpmv, uplo, trans, diag, n, ap, x, incx);
}
template <class T>
cublasStatus_t tpsv(const call& c, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                    const T* ap, T* x, int64_t incx) {
  return triangular_packed(c, &openblas_functions<T>::tpsv, uplo, trans, diag, n, ap, x, incx);
}

template <class T>
cublasStatus_t symmetric(const call& c, typename openblas_functions<T>::symmetric* openblas_functions<T>::* member,
                         cublasFillMode_t uplo, int64_t n, const T* alpha, const T* a, int64_t lda, const T* x,
                         int64_t incx, const T* beta, T* y, int64_t incy) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).columns(lda, n).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return matrix_by_vector(
      c, static_cast<double>(n) * static_cast<double>(n), alpha, x, n, incx, beta, y, n, incy,
      [=](memory_accesses& memory) { reads_triangle(memory, a, uplo, n, lda); },
      [=](const T* by_a, const T* by_b) {
        (openblas<T>().*member)(blas_letter(uplo), blas_argument(n), by_a, a, blas_argument(lda), x,
                                blas_argument(incx), by_b, y, blas_argument(incy));
      });
}
template <class T>
cublasStatus_t symv(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* a, int64_t lda,
                    const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  return symmetric(c, &openblas_functions<T>::symv, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
template <class T>
cublasStatus_t hemv(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* a, int64_t lda,
                    const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  return symmetric(c, &openblas_functions<T>::hemv, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}

template <class T>
cublasStatus_t hbmv(const call& c, cublasFillMode_t uplo, int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda,
                    const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n, k).columns(lda, k + 1).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return matrix_by_vector(
      c, static_cast<double>(n) * static_cast<double>(k + 1), alpha, x, n, incx, beta, y, n, incy,
      [=](memory_accesses& memory) { memory.reads(matrix_at(a, k + 1, n, lda), "A"); },
      [=](const T* by_a, const T* by_b) {
        openblas<T>().hbmv(blas_letter(uplo), blas_argument(n), blas_argument(k), by_a, a, blas_argument(lda), x,
                           blas_argument(incx), by_b, y, blas_argument(incy));
      });
}

template <class T>
cublasStatus_t hpmv(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* ap, const T* x,
                    int64_t incx, const T* beta, T* y, int64_t incy) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return matrix_by_vector(
      c, static_cast<double>(n) * static_cast<double>(n), alpha, x, n, incx, beta, y, n, incy,
      [=](memory_accesses& memory) { memory.reads(vector_at(ap, packed_size(n), 1), "AP"); },
      [=](const T* by_a, const T* by_b) {
        openblas<T>().hpmv(blas_letter(uplo), blas_argument(n), by_a, ap, x, blas_argument(incx), by_b, y,
                           blas_argument(incy));
      });
}

// A = A + alpha * product of vectors. `reads_and_writes(memory)` reports vectors and matrix; `update(alpha)` calls
// OpenBLAS.
template <class Factor, class Accesses, class Update>
cublasStatus_t update_matrix(const call& c, int64_t m, int64_t n, const Factor* alpha, Accesses&& reads_and_writes,
                             Update&& update) {
  const double cost = static_cast<double>(m) * static_cast<double>(n);
  return submit(c, cost, false, [=, by_a = factor(c, alpha)](memory_accesses& memory) {
    const Factor a = by_a.read(memory);
    if (memory.error() != cudaSuccess || is_zero(a)) return;
    reads_and_writes(memory);
    if (memory.error() == cudaSuccess) update(&a);
  });
}

template <class T>
cublasStatus_t rank_one(const call& c, typename openblas_functions<T>::rank_one* openblas_functions<T>::* member,
                        int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx, const T* y, int64_t incy, T* a,
                        int64_t lda) {
  checks valid(c);
  valid.sizes(m, n).increments(incx, incy).columns(lda, m).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return valid.status();
  return update_matrix(
      c, m, n, alpha,
      [=](memory_accesses& memory) {
        memory.reads(vector_at(x, m, incx), "x");
        memory.reads(vector_at(y, n, incy), "y");
        memory.writes(matrix_at(a, m, n, lda), "A");
      },
      [=](const T* by_a) {
        (openblas<T>().*member)(blas_argument(m), blas_argument(n), by_a, x, blas_argument(incx), y,
                                blas_argument(incy), a, blas_argument(lda));
      });
}
template <class T>
cublasStatus_t geru(const call& c, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx, const T* y,
                    int64_t incy, T* a, int64_t lda) {
  return rank_one(c, &openblas_functions<T>::geru, m, n, alpha, x, incx, y, incy, a, lda);
}
template <class T>
cublasStatus_t gerc(const call& c, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx, const T* y,
                    int64_t incy, T* a, int64_t lda) {
  return rank_one(c, &openblas_functions<T>::gerc, m, n, alpha, x, incx, y, incy, a, lda);
}

// Updates of a triangle by one vector: syr by a factor of type T, her by a real one.
template <class T, class Factor, class Function>
cublasStatus_t update_triangle(const call& c, cublasFillMode_t uplo, int64_t n, const Factor* alpha, const T* x,
                               int64_t incx, T* a, int64_t lda, Function&& function) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).increments(incx).columns(lda, n).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return update_matrix(
      c, n, n, alpha,
      [=](memory_accesses& memory) {
        memory.reads(vector_at(x, n, incx), "x");
        writes_triangle(memory, a, uplo, n, lda, "A");
      },
      [=](const Factor* by_a) {
        function(blas_letter(uplo), blas_argument(n), by_a, x, blas_argument(incx), a, blas_argument(lda));
      });
}
template <class T>
cublasStatus_t syr(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x, int64_t incx, T* a,
                   int64_t lda) {
  return update_triangle(c, uplo, n, alpha, x, incx, a, lda, [](auto... each) { openblas<T>().syr(each...); });
}
template <class T>
cublasStatus_t her(const call& c, cublasFillMode_t uplo, int64_t n, const real_of<T>* alpha, const T* x, int64_t incx,
                   T* a, int64_t lda) {
  return update_triangle(c, uplo, n, alpha, x, incx, a, lda, [](auto... each) { openblas<T>().her(each...); });
}

template <class T>
cublasStatus_t hpr(const call& c, cublasFillMode_t uplo, int64_t n, const real_of<T>* alpha, const T* x, int64_t incx,
                   T* ap) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).increments(incx).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return update_matrix(
      c, n, n, alpha,
      [=](memory_accesses& memory) {
        memory.reads(vector_at(x, n, incx), "x");
        memory.writes(vector_at(ap, packed_size(n), 1), "AP");
      },
      [=](const real_of<T>* by_a) {
        openblas<T>().hpr(blas_letter(uplo), blas_argument(n), by_a, x, blas_argument(incx), ap);
      });
}

template <class T>
cublasStatus_t rank_two(const call& c, typename openblas_functions<T>::rank_two* openblas_functions<T>::* member,
                        cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x, int64_t incx, const T* y,
                        int64_t incy, T* a, int64_t lda) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).increments(incx, incy).columns(lda, n).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return update_matrix(
      c, n, n, alpha,
      [=](memory_accesses& memory) {
        memory.reads(vector_at(x, n, incx), "x");
        memory.reads(vector_at(y, n, incy), "y");
        writes_triangle(memory, a, uplo, n, lda, "A");
      },
      [=](const T* by_a) {
        // csyr2 fails with negative increments.
        const packed_vector left(x, n, incx, incx < 0), right(y, n, incy, incy < 0);
        (openblas<T>().*member)(blas_letter(uplo), blas_argument(n), by_a, left.first(),
                                blas_argument(left.increment()), right.first(), blas_argument(right.increment()), a,
                                blas_argument(lda));
      });
}
template <class T>
cublasStatus_t syr2(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x, int64_t incx,
                    const T* y, int64_t incy, T* a, int64_t lda) {
  return rank_two(c, &openblas_functions<T>::syr2, uplo, n, alpha, x, incx, y, incy, a, lda);
}
template <class T>
cublasStatus_t her2(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x, int64_t incx,
                    const T* y, int64_t incy, T* a, int64_t lda) {
  return rank_two(c, &openblas_functions<T>::her2, uplo, n, alpha, x, incx, y, incy, a, lda);
}

template <class T>
cublasStatus_t hpr2(const call& c, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x, int64_t incx,
                    const T* y, int64_t incy, T* ap) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).increments(incx, incy).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return update_matrix(
      c, n, n, alpha,
      [=](memory_accesses& memory) {
        memory.reads(vector_at(x, n, incx), "x");
        memory.reads(vector_at(y, n, incy), "y");
        memory.writes(vector_at(ap, packed_size(n), 1), "AP");
      },
      [=](const T* by_a) {
        openblas<T>().hpr2(blas_letter(uplo), blas_argument(n), by_a, x, blas_argument(incx), y, blas_argument(incy),
                           ap);
      });
}

}  // namespace cohort::cublas
