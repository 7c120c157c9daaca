// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of cuBLAS's tests, and its calls under one name for all types. Operands are small integers, so sums and
// products are exact.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "../common/matrices.hpp"

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

using namespace libraries_test;

// Holds the handle and the random numbers of a test, which is skipped where OpenBLAS is missing.
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

  // Compares a matrix in device memory with the model, and the elements between its columns with the stored ones.
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

}  // namespace cublas_test
