// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors, by their definition: where A has an element, the product of the factors equals it. Systems with
// three and five diagonals: the matrix times the solution is the right-hand side.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

// cuSPARSE's functions for one type, under names without the type.
template <class T>
struct routines;
#define COHORT_TEST_ROUTINES(X, T, type)                                                      \
  template <>                                                                                 \
  struct routines<T> {                                                                        \
    static constexpr cudaDataType data_type = type;                                           \
    static constexpr auto lu_size = cusparse##X##csrilu02_bufferSize;                         \
    static constexpr auto lu_analysis = cusparse##X##csrilu02_analysis;                       \
    static constexpr auto lu = cusparse##X##csrilu02;                                         \
    static constexpr auto lu_boost = cusparse##X##csrilu02_numericBoost;                      \
    static constexpr auto cholesky_size = cusparse##X##csric02_bufferSize;                    \
    static constexpr auto cholesky_analysis = cusparse##X##csric02_analysis;                  \
    static constexpr auto cholesky = cusparse##X##csric02;                                    \
    static constexpr auto gtsv2_size = cusparse##X##gtsv2_bufferSizeExt;                      \
    static constexpr auto gtsv2 = cusparse##X##gtsv2;                                         \
    static constexpr auto gtsv2_nopivot_size = cusparse##X##gtsv2_nopivot_bufferSizeExt;      \
    static constexpr auto gtsv2_nopivot = cusparse##X##gtsv2_nopivot;                         \
    static constexpr auto strided_size = cusparse##X##gtsv2StridedBatch_bufferSizeExt;        \
    static constexpr auto strided = cusparse##X##gtsv2StridedBatch;                           \
    static constexpr auto interleaved_size = cusparse##X##gtsvInterleavedBatch_bufferSizeExt; \
    static constexpr auto interleaved = cusparse##X##gtsvInterleavedBatch;                    \
    static constexpr auto five_size = cusparse##X##gpsvInterleavedBatch_bufferSizeExt;        \
    static constexpr auto five = cusparse##X##gpsvInterleavedBatch;                           \
  };
COHORT_TEST_ROUTINES(S, float, CUDA_R_32F)
COHORT_TEST_ROUTINES(D, double, CUDA_R_64F)
COHORT_TEST_ROUTINES(C, cuComplex, CUDA_C_32F)
COHORT_TEST_ROUTINES(Z, cuDoubleComplex, CUDA_C_64F)

template <class T>
class Factors : public CusparseTest {
 protected:
  using R = routines<T>;
  static constexpr cudaDataType type = R::data_type;
  static constexpr double tolerance = type == CUDA_R_32F || type == CUDA_C_32F ? 2e-3 : 1e-10;

  void SetUp() override {
    CusparseTest::SetUp();
    ASSERT_EQ(cusparseCreateMatDescr(&descr_), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateCsrilu02Info(&lu_), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateCsric02Info(&cholesky_), CUSPARSE_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cusparseDestroyMatDescr(descr_), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseDestroyCsrilu02Info(lu_), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseDestroyCsric02Info(cholesky_), CUSPARSE_STATUS_SUCCESS);
    CusparseTest::TearDown();
  }

  // A Hermitian matrix with a large diagonal.
  matrix random_hermitian(int64_t n) {
    matrix m(n, n);
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < r; ++c) {
        if (engine_() % 3 != 0) continue;
        const number value = random(type);
        m.put(r, c, value);
        m.put(c, r, std::conj(value));
      }
      m.put(r, r, 60);
    }
    return m;
  }
  // Sorted CSR arrays of a matrix.
  struct arrays {
    std::vector<int64_t> offsets, columns;
    numbers values;
  };
  static arrays arrays_of(const matrix& m, int64_t base) {
    arrays a{{base}, {}, {}};
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) {
        if (m.has(r, c)) a.columns.push_back(c + base), a.values.push_back(m(r, c));
      }
      a.offsets.push_back(static_cast<int64_t>(a.columns.size()) + base);
    }
    return a;
  }
  // Factorizes in device memory and returns the values in the pattern of the matrix. `position` receives the result of
  // zeroPivot, whose status must be `pivots`.
  matrix factorize(const matrix& m, bool is_lu, int64_t base, int* position, cusparseStatus_t pivots) {
    EXPECT_EQ(cusparseSetMatIndexBase(descr_, static_cast<cusparseIndexBase_t>(base)), CUSPARSE_STATUS_SUCCESS);
    const arrays a = arrays_of(m, base);
    const device_indices offsets(CUSPARSE_INDEX_32I, a.offsets), columns(CUSPARSE_INDEX_32I, a.columns);
    const device_numbers values(type, a.values);
    const int n = static_cast<int>(m.rows), entries = static_cast<int>(a.values.size());
    auto* const v = static_cast<T*>(values.get());
    auto* const o = static_cast<int*>(offsets.get());
    auto* const c = static_cast<int*>(columns.get());
    constexpr auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
    int size = 0;
    if (is_lu) {
      EXPECT_EQ(R::lu_size(handle_, n, entries, descr_, v, o, c, lu_, &size), CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::lu_analysis(handle_, n, entries, descr_, v, o, c, lu_, policy, nullptr), CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::lu(handle_, n, entries, descr_, v, o, c, lu_, policy, nullptr), CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(cusparseXcsrilu02_zeroPivot(handle_, lu_, position), pivots);
    } else {
      EXPECT_EQ(R::cholesky_size(handle_, n, entries, descr_, v, o, c, cholesky_, &size), CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::cholesky_analysis(handle_, n, entries, descr_, v, o, c, cholesky_, policy, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::cholesky(handle_, n, entries, descr_, v, o, c, cholesky_, policy, nullptr), CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(cusparseXcsric02_zeroPivot(handle_, cholesky_, position), pivots);
    }
    const numbers found = values.read();
    matrix result(m.rows, m.columns);
    size_t k = 0;
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t i = 0; i < m.columns; ++i) {
        if (m.has(r, i)) result.put(r, i, found[k++]);
      }
    }
    return result;
  }

  // A matrix with `width` diagonals on each side of the main one, and its diagonal `k`.
  matrix random_band(int64_t n, int64_t width, bool has_large_diagonal) {
    matrix m(n, n);
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = std::max<int64_t>(0, r - width); c <= std::min(n - 1, r + width); ++c) {
        m.put(r, c, random(type) + number(c == r + 1 || c == r - 1 ? 7 : 0));
      }
      m.put(r, r, has_large_diagonal ? number(40) : number(r % 2 == 0 ? 0 : 2));
    }
    return m;
  }
  static number element(const matrix& m, int64_t row, int64_t k) {
    return row + k < 0 || row + k >= m.columns ? number(99) : m(row, row + k);  // 99: padding that is not read
  }
  static numbers diagonal(const matrix& m, int64_t k) {
    numbers values;
    for (int64_t r = 0; r < m.rows; ++r) values.push_back(element(m, r, k));
    return values;
  }
  static void expect_product(const matrix& m, const numbers& x, const numbers& right) {
    for (int64_t r = 0; r < m.rows; ++r) {
      number sum;
      for (int64_t c = 0; c < m.columns; ++c) sum += m(r, c) * x[at(c)];
      ASSERT_LE(std::abs(sum - right[at(r)]), tolerance) << "row " << r;
    }
  }
  static T* data(const device_numbers& d) { return static_cast<T*>(d.get()); }

  cusparseMatDescr_t descr_ = nullptr;
  csrilu02Info_t lu_ = nullptr;
  csric02Info_t cholesky_ = nullptr;
};
using all_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;
TYPED_TEST_SUITE(Factors, all_types);

TYPED_TEST(Factors, IncompleteLu) {
  for (int64_t n : {1, 24}) {
    for (int64_t base : {0, 1}) {
      matrix m = this->random_sparse(this->type, n, n);
      for (int64_t i = 0; i < n; ++i) m.put(i, i, number(40) + this->random(this->type));
      int position = 7;
      const matrix f = this->factorize(m, true, base, &position, CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(position, -1);
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t c = 0; c < n; ++c) {
          if (!m.has(r, c)) continue;
          number sum = r <= c ? f(r, c) : f(r, c) * f(c, c);
          for (int64_t k = 0; k < std::min(r, c); ++k) sum += f(r, k) * f(k, c);
          ASSERT_LE(std::abs(sum - m(r, c)), this->tolerance) << "row " << r << ", column " << c;
        }
      }
    }
  }
}

TYPED_TEST(Factors, IncompleteCholesky) {
  for (int64_t n : {1, 24}) {
    for (int64_t base : {0, 1}) {
      const matrix m = this->random_hermitian(n);
      int position = 7;
      const matrix f = this->factorize(m, false, base, &position, CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(position, -1);
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t c = 0; c < n; ++c) {
          if (!m.has(r, c)) continue;
          if (c > r) {
            ASSERT_EQ(f(r, c), m(r, c));  // not part of the lower triangle
            continue;
          }
          number sum;
          for (int64_t k = 0; k <= c; ++k) sum += f(r, k) * std::conj(f(c, k));
          ASSERT_LE(std::abs(sum - m(r, c)), this->tolerance) << "row " << r << ", column " << c;
        }
      }
    }
  }
}

TYPED_TEST(Factors, ZeroPivotsAndBoosts) {
  using R = routines<TypeParam>;
  for (int64_t base : {0, 1}) {
    int position = 7;
    matrix structural(3, 3);
    structural.put(0, 0, 2);
    structural.put(1, 0, 1);
    structural.put(2, 2, 4);
    this->factorize(structural, true, base, &position, CUSPARSE_STATUS_ZERO_PIVOT);
    EXPECT_EQ(position, 1 + base);
    this->factorize(structural, false, base, &position, CUSPARSE_STATUS_ZERO_PIVOT);
    EXPECT_EQ(position, 1 + base);
    matrix numerical(3, 3);
    for (int64_t r = 0; r < 3; ++r) {
      for (int64_t c = 0; c < 3; ++c) numerical.put(r, c, r == c ? 1 + 2 * (r == 2) : 1);
    }
    this->factorize(numerical, true, base, &position, CUSPARSE_STATUS_ZERO_PIVOT);  // [1 1; 1 1] has no second pivot
    EXPECT_EQ(position, 1 + base);
    double limit = 0.5;
    bytes boost = encode(R::data_type, {number(4)});
    ASSERT_EQ(R::lu_boost(this->handle_, this->lu_, 1, &limit, reinterpret_cast<TypeParam*>(boost.data())),
              CUSPARSE_STATUS_SUCCESS);
    const matrix f = this->factorize(numerical, true, base, &position, CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(f(1, 1), number(4));
    ASSERT_EQ(R::lu_boost(this->handle_, this->lu_, 0, nullptr, nullptr), CUSPARSE_STATUS_SUCCESS);
  }
  ASSERT_EQ(cusparseSetMatType(this->descr_, CUSPARSE_MATRIX_TYPE_SYMMETRIC), CUSPARSE_STATUS_SUCCESS);
  int size = 0, index[2] = {};
  TypeParam value[1] = {};
  EXPECT_EQ(R::lu_size(this->handle_, 1, 1, this->descr_, value, index, index, this->lu_, &size),
            CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  EXPECT_EQ(R::lu_size(this->handle_, 1, 1, nullptr, value, index, index, this->lu_, &size),
            CUSPARSE_STATUS_INVALID_VALUE);
}

TYPED_TEST(Factors, ThreeDiagonals) {
  using R = routines<TypeParam>;
  for (int n : {3, 4, 32}) {
    for (bool pivots : {true, false}) {
      if (pivots && n == 3) continue;  // singular: its rows 0 and 2 have only column 1
      const matrix m = this->random_band(n, 1, !pivots);
      const device_numbers dl(this->type, this->diagonal(m, -1)), d(this->type, this->diagonal(m, 0)),
          du(this->type, this->diagonal(m, 1));
      const int sides = 3, ld = n + 2;
      const numbers right = this->random_numbers(this->type, ld * sides);
      const device_numbers b(this->type, right);
      size_t size = 0;
      ASSERT_EQ((pivots ? R::gtsv2_size : R::gtsv2_nopivot_size)(this->handle_, n, sides, this->data(dl), this->data(d),
                                                                 this->data(du), this->data(b), ld, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ((pivots ? R::gtsv2 : R::gtsv2_nopivot)(this->handle_, n, sides, this->data(dl), this->data(d),
                                                       this->data(du), this->data(b), ld, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      const numbers x = b.read();
      for (int side = 0; side < sides; ++side) {
        const auto first = static_cast<std::ptrdiff_t>(side * ld);
        this->expect_product(m, numbers(x.begin() + first, x.begin() + first + n),
                             numbers(right.begin() + first, right.begin() + first + n));
        for (int i = n; i < ld; ++i) EXPECT_EQ(x[at(first + i)], right[at(first + i)]);
      }
      EXPECT_EQ(
          R::gtsv2(this->handle_, 2, 1, this->data(dl), this->data(d), this->data(du), this->data(b), ld, nullptr),
          CUSPARSE_STATUS_INVALID_VALUE);
      EXPECT_EQ(
          R::gtsv2(this->handle_, n, 1, this->data(dl), this->data(d), this->data(du), this->data(b), n - 1, nullptr),
          CUSPARSE_STATUS_INVALID_VALUE);
    }
  }
}

TYPED_TEST(Factors, Batches) {
  using R = routines<TypeParam>;
  const int n = 12, count = 5;
  // Kinds 0 to 2 are algorithms of gtsvInterleavedBatch, 3 is gpsvInterleavedBatch, 4 is gtsv2StridedBatch.
  for (int kind = 0; kind <= 4; ++kind) {
    const int width = kind == 3 ? 2 : 1, step = kind == 4 ? 1 : count, batch_step = kind == 4 ? n + 1 : 1;
    std::vector<matrix> systems;
    std::vector<numbers> diagonals(at(2 * width + 1), numbers(at((n + 1) * count), 99));
    const numbers right = this->random_numbers(this->type, (n + 1) * count);
    for (int system = 0; system < count; ++system) {
      systems.push_back(this->random_band(n, width, kind != 1 && kind != 2));
      for (int k = -width; k <= width; ++k) {
        for (int row = 0; row < n; ++row) {
          diagonals[at(k + width)][at(row * step + system * batch_step)] = this->element(systems.back(), row, k);
        }
      }
    }
    std::vector<std::unique_ptr<device_numbers>> d;
    for (const numbers& values : diagonals) d.push_back(std::make_unique<device_numbers>(this->type, values));
    const device_numbers x(this->type, right);
    TypeParam* each[5] = {};
    for (size_t i = 0; i < d.size(); ++i) each[i] = this->data(*d[i]);
    TypeParam* const to = this->data(x);
    size_t size = 0;
    if (kind == 3) {
      ASSERT_EQ(R::five_size(this->handle_, 0, n, each[0], each[1], each[2], each[3], each[4], to, count, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(R::five(this->handle_, 0, n, each[0], each[1], each[2], each[3], each[4], to, count, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::five(this->handle_, 1, n, each[0], each[1], each[2], each[3], each[4], to, count, nullptr),
                CUSPARSE_STATUS_INVALID_VALUE);
    } else if (kind == 4) {
      ASSERT_EQ(R::strided_size(this->handle_, n, each[0], each[1], each[2], to, count, n + 1, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(R::strided(this->handle_, n, each[0], each[1], each[2], to, count, n + 1, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::strided(this->handle_, n, each[0], each[1], each[2], to, count, n - 1, nullptr),
                CUSPARSE_STATUS_INVALID_VALUE);
    } else {
      ASSERT_EQ(R::interleaved_size(this->handle_, kind, n, each[0], each[1], each[2], to, count, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(R::interleaved(this->handle_, kind, n, each[0], each[1], each[2], to, count, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(R::interleaved(this->handle_, 3, n, each[0], each[1], each[2], to, count, nullptr),
                CUSPARSE_STATUS_INVALID_VALUE);
    }
    const numbers found = x.read();
    for (int system = 0; system < count; ++system) {
      numbers solution, side;
      for (int row = 0; row < n; ++row) {
        solution.push_back(found[at(row * step + system * batch_step)]);
        side.push_back(right[at(row * step + system * batch_step)]);
      }
      this->expect_product(systems[at(system)], solution, side);
      ASSERT_FALSE(this->HasFatalFailure()) << "kind " << kind << ", system " << system;
    }
  }
}

}  // namespace
