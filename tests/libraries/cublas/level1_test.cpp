// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 1 of cuBLAS: each routine, with positive, negative and large increments.
#include <cmath>
#include <utility>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;
using namespace cublas_test::index32;

template <class T>
class Level1 : public CublasTest<T> {
 protected:
  double size_of(number value) { return std::abs(value.real()) + std::abs(value.imag()); }
};
TYPED_TEST_SUITE(Level1, all_types);

constexpr int lengths[] = {1, 2, 31, 100};
constexpr int increment_pairs[][2] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}, {-2, -1}};

TYPED_TEST(Level1, Reductions) {
  using T = TypeParam;
  for (int n : lengths) {
    for (int inc : {1, 3}) {
      numbers x = this->random_numbers(n);
      x[static_cast<size_t>(n) / 2] = 9;
      const device_numbers<T> dx(this->stored(x, inc));
      double squares = 0, sizes = 0;
      size_t largest = 0, smallest = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        squares += std::norm(x[i]);
        sizes += this->size_of(x[i]);
        if (this->size_of(x[i]) > this->size_of(x[largest])) largest = i;
        if (this->size_of(x[i]) < this->size_of(x[smallest])) smallest = i;
      }
      real_of<T> norm = -1, total = -1;
      int at_largest = -1, at_smallest = -1;
      ASSERT_EQ(call_nrm2(this->handle_, n, dx.get(), inc, &norm), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(call_asum(this->handle_, n, dx.get(), inc, &total), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(call_amax(this->handle_, n, dx.get(), inc, &at_largest), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(call_amin(this->handle_, n, dx.get(), inc, &at_smallest), CUBLAS_STATUS_SUCCESS);
      EXPECT_NEAR(norm, std::sqrt(squares), this->rounding);
      EXPECT_EQ(total, sizes);
      EXPECT_EQ(at_largest, static_cast<int>(largest) + 1);
      EXPECT_EQ(at_smallest, static_cast<int>(smallest) + 1);
    }
  }
}

TYPED_TEST(Level1, ReductionsOfNothingAreZero) {
  using T = TypeParam;
  const device_numbers<T> dx(this->random_numbers(3));
  for (const auto& [n, inc] : {std::pair{0, 1}, {-1, 1}, {3, 0}, {3, -1}}) {
    real_of<T> norm = -1, total = -1;
    int at_largest = -1, at_smallest = -1;
    ASSERT_EQ(call_nrm2(this->handle_, n, dx.get(), inc, &norm), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(call_asum(this->handle_, n, dx.get(), inc, &total), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(call_amax(this->handle_, n, dx.get(), inc, &at_largest), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(call_amin(this->handle_, n, dx.get(), inc, &at_smallest), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(norm, 0);
    EXPECT_EQ(total, 0);
    EXPECT_EQ(at_largest, 0);
    EXPECT_EQ(at_smallest, 0);
  }
}

TYPED_TEST(Level1, NaNIsNeitherLargestNorSmallest) {
  using T = TypeParam;
  const device_numbers<T> x({std::nan(""), 2, std::nan(""), -5, 1, std::nan("")});
  int at_largest = 0, at_smallest = 0;
  ASSERT_EQ(call_amax(this->handle_, 6, x.get(), 1, &at_largest), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(call_amin(this->handle_, 6, x.get(), 1, &at_smallest), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(at_largest, 4);
  EXPECT_EQ(at_smallest, 5);
}

TYPED_TEST(Level1, TwoVectors) {
  using T = TypeParam;
  for (int n : lengths) {
    for (const auto& [incx, incy] : increment_pairs) {
      const numbers x = this->random_numbers(n), y = this->random_numbers(n);
      const numbers sx = this->stored(x, incx), sy = this->stored(y, incy);
      const number alpha = this->random();
      const T by = from<T>(alpha);
      numbers sums = y;
      number dot = 0, conjugated = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        sums[i] += alpha * x[i];
        dot += x[i] * y[i];
        conjugated += std::conj(x[i]) * y[i];
      }
      const device_numbers<T> dx(sx), dy(sy), copied(sy), left(sx), right(sy);
      T found{};
      ASSERT_EQ(call_dotu(this->handle_, n, dx.get(), incx, dy.get(), incy, &found), CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(to(found), dot);
      if constexpr (is_complex<T>) {
        ASSERT_EQ(call_dotc(this->handle_, n, dx.get(), incx, dy.get(), incy, &found), CUBLAS_STATUS_SUCCESS);
        EXPECT_EQ(to(found), conjugated);
      }
      ASSERT_EQ(call_axpy(this->handle_, n, &by, dx.get(), incx, dy.get(), incy), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(dy, sy, sums, incy);
      ASSERT_EQ(call_copy(this->handle_, n, dx.get(), incx, copied.get(), incy), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(copied, sy, x, incy);
      ASSERT_EQ(call_swap(this->handle_, n, left.get(), incx, right.get(), incy), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(left, sx, y, incx);
      this->expect_vector(right, sy, x, incy);
    }
  }
}

TYPED_TEST(Level1, Scal) {
  using T = TypeParam;
  for (int n : lengths) {
    for (int inc : {1, 3}) {
      const numbers x = this->random_numbers(n), sx = this->stored(x, inc);
      const number alpha = this->random();
      const T by = from<T>(alpha);
      numbers scaled = x;
      for (number& value : scaled) value *= alpha;
      const device_numbers<T> dx(sx);
      ASSERT_EQ(call_scal(this->handle_, n, &by, dx.get(), inc), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(dx, sx, scaled, inc);
      if constexpr (is_complex<T>) {
        const real_of<T> half = 0.5;
        for (number& value : scaled) value *= 0.5;
        ASSERT_EQ(call_real_scal(this->handle_, n, &half, dx.get(), inc), CUBLAS_STATUS_SUCCESS);
        this->expect_vector(dx, sx, scaled, inc);
      }
    }
  }
}

TYPED_TEST(Level1, ScalByZeroKeepsNaN) {
  using T = TypeParam;
  const device_numbers<T> dx({std::nan(""), 2});
  const T zero{};
  ASSERT_EQ(call_scal(this->handle_, 2, &zero, dx.get(), 1), CUBLAS_STATUS_SUCCESS);
  const numbers found = dx.read();
  EXPECT_TRUE(std::isnan(found[0].real()));
  EXPECT_EQ(found[1], number(0));
}

TYPED_TEST(Level1, Rot) {
  using T = TypeParam;
  for (const auto& [incx, incy] : increment_pairs) {
    const int n = 17;
    const numbers x = this->random_numbers(n), y = this->random_numbers(n);
    const numbers sx = this->stored(x, incx), sy = this->stored(y, incy);
    const real_of<T> c = 2;
    const number s = this->random();
    const T sine = from<T>(s);
    numbers left = x, right = y;
    for (size_t i = 0; i < x.size(); ++i) {
      left[i] = 2.0 * x[i] + s * y[i];
      right[i] = 2.0 * y[i] - std::conj(s) * x[i];
    }
    const device_numbers<T> dx(sx), dy(sy);
    ASSERT_EQ(call_rot(this->handle_, n, dx.get(), incx, dy.get(), incy, &c, &sine), CUBLAS_STATUS_SUCCESS);
    this->expect_vector(dx, sx, left, incx);
    this->expect_vector(dy, sy, right, incy);
    if constexpr (is_complex<T>) {
      const real_of<T> real_sine = 3;
      for (size_t i = 0; i < x.size(); ++i) {
        left[i] = 2.0 * x[i] + 3.0 * y[i];
        right[i] = 2.0 * y[i] - 3.0 * x[i];
      }
      const device_numbers<T> ex(sx), ey(sy);
      ASSERT_EQ(call_rot(this->handle_, n, ex.get(), incx, ey.get(), incy, &c, &real_sine), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(ex, sx, left, incx);
      this->expect_vector(ey, sy, right, incy);
    }
  }
}

// The rotation maps (a, b) to (r, 0).
TYPED_TEST(Level1, Rotg) {
  using T = TypeParam;
  const number a0(3, is_complex<T> ? 1 : 0), b0(4, is_complex<T> ? -2 : 0);
  T a = from<T>(a0), b = from<T>(b0), s{};
  real_of<T> c = 0;
  ASSERT_EQ(call_rotg(this->handle_, &a, &b, &c, &s), CUBLAS_STATUS_SUCCESS);
  const double cosine = c;
  EXPECT_NEAR(std::abs(cosine * a0 + to(s) * b0 - to(a)), 0, this->rounding);
  EXPECT_NEAR(std::abs(cosine * b0 - std::conj(to(s)) * a0), 0, this->rounding);
  EXPECT_NEAR(cosine * cosine + std::norm(to(s)), 1, this->rounding);
}

template <class T>
class ModifiedRotations : public CublasTest<T> {};
using real_types = testing::Types<float, double>;
TYPED_TEST_SUITE(ModifiedRotations, real_types);

TYPED_TEST(ModifiedRotations, AllForms) {
  using T = TypeParam;
  for (double flag : {-2., -1., 0., 1.}) {
    const T param[5] = {static_cast<T>(flag), 2, 3, -1, 4};  // flag, h11, h21, h12, h22
    const double h11 = flag == -1 || flag == 1 ? 2 : 1, h22 = flag == -1 || flag == 1 ? 4 : 1;
    const double h12 = flag == -1 || flag == 0 ? -1 : flag == 1 ? 1 : 0;
    const double h21 = flag == -1 || flag == 0 ? 3 : flag == 1 ? -1 : 0;
    const numbers x = this->random_numbers(9), y = this->random_numbers(9);
    numbers left = x, right = y;
    for (size_t i = 0; i < x.size(); ++i) {
      left[i] = h11 * x[i] + h12 * y[i];
      right[i] = h21 * x[i] + h22 * y[i];
    }
    const device_numbers<T> dx(x), dy(y);
    ASSERT_EQ(call_rotm(this->handle_, 9, dx.get(), 1, dy.get(), 1, param), CUBLAS_STATUS_SUCCESS);
    this->expect_numbers(dx, left);
    this->expect_numbers(dy, right);
  }
}

// The second component of H * (sqrt(d1) * x1, sqrt(d2) * y1) is 0.
TYPED_TEST(ModifiedRotations, Rotmg) {
  using T = TypeParam;
  T d1 = 2, d2 = 3, x1 = 1, y1 = 2, param[5] = {};
  ASSERT_EQ(call_rotmg(this->handle_, &d1, &d2, &x1, &y1, param), CUBLAS_STATUS_SUCCESS);
  const bool is_full = param[0] == -1;
  const double h21 = is_full || param[0] == 0 ? param[2] : -1, h22 = is_full || param[0] == 1 ? param[4] : 1;
  EXPECT_NEAR(h21 * 1 + h22 * 2, 0, this->rounding);
}

}  // namespace
