// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of cuBLAS by one name for all types, device vectors, and a model in complex numbers of double precision that
// shares no code with the library. Operands are small integers, so sums and products are exact.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace cublas_test {

// index32::call_gemm(handle, ...) is cublasSgemm, cublasDgemm, cublasCgemm or cublasZgemm; index64 has the _64 forms.
#define COHORT_LIST(...) __VA_ARGS__
#define COHORT_SPACE(bits) COHORT_SPACE_OF(bits)
#define COHORT_SPACE_OF(bits) index##bits
#define COHORT_ROUTINE(name, body, parameters, arguments)                                      \
  namespace COHORT_SPACE(COHORT_INDEX_BITS) {                                                  \
  inline cublasStatus_t call_##body parameters { return name(handle, COHORT_LIST arguments); } \
  }
#include <cudart_detail/cublas/each_type.inc>
#undef COHORT_ROUTINE
#undef COHORT_SPACE_OF
#undef COHORT_SPACE
#undef COHORT_LIST

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

// The triangular matrix in a triangle of `a`.
inline matrix triangle_of(const matrix& a, cublasFillMode_t uplo, cublasDiagType_t diag) {
  matrix result(a.rows, a.columns);
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < a.columns; ++c) {
      if (is_in(uplo, r, c)) result.at(r, c) = r == c && diag == CUBLAS_DIAG_UNIT ? number(1) : a.at(r, c);
    }
  }
  return result;
}

// The symmetric or Hermitian matrix in a triangle of `a`.
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

// The handle and the random numbers of a test. Skipped where OpenBLAS is missing.
template <class T>
class CublasTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cublasCreate(&handle_) == CUBLAS_STATUS_NOT_INITIALIZED) GTEST_SKIP() << "skipped: OpenBLAS is not installed";
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cublasSetStream(handle_, stream_), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (!handle_) return;
    EXPECT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  number random() {
    std::uniform_int_distribution<int> digit(-3, 3);
    const double re = digit(engine_), im = digit(engine_);
    return is_complex<T> ? number(re, im) : number(re);
  }
  numbers random_numbers(int count) {
    numbers values(static_cast<size_t>(count));
    for (number& value : values) value = random();
    return values;
  }
  matrix random_matrix(int rows, int columns) {
    matrix made(rows, columns);
    made.values = random_numbers(rows * columns);
    return made;
  }
  // The storage of a matrix with columns `ld` elements apart. The elements between them are random.
  numbers stored(const matrix& a, int ld) {
    numbers values = random_numbers(ld * a.columns);
    for (int c = 0; c < a.columns; ++c) {
      for (int r = 0; r < a.rows; ++r) values[static_cast<size_t>(r + c * ld)] = a.at(r, c);
    }
    return values;
  }
  // The storage of a vector.
  numbers stored(const numbers& x, int increment) {
    const int n = static_cast<int>(x.size());
    numbers values = random_numbers(1 + std::max(0, n - 1) * std::abs(increment));
    for (int i = 0; i < n; ++i) values[static_cast<size_t>(place_of(i, n, increment))] = x[static_cast<size_t>(i)];
    return values;
  }
  static int place_of(int i, int n, int increment) { return increment > 0 ? i * increment : (i - n + 1) * increment; }

  // Compares a matrix in device memory with the model, and all elements between its columns with what was stored.
  static void expect_matrix(const device_numbers<T>& device, numbers before, const matrix& expected, int ld,
                            double tolerance = 0) {
    for (int c = 0; c < expected.columns; ++c) {
      for (int r = 0; r < expected.rows; ++r) before[static_cast<size_t>(r + c * ld)] = expected.at(r, c);
    }
    expect_numbers(device, before, tolerance);
  }
  static void expect_vector(const device_numbers<T>& device, numbers before, const numbers& expected, int increment,
                            double tolerance = 0) {
    const int n = static_cast<int>(expected.size());
    for (int i = 0; i < n; ++i) {
      before[static_cast<size_t>(place_of(i, n, increment))] = expected[static_cast<size_t>(i)];
    }
    expect_numbers(device, before, tolerance);
  }
  static void expect_numbers(const device_numbers<T>& device, const numbers& expected, double tolerance = 0) {
    const numbers found = device.read();
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_LE(std::abs(found[i] - expected[i]), tolerance)
          << "element " << i << ": " << found[i] << ", expected " << expected[i];
    }
  }
  // A tolerance for results of divisions and roots.
  static constexpr double rounding = std::is_same_v<real_of<T>, float> ? 2e-4 : 1e-11;

  cublasHandle_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::mt19937 engine_{7};
};

using all_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;

}  // namespace cublas_test
