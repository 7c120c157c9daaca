// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of factorizations: the product of the factors is the matrix, and solutions solve the system.
#include <utility>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;
using namespace cublas_test::index32;

template <class T>
class Factorizations : public CublasTest<T> {
 protected:
  static constexpr int count = 3;

  // Random matrices, two of which need an exchange of rows.
  std::vector<matrix> random_batch(int rows, int columns) {
    std::vector<matrix> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(this->random_matrix(rows, columns));
      for (int d = 0; d < columns; ++d) all.back().at(d, d) += i == 0 ? 9 : 0.5;
    }
    return all;
  }
  numbers stored_batch(const std::vector<matrix>& all) {
    numbers values;
    for (const matrix& one : all) values.insert(values.end(), one.values.begin(), one.values.end());
    return values;
  }
  static std::vector<T*> pointers(const device_numbers<T>& device, int distance) {
    std::vector<T*> each;
    for (int i = 0; i < count; ++i) each.push_back(device.get() + i * distance);
    return each;
  }
  static const T* const* as_const(T* const* array) { return const_cast<const T* const*>(array); }
  static matrix part(const numbers& values, int rows, int columns, int i) {
    matrix one(rows, columns);
    std::copy_n(values.begin() + i * rows * columns, rows * columns, one.values.begin());
    return one;
  }
  static void expect_close(const matrix& found, const matrix& expected) {
    for (size_t i = 0; i < expected.values.size(); ++i) {
      ASSERT_LE(std::abs(found.values[i] - expected.values[i]), tolerance) << "element " << i;
    }
  }
  static matrix identity(int n) {
    matrix one(n, n);
    for (int i = 0; i < n; ++i) one.at(i, i) = 1;
    return one;
  }
  static constexpr double tolerance = std::is_same_v<real_of<T>, float> ? 2e-2 : 1e-9;
};
TYPED_TEST_SUITE(Factorizations, all_types);

TYPED_TEST(Factorizations, LuSolvesAndInverts) {
  using T = TypeParam;
  const int n = 7, nrhs = 2, batch = this->count;
  const std::vector<matrix> all = this->random_batch(n, n);
  for (bool pivots : {true, false}) {
    const device_numbers<T> lu(this->stored_batch(all)), inverses(this->random_numbers(n * n * batch));
    const device_array<T*> a(this->pointers(lu, n * n)), c(this->pointers(inverses, n * n));
    const device_array<int> order(std::vector<int>(static_cast<size_t>(n * batch), -1));
    const device_array<int> info(std::vector<int>(static_cast<size_t>(batch), -1));
    int* const rows = pivots ? order.get() : nullptr;
    ASSERT_EQ(call_getrf_batched(this->handle_, n, a.get(), n, rows, info.get(), batch), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(info.read(), std::vector<int>(static_cast<size_t>(batch), 0));
    const numbers found = lu.read();
    const std::vector<int> exchanged = order.read();
    for (int i = 0; i < (pivots ? batch : 1); ++i) {
      const matrix one = this->part(found, n, n, i);
      matrix permuted = product(triangle_of(one, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT),
                                triangle_of(one, CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT));
      for (int row = n; pivots && row-- > 0;) {
        const int other = exchanged[static_cast<size_t>(i * n + row)] - 1;
        for (int column = 0; column < n; ++column) std::swap(permuted.at(row, column), permuted.at(other, column));
      }
      this->expect_close(permuted, all[static_cast<size_t>(i)]);
    }
    if (!pivots) continue;
    for (cublasOperation_t op : operations) {
      const matrix x = this->random_matrix(n, nrhs);
      numbers right;
      for (const matrix& one : all) {
        const matrix side = product(apply(op, one), x);
        right.insert(right.end(), side.values.begin(), side.values.end());
      }
      const device_numbers<T> sides(right);
      const device_array<T*> b(this->pointers(sides, n * nrhs));
      int host_info = -1;
      ASSERT_EQ(call_getrs_batched(this->handle_, op, n, nrhs, this->as_const(a.get()), n, rows, b.get(), n, &host_info,
                                   batch),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(host_info, 0);
      const numbers solved = sides.read();
      for (int i = 0; i < batch; ++i) this->expect_close(this->part(solved, n, nrhs, i), x);
    }
    ASSERT_EQ(call_getri_batched(this->handle_, n, this->as_const(a.get()), n, rows, c.get(), n, info.get(), batch),
              CUBLAS_STATUS_SUCCESS);
    const numbers inverse = inverses.read();
    for (int i = 0; i < batch; ++i) {
      this->expect_close(product(this->part(inverse, n, n, i), all[static_cast<size_t>(i)]), this->identity(n));
    }
  }
}

TYPED_TEST(Factorizations, MatinvInverts) {
  using T = TypeParam;
  const int n = 5, batch = this->count;
  const std::vector<matrix> all = this->random_batch(n, n);
  const device_numbers<T> sources(this->stored_batch(all)), inverses(this->random_numbers(n * n * batch));
  const device_array<T*> a(this->pointers(sources, n * n)), c(this->pointers(inverses, n * n));
  const device_array<int> info(std::vector<int>(static_cast<size_t>(batch), -1));
  ASSERT_EQ(call_matinv_batched(this->handle_, n, this->as_const(a.get()), n, c.get(), n, info.get(), batch),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info.read(), std::vector<int>(static_cast<size_t>(batch), 0));
  this->expect_numbers(sources, this->stored_batch(all));
  const numbers inverse = inverses.read();
  for (int i = 0; i < batch; ++i) {
    this->expect_close(product(this->part(inverse, n, n, i), all[static_cast<size_t>(i)]), this->identity(n));
  }
  EXPECT_EQ(call_matinv_batched(this->handle_, 33, this->as_const(a.get()), 33, c.get(), 33, info.get(), batch),
            CUBLAS_STATUS_INVALID_VALUE);
}

TYPED_TEST(Factorizations, SingularMatricesAreNamed) {
  using T = TypeParam;
  const device_numbers<T> zeros(numbers(4)), result(numbers(4));
  const device_array<T*> a({zeros.get()}), c({result.get()});
  const device_array<int> pivots({0, 0}), info({-1});
  ASSERT_EQ(call_getrf_batched(this->handle_, 2, a.get(), 2, pivots.get(), info.get(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info.read(), std::vector<int>{1});
  ASSERT_EQ(call_getri_batched(this->handle_, 2, this->as_const(a.get()), 2, pivots.get(), c.get(), 2, info.get(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info.read(), std::vector<int>{1});
  ASSERT_EQ(call_matinv_batched(this->handle_, 2, this->as_const(a.get()), 2, c.get(), 2, info.get(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info.read(), std::vector<int>{1});
}

// |det R| of a square matrix is |det A|, and R' * R is A' * A.
TYPED_TEST(Factorizations, GeqrfKeepsTheGramMatrix) {
  using T = TypeParam;
  const int m = 8, n = 5, batch = this->count;
  const std::vector<matrix> all = this->random_batch(m, n);
  const device_numbers<T> qr(this->stored_batch(all)), factors(this->random_numbers(n * batch));
  const device_array<T*> a(this->pointers(qr, m * n)), tau(this->pointers(factors, n));
  int info = -1;
  ASSERT_EQ(call_geqrf_batched(this->handle_, m, n, a.get(), m, tau.get(), &info, batch), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info, 0);
  const numbers found = qr.read();
  for (int i = 0; i < batch; ++i) {
    const matrix r = triangle_of(this->part(found, m, n, i), CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
    const matrix& one = all[static_cast<size_t>(i)];
    this->expect_close(product(apply(CUBLAS_OP_C, r), r), product(apply(CUBLAS_OP_C, one), one));
  }
}

// The residual of a least squares solution is orthogonal to the columns.
TYPED_TEST(Factorizations, GelsMinimizesTheResidual) {
  using T = TypeParam;
  const int m = 9, n = 4, nrhs = 2, batch = this->count;
  const std::vector<matrix> all = this->random_batch(m, n), right = this->random_batch(m, nrhs);
  const device_numbers<T> left(this->stored_batch(all)), sides(this->stored_batch(right));
  const device_array<T*> a(this->pointers(left, m * n)), c(this->pointers(sides, m * nrhs));
  const device_array<int> infos(std::vector<int>(static_cast<size_t>(batch), -1));
  int info = -1;
  ASSERT_EQ(
      call_gels_batched(this->handle_, CUBLAS_OP_N, m, n, nrhs, a.get(), m, c.get(), m, &info, infos.get(), batch),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(infos.read(), std::vector<int>(static_cast<size_t>(batch), 0));
  const numbers found = sides.read();
  for (int i = 0; i < batch; ++i) {
    const matrix whole = this->part(found, m, nrhs, i);
    matrix x(n, nrhs);
    for (int r = 0; r < n; ++r) {
      for (int column = 0; column < nrhs; ++column) x.at(r, column) = whole.at(r, column);
    }
    const matrix& one = all[static_cast<size_t>(i)];
    const matrix residual = sum(1, product(one, x), -1, right[static_cast<size_t>(i)]);
    this->expect_close(product(apply(CUBLAS_OP_C, one), residual), matrix(n, nrhs));
  }
  EXPECT_EQ(
      call_gels_batched(this->handle_, CUBLAS_OP_T, m, n, nrhs, a.get(), m, c.get(), m, &info, infos.get(), batch),
      CUBLAS_STATUS_NOT_SUPPORTED);
}

}  // namespace
