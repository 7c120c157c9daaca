// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 1 of BLAS: vectors.
#pragma once

#include <cmath>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/openblas.hpp"

namespace cohort::cublas {

// Writes a result of one number to host or device memory.
template <class Result, class Compute>
cublasStatus_t submit_result(const call& c, double cost, Result* result, Compute&& compute) {
  return submit(c, cost, c.has_host_pointers(), [=, to_host = c.has_host_pointers()](memory_accesses& memory) {
    if (!to_host && !memory.writes(libraries::bytes_at(result, sizeof *result), "result")) return;
    compute(memory);
  });
}

// A number that a vector reduces to: 0 where the vector is empty or has no direction.
template <class T, class Result, class Function>
cublasStatus_t reduce_vector(const call& c, int64_t n, const T* x, int64_t incx, Result* result, Function function) {
  checks valid(c);
  valid.indices(n, incx).pointers(result);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  return submit_result(c, static_cast<double>(n), result, [=](memory_accesses& memory) {
    if (n <= 0 || incx <= 0) {
      *result = Result{};
    } else if (memory.reads(vector_at(x, n, incx), "x")) {
      const blas_int count = static_cast<blas_int>(n), step = static_cast<blas_int>(incx);
      *result = static_cast<Result>(function(&count, x, &step));
    }
  });
}

template <class T>
cublasStatus_t nrm2(const call& c, int64_t n, const T* x, int64_t incx, real_of<T>* result) {
  return reduce_vector(c, n, x, incx, result, [](auto... each) { return openblas<T>().nrm2(each...); });
}
// The sum of |re| + |im|. Complex numbers are summed as pairs: casum of OpenBLAS 0.3.21 is wrong with AVX-512.
template <class T>
cublasStatus_t asum(const call& c, int64_t n, const T* x, int64_t incx, real_of<T>* result) {
  return reduce_vector(c, n, x, incx, result, [](const blas_int* count, const T* at, const blas_int* step) {
    const auto& functions = openblas<real_of<T>>();
    if constexpr (!is_complex<T>) {
      return functions.asum(count, at, step);
    } else {
      const blas_int distance = 2 * *step, pairs = 2 * *count, one = 1;
      if (*step == 1) return functions.asum(&pairs, &at->x, &one);
      return functions.asum(count, &at->x, &distance) + functions.asum(count, &at->y, &distance);
    }
  });
}
// The index, from 1, of the first of n elements with the largest or the smallest magnitude. NaN is skipped, as on a
// GPU: the index is 1 where all elements are NaN. OpenBLAS returns the index of a NaN.
template <bool Largest, class SizeOf>
int64_t find_extreme(int64_t n, SizeOf&& size_of) {
  int64_t best = 0;
  auto known = size_of(0);
  for (int64_t i = 1; i < n; ++i) {
    const auto now = size_of(i);
    if ((Largest ? now > known : now < known) || (known != known && now == now)) {
      best = i;
      known = now;
    }
  }
  return best + 1;
}

template <bool Largest, class T, class Index>
cublasStatus_t extreme(const call& c, int64_t n, const T* x, int64_t incx, Index* result) {
  return reduce_vector(c, n, x, incx, result, [](const blas_int* count, const T* at, const blas_int* step) {
    return find_extreme<Largest>(*count, [&](int64_t i) {
      const T& value = at[i * *step];
      if constexpr (is_complex<T>) {
        return std::abs(value.x) + std::abs(value.y);
      } else {
        return std::abs(value);
      }
    });
  });
}
template <class T, class Index>
cublasStatus_t amax(const call& c, int64_t n, const T* x, int64_t incx, Index* result) {
  return extreme<true>(c, n, x, incx, result);
}
template <class T, class Index>
cublasStatus_t amin(const call& c, int64_t n, const T* x, int64_t incx, Index* result) {
  return extreme<false>(c, n, x, incx, result);
}

// The element with index i of a vector: with a negative increment the vector begins at its last address.
template <class T>
T* element(T* x, int64_t n, int64_t increment, int64_t i) {
  return x + (increment < 0 ? (i - n + 1) * increment : i * increment);
}

template <class T, class Factor>
cublasStatus_t scale(const call& c, int64_t n, const Factor* alpha, T* x, int64_t incx) {
  checks valid(c);
  valid.indices(n, incx).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  return submit(c, static_cast<double>(n), false, [=, a = factor(c, alpha)](memory_accesses& memory) {
    const arithmetic_of<Factor> by = number(a.read(memory));
    if (!memory.writes(vector_at(x, n, incx), "x")) return;
    if constexpr (std::is_same_v<T, Factor>) {
      // OpenBLAS stores zeros if the factor is 0. The loop below multiplies instead, so NaN stays NaN.
      const blas_int count = static_cast<blas_int>(n), step = static_cast<blas_int>(incx);
      if (by != arithmetic_of<T>{}) return openblas<T>().scal(&count, reinterpret_cast<const T*>(&by), x, &step);
    }
    for (int64_t i = 0; i < n; ++i) *numbers(x + i * incx) *= by;
  });
}
template <class T>
cublasStatus_t scal(const call& c, int64_t n, const T* alpha, T* x, int64_t incx) {
  return scale(c, n, alpha, x, incx);
}
template <class T>
cublasStatus_t real_scal(const call& c, int64_t n, const real_of<T>* alpha, T* x, int64_t incx) {
  return scale(c, n, alpha, x, incx);
}

template <class T>
cublasStatus_t axpy(const call& c, int64_t n, const T* alpha, const T* x, int64_t incx, T* y, int64_t incy) {
  checks valid(c);
  valid.indices(n, incx, incy).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return submit(c, static_cast<double>(n), false, [=, a = factor(c, alpha)](memory_accesses& memory) {
    const T by = a.read(memory);
    memory.reads(vector_at(x, n, incx), "x");
    if (!memory.writes(vector_at(y, n, incy), "y")) return;
    const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx), iy = static_cast<blas_int>(incy);
    openblas<T>().axpy(&count, &by, x, &ix, y, &iy);
  });
}

template <class T>
cublasStatus_t copy(const call& c, int64_t n, const T* x, int64_t incx, T* y, int64_t incy) {
  checks valid(c);
  valid.indices(n, incx, incy);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return submit(c, static_cast<double>(n), false, [=](memory_accesses& memory) {
    memory.reads(vector_at(x, n, incx), "x");
    if (!memory.writes(vector_at(y, n, incy), "y")) return;
    const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx), iy = static_cast<blas_int>(incy);
    openblas<T>().copy(&count, x, &ix, y, &iy);
  });
}

// A call that changes two vectors: `change(memory)`, after both were reported.
template <class T, class Change>
cublasStatus_t change_both(const call& c, int64_t n, T* x, int64_t incx, T* y, int64_t incy, Change&& change) {
  return submit(c, static_cast<double>(n), false, [=](memory_accesses& memory) {
    memory.writes(vector_at(x, n, incx), "x");
    if (memory.writes(vector_at(y, n, incy), "y")) change(memory);
  });
}

template <class T>
cublasStatus_t swap(const call& c, int64_t n, T* x, int64_t incx, T* y, int64_t incy) {
  checks valid(c);
  valid.indices(n, incx, incy);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return change_both(c, n, x, incx, y, incy, [=](memory_accesses&) {
    const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx), iy = static_cast<blas_int>(incy);
    openblas<T>().swap(&count, x, &ix, y, &iy);
  });
}

// The product of complex vectors: cdotu of OpenBLAS 0.3.21 fails with AVX-512 and distances. Four sums hide the latency
// of the additions.
template <bool Conjugates, class T>
T complex_dot(int64_t n, const T* x, int64_t incx, const T* y, int64_t incy) {
  arithmetic_of<T> sums[4] = {};
  const auto add = [&](int64_t i) {
    const T left = *element(x, n, incx, i), right = *element(y, n, incy, i);
    const auto sign = Conjugates ? real_of<T>{-1} : real_of<T>{1};
    sums[i % 4] +=
        arithmetic_of<T>(left.x * right.x - sign * left.y * right.y, left.x * right.y + sign * left.y * right.x);
  };
  for (int64_t i = 0; i < n; ++i) add(i);
  const arithmetic_of<T> sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return {sum.real(), sum.imag()};
}

template <bool Conjugates, class T>
cublasStatus_t dot(const call& c, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy, T* result) {
  checks valid(c);
  valid.indices(n, incx, incy).pointers(result);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  return submit_result(c, static_cast<double>(n), result, [=](memory_accesses& memory) {
    if (n <= 0) {
      *result = T{};
      return;
    }
    memory.reads(vector_at(x, n, incx), "x");
    if (!memory.reads(vector_at(y, n, incy), "y")) return;
    if constexpr (is_complex<T>) {
      *result = complex_dot<Conjugates>(n, x, incx, y, incy);
    } else {
      const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx),
                     iy = static_cast<blas_int>(incy);
      *result = openblas<T>().dot(&count, x, &ix, y, &iy);
    }
  });
}
template <class T>
cublasStatus_t dotu(const call& c, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy, T* result) {
  return dot<false>(c, n, x, incx, y, incy, result);
}
template <class T>
cublasStatus_t dotc(const call& c, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy, T* result) {
  return dot<true>(c, n, x, incx, y, incy, result);
}

// Rotates two vectors in place. `Sine`: the type of the numbers, or their real type.
template <class T, class Sine>
cublasStatus_t rot(const call& c, int64_t n, T* x, int64_t incx, T* y, int64_t incy, const real_of<T>* cosine,
                   const Sine* sine) {
  checks valid(c);
  valid.indices(n, incx, incy).pointers(cosine, sine);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto rotate = [=, by_c = factor(c, cosine), by_s = factor(c, sine)](memory_accesses& memory) {
    const real_of<T> cos = by_c.read(memory);
    const Sine sin = by_s.read(memory);
    if (memory.error() != cudaSuccess) return;
    if constexpr (std::is_same_v<Sine, real_of<T>>) {
      const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx),
                     iy = static_cast<blas_int>(incy);
      openblas<T>().rot(&count, x, &ix, y, &iy, &cos, &sin);
    } else {
      for (int64_t i = 0; i < n; ++i) {
        auto& left = *numbers(element(x, n, incx, i));
        auto& right = *numbers(element(y, n, incy, i));
        const auto old = left;
        left = cos * old + number(sin) * right;
        right = cos * right - conjugate(number(sin)) * old;
      }
    }
  };
  return change_both(c, n, x, incx, y, incy, rotate);
}

// A modified Givens rotation: a flag and the elements of the 2 x 2 matrix.
template <class T>
struct rotm_parameters {
  T each[5];
};

template <class T>
cublasStatus_t rotm(const call& c, int64_t n, T* x, int64_t incx, T* y, int64_t incy, const T* param) {
  checks valid(c);
  valid.indices(n, incx, incy).pointers(param);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto* const at = reinterpret_cast<const rotm_parameters<T>*>(param);
  return change_both(c, n, x, incx, y, incy, [=, p = factor(c, at)](memory_accesses& memory) {
    const rotm_parameters<T> numbers = p.read(memory);
    if (memory.error() != cudaSuccess) return;
    const blas_int count = static_cast<blas_int>(n), ix = static_cast<blas_int>(incx), iy = static_cast<blas_int>(incy);
    openblas<T>().rotm(&count, x, &ix, y, &iy, numbers.each);
  });
}

// A call whose operands are single numbers in host or device memory, by the pointer mode.
template <class Compute, class... Numbers>
cublasStatus_t submit_numbers(const call& c, Compute&& compute, Numbers*... each) {
  checks valid(c);
  valid.pointers(each...);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  return submit(c, 1, c.has_host_pointers(), [=, in_device = !c.has_host_pointers()](memory_accesses& memory) {
    if (in_device) (memory.writes(libraries::bytes_at(each, sizeof *each), "a number in device memory"), ...);
    if (memory.error() == cudaSuccess) compute();
  });
}

template <class T>
cublasStatus_t rotg(const call& c, T* a, T* b, real_of<T>* cosine, T* sine) {
  return submit_numbers(c, [=] { openblas<T>().rotg(a, b, cosine, sine); }, a, b, cosine, sine);
}

template <class T>
cublasStatus_t rotmg(const call& c, T* d1, T* d2, T* x1, const T* y1, T* param) {
  auto* const all = reinterpret_cast<rotm_parameters<T>*>(param);
  return submit_numbers(c, [=] { openblas<T>().rotmg(d1, d2, x1, y1, param); }, d1, d2, x1, const_cast<T*>(y1), all);
}

}  // namespace cohort::cublas
