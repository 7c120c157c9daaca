// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of cuSOLVER's tests, and its calls under one name for all types. Results are checked by their
// definitions, such as A = L * U, in complex numbers of double precision.
#pragma once

#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "../common/matrices.hpp"

namespace cusolver_test {

// call_potrf(T()) is cusolverDnSpotrf, cusolverDnDpotrf, cusolverDnCpotrf or cusolverDnZpotrf.
#define COHORT_ROUTINE(name, stem, parameters, ...) \
  inline auto call_##stem(COHORT_T) { return name; }
#include <cudart_detail/cusolver/each_type.inc>
#undef COHORT_ROUTINE

using namespace libraries_test;

template <class T>
constexpr cudaDataType type_of() {
  if (is_complex<T>) return std::is_same_v<real_of<T>, float> ? CUDA_C_32F : CUDA_C_64F;
  return std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
}

inline matrix identity(int n) {
  matrix one(n, n);
  for (int i = 0; i < n; ++i) one.at(i, i) = 1;
  return one;
}
inline matrix adjoint(const matrix& a) { return apply(CUBLAS_OP_C, a); }
inline matrix part(const matrix& a, int rows, int columns) {
  matrix some(rows, columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) some.at(r, c) = a.at(r, c);
  }
  return some;
}
template <class Reals>
matrix diagonal(int rows, int columns, const Reals& values) {
  matrix made(rows, columns);
  for (int i = 0; i < std::min({rows, columns, static_cast<int>(values.size())}); ++i) {
    made.at(i, i) = values[static_cast<size_t>(i)];
  }
  return made;
}

// Holds the handle and the random numbers of a test, which is skipped where OpenBLAS is missing.
template <class T>
class CusolverTest : public testing::Test {
 protected:
  using R = real_of<T>;

  void SetUp() override {
    if (cusolverDnCreate(&handle_) == CUSOLVER_STATUS_NOT_INITIALIZED) {
      GTEST_SKIP() << "skipped: OpenBLAS is not installed";
    }
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cusolverDnSetStream(handle_, stream_), CUSOLVER_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (!handle_) return;
    EXPECT_EQ(cusolverDnDestroy(handle_), CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  number random() {
    std::uniform_real_distribution<float> within(-1, 1);
    const double re = within(engine_), im = within(engine_);
    return is_complex<T> ? number(re, im) : number(re);
  }
  matrix random_matrix(int rows, int columns) {
    matrix made(rows, columns);
    for (number& value : made.values) value = random();
    return made;
  }
  // A random symmetric matrix for real types, a Hermitian one for complex types.
  matrix random_hermitian(int n) { return mirrored(rounded(random_matrix(n, n)), CUBLAS_FILL_MODE_LOWER, true); }
  matrix random_definite(int n) {
    const matrix a = random_matrix(n, n);
    return mirrored(rounded(sum(1, product(a, adjoint(a)), 1, identity(n))), CUBLAS_FILL_MODE_LOWER, true);
  }
  // The matrix with its elements rounded to type T.
  static matrix rounded(matrix a) {
    for (number& value : a.values) value = to(from<T>(value));
    return a;
  }

  // The storage of matrices one after the other, with columns `ld` elements apart and marks between them.
  static numbers stored(const std::vector<matrix>& all, int ld) {
    numbers values;
    for (const matrix& a : all) {
      for (int c = 0; c < a.columns; ++c) {
        for (int r = 0; r < ld; ++r) values.push_back(r < a.rows ? a.at(r, c) : number(mark));
      }
    }
    return values;
  }
  static numbers stored(const matrix& a, int ld) { return stored(std::vector<matrix>{a}, ld); }
  // Reads matrix `i` from device memory, and expects the marks between its columns.
  static matrix read(const device_numbers<T>& device, int rows, int columns, int ld, int i = 0) {
    const numbers values = device.read();
    matrix found(rows, columns);
    for (int c = 0; c < columns; ++c) {
      for (int r = 0; r < ld; ++r) {
        const number value = values.at(static_cast<size_t>((i * columns + c) * ld + r));
        if (r < rows) {
          found.at(r, c) = value;
        } else {
          EXPECT_EQ(value, number(mark)) << "between columns, row " << r << ", column " << c;
        }
      }
    }
    return found;
  }
  static numbers empty(int ld, int columns) { return stored(matrix(0, columns), ld); }

  // Expects that the matrices differ by no more than the rounding of a computation with operands of at most `scale`.
  static void expect_close(const matrix& found, const matrix& expected, double scale = 1) {
    ASSERT_EQ(found.values.size(), expected.values.size());
    double largest = scale;
    for (const number& value : expected.values) largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < expected.values.size(); ++i) {
      ASSERT_LE(std::abs(found.values[i] - expected.values[i]), tolerance * largest)
          << "element " << i << ": " << found.values[i] << ", expected " << expected.values[i];
    }
  }
  static void expect_orthonormal(const matrix& q) { expect_close(product(adjoint(q), q), identity(q.columns)); }
  template <class Reals>
  static void expect_ascending(const Reals& values) {
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  }

  // Calls `size(&lwork)`, then `run(work, lwork, info)` with such a work space. A space with `missing` fewer numbers
  // must be refused.
  template <class Size, class Run>
  void in_work(Size&& size, Run&& run, const std::vector<int>& expected = {0}, int missing = 1) {
    int lwork = -1;
    ASSERT_EQ(size(&lwork), CUSOLVER_STATUS_SUCCESS);
    ASSERT_GE(lwork, 1);
    const device_numbers<T> work(numbers(static_cast<size_t>(lwork), number(std::numeric_limits<double>::quiet_NaN())));
    const device_array<int> info(std::vector<int>(expected.size(), -7));
    if (lwork > missing) {
      EXPECT_EQ(run(work.get(), lwork - missing, info.get()), CUSOLVER_STATUS_INVALID_VALUE);
    }
    EXPECT_EQ(run(work.get(), lwork, nullptr), CUSOLVER_STATUS_INVALID_VALUE);
    ASSERT_EQ(run(work.get(), lwork, info.get()), CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(info.read(), expected);
  }
  // Calls a routine that has types as arguments and work spaces measured in bytes.
  template <class Size, class Run>
  void in_bytes(Size&& size, Run&& run, const std::vector<int>& expected = {0}) {
    size_t device = 0, host = 1;
    ASSERT_EQ(size(&device, &host), CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(host, 0u);
    ASSERT_GE(device, sizeof(T));
    const device_array<char> work(std::vector<char>(device, 1));
    const device_array<int> info(std::vector<int>(expected.size(), -7));
    if (device > sizeof(T)) {
      EXPECT_EQ(run(work.get(), device - 1, info.get()), CUSOLVER_STATUS_INVALID_VALUE);
    }
    ASSERT_EQ(run(work.get(), device, info.get()), CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(info.read(), expected);
  }

  static constexpr double mark = 77;
  static constexpr double tolerance = std::is_same_v<R, float> ? 2e-4 : 1e-12;
  static constexpr int sizes[4] = {1, 2, 7, 33};

  cusolverDnHandle_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::mt19937 engine_{7};
};

}  // namespace cusolver_test
