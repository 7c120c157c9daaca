// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in device memory, and a model of matrices in complex numbers of double precision that shares no code with the
// libraries.
#pragma once

#include <cublas_api.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace libraries_test {

using number = std::complex<double>;
using numbers = std::vector<number>;

template <class T>
inline constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T>
using real_of = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, cuComplex>, float, double>;

template <class T>
T from(number value) {
  if constexpr (is_complex<T>) {
    T made;
    made.x = static_cast<real_of<T>>(value.real());
    made.y = static_cast<real_of<T>>(value.imag());
    return made;
  } else {
    return static_cast<T>(value.real());
  }
}
template <class T>
number to(T value) {
  if constexpr (is_complex<T>) {
    return {value.x, value.y};
  } else {
    return value;
  }
}

// Numbers in device memory.
template <class T>
class device_numbers {
 public:
  explicit device_numbers(const numbers& values) : count_(values.size()) {
    std::vector<T> host;
    for (const number& value : values) host.push_back(from<T>(value));
    EXPECT_EQ(cudaMalloc(&at_, sizeof(T) * (count_ + 1)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at_, host.data(), sizeof(T) * count_, cudaMemcpyHostToDevice), cudaSuccess);
  }
  device_numbers(const device_numbers&) = delete;
  ~device_numbers() { cudaFree(at_); }
  T* get() const { return at_; }
  // Waits for the work of all streams.
  numbers read() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<T> host(count_);
    EXPECT_EQ(cudaMemcpy(host.data(), at_, sizeof(T) * count_, cudaMemcpyDeviceToHost), cudaSuccess);
    numbers values;
    for (const T& value : host) values.push_back(to(value));
    return values;
  }

 private:
  size_t count_;
  T* at_ = nullptr;
};

// An array of any type in device memory.
template <class E>
class device_array {
 public:
  explicit device_array(const std::vector<E>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&at_, sizeof(E) * count_), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at_, values.data(), sizeof(E) * count_, cudaMemcpyHostToDevice), cudaSuccess);
  }
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(at_); }
  E* get() const { return at_; }
  std::vector<E> read() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<E> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), at_, sizeof(E) * count_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  size_t count_;
  E* at_ = nullptr;
};

inline constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
inline constexpr cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
inline constexpr cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
inline constexpr cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

// A matrix of the model, column by column.
struct matrix {
  int rows, columns;
  numbers values;

  matrix(int r, int c) : rows(r), columns(c), values(static_cast<size_t>(r) * static_cast<size_t>(c)) {}
  number& at(int r, int c) { return values[static_cast<size_t>(r + c * rows)]; }
  const number& at(int r, int c) const { return values[static_cast<size_t>(r + c * rows)]; }
};

inline matrix apply(cublasOperation_t op, const matrix& a) {
  if (op == CUBLAS_OP_N) return a;
  matrix turned(a.columns, a.rows);
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < a.columns; ++c) turned.at(c, r) = op == CUBLAS_OP_C ? std::conj(a.at(r, c)) : a.at(r, c);
  }
  return turned;
}

inline matrix product(const matrix& a, const matrix& b) {
  matrix result(a.rows, b.columns);
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < b.columns; ++c) {
      for (int k = 0; k < a.columns; ++k) result.at(r, c) += a.at(r, k) * b.at(k, c);
    }
  }
  return result;
}

// alpha * a + beta * b
inline matrix sum(number alpha, const matrix& a, number beta, const matrix& b) {
  matrix result(a.rows, a.columns);
  for (size_t i = 0; i < a.values.size(); ++i) result.values[i] = alpha * a.values[i] + beta * b.values[i];
  return result;
}

inline bool is_in(cublasFillMode_t uplo, int row, int column) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
}

// The triangular matrix that a triangle of `a` stores.
inline matrix triangle_of(const matrix& a, cublasFillMode_t uplo, cublasDiagType_t diag) {
  matrix result(a.rows, a.columns);
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < a.columns; ++c) {
      if (is_in(uplo, r, c)) result.at(r, c) = r == c && diag == CUBLAS_DIAG_UNIT ? number(1) : a.at(r, c);
    }
  }
  return result;
}

// The symmetric or Hermitian matrix that a triangle of `a` stores.
inline matrix mirrored(const matrix& a, cublasFillMode_t uplo, bool is_hermitian) {
  matrix result(a.rows, a.columns);
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < a.columns; ++c) {
      const number other = is_hermitian ? std::conj(a.at(c, r)) : a.at(c, r);
      result.at(r, c) = is_in(uplo, r, c) ? a.at(r, c) : other;
      if (r == c && is_hermitian) result.at(r, c) = a.at(r, c).real();
    }
  }
  return result;
}

using all_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;

}  // namespace libraries_test
