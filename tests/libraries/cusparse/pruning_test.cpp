// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts, matrices without small elements, sorts that can be undone, colors, and products with a sparse vector,
// compared with a dense model.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "cusparse_test.hpp"

namespace cusparse_test::of_pruning {

namespace {

constexpr auto ok = CUSPARSE_STATUS_SUCCESS;

template <class T>
struct routines;
#define COHORT_PRUNING_ROUTINES(X, T, type)                                \
  template <>                                                              \
  struct routines<T> {                                                     \
    static constexpr cudaDataType data_type = type;                        \
    static constexpr auto nnz = cusparse##X##nnz;                          \
    static constexpr auto nnz_compress = cusparse##X##nnz_compress;        \
    static constexpr auto compress = cusparse##X##csr2csr_compress;        \
    static constexpr auto sort_size = cusparse##X##csru2csr_bufferSizeExt; \
    static constexpr auto sort = cusparse##X##csru2csr;                    \
    static constexpr auto unsort = cusparse##X##csr2csru;                  \
    static constexpr auto gemvi = cusparse##X##gemvi;                      \
  };
COHORT_PRUNING_ROUTINES(S, float, CUDA_R_32F)
COHORT_PRUNING_ROUTINES(D, double, CUDA_R_64F)
COHORT_PRUNING_ROUTINES(C, cuComplex, CUDA_C_32F)
COHORT_PRUNING_ROUTINES(Z, cuDoubleComplex, CUDA_C_64F)

struct arrays {
  std::vector<int64_t> offsets, columns;
  numbers values;

  bool operator==(const arrays& other) const {
    return offsets == other.offsets && columns == other.columns && values == other.values;
  }
};
// CSR arrays of the elements that `keeps(value)`.
template <class Keeps>
arrays arrays_of(const matrix& m, int64_t base, const Keeps& keeps) {
  arrays a{{base}, {}, {}};
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t c = 0; c < m.columns; ++c) {
      if (m.has(r, c) && keeps(m(r, c))) a.columns.push_back(c + base), a.values.push_back(m(r, c));
    }
    a.offsets.push_back(static_cast<int64_t>(a.columns.size()) + base);
  }
  return a;
}
constexpr auto all = [](number) { return true; };

template <class T>
struct device_arrays {
  device_arrays(cudaDataType type, const arrays& a)
      : offsets(CUSPARSE_INDEX_32I, a.offsets),
        columns(CUSPARSE_INDEX_32I, a.columns),
        values(type, a.values),
        count(static_cast<int>(a.columns.size())) {}
  int* o() const { return static_cast<int*>(offsets.get()); }
  int* c() const { return static_cast<int*>(columns.get()); }
  T* v() const { return static_cast<T*>(values.get()); }
  arrays read() const { return {offsets.read(), columns.read(), values.read()}; }

  device_indices offsets, columns;
  device_numbers values;
  int count;
};
// Room for the arrays of a result.
arrays room_for(const arrays& a) {
  return {std::vector<int64_t>(a.offsets.size(), 77), std::vector<int64_t>(a.columns.size(), 77),
          numbers(a.values.size(), 5)};
}

template <class T>
class Pruning : public CusparseTest {
 protected:
  using R = routines<T>;
  static constexpr cudaDataType type = R::data_type;

  void SetUp() override {
    CusparseTest::SetUp();
    ASSERT_EQ(cusparseCreateMatDescr(&descr_), ok);
    ASSERT_EQ(cusparseSetMatIndexBase(descr_, CUSPARSE_INDEX_BASE_ONE), ok);
  }
  void TearDown() override {
    EXPECT_EQ(cusparseDestroyMatDescr(descr_), ok);
    CusparseTest::TearDown();
  }
  static T number_as_t(number value) { return read_at<T>(encode(type, {value}), 0); }

  cusparseMatDescr_t descr_ = nullptr;
};
using all_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;
TYPED_TEST_SUITE(Pruning, all_types);

TYPED_TEST(Pruning, CountElements) {
  using R = typename TestFixture::R;
  const matrix m = this->random_dense(this->type, 7, 5);
  const device_dense dense(m, this->type, CUSPARSE_ORDER_COL);
  for (const bool by_row : {true, false}) {
    std::vector<int64_t> expected(by_row ? 7 : 5);
    for (int64_t i = 0; i < 35; ++i) expected[at(by_row ? i / 5 : i % 5)] += m.values[at(i)] != number() ? 1 : 0;
    const device_indices counts(CUSPARSE_INDEX_32I, std::vector<int64_t>(expected.size(), 9));
    int total = 0;
    ASSERT_EQ(R::nnz(this->handle_, by_row ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN, 7, 5, this->descr_,
                     static_cast<TypeParam*>(dense.data()), 9, static_cast<int*>(counts.get()), &total),
              ok);
    EXPECT_EQ(counts.read(), expected);
    EXPECT_EQ(total, std::count_if(m.values.begin(), m.values.end(), [](number x) { return x != number(); }));
  }
}

TYPED_TEST(Pruning, CompressRows) {
  using R = typename TestFixture::R;
  const matrix m = this->random_sparse(this->type, 9, 8);
  const device_arrays<TypeParam> a(this->type, arrays_of(m, 1, all));
  const arrays expected = arrays_of(m, 1, [](number x) { return std::abs(x) > 1.5; });
  const device_arrays<TypeParam> result(this->type, room_for(expected));
  const device_indices counts(CUSPARSE_INDEX_32I, std::vector<int64_t>(9, 9));
  auto* const at_counts = static_cast<int*>(counts.get());
  int total = 0;
  ASSERT_EQ(R::nnz_compress(this->handle_, 9, this->descr_, a.v(), a.o(), at_counts, &total, this->number_as_t(1.5)),
            ok);
  EXPECT_EQ(total, result.count);
  ASSERT_EQ(R::compress(this->handle_, 9, 8, this->descr_, a.v(), a.c(), a.o(), a.count, at_counts, result.v(),
                        result.c(), result.o(), this->number_as_t(1.5)),
            ok);
  EXPECT_EQ(result.read(), expected);
  EXPECT_EQ(R::nnz_compress(this->handle_, 9, this->descr_, a.v(), a.o(), at_counts, &total, this->number_as_t(-1)),
            CUSPARSE_STATUS_INVALID_VALUE);
}

TYPED_TEST(Pruning, SortRowsAndBack) {
  using R = typename TestFixture::R;
  const matrix m = this->random_sparse(this->type, 9, 8);
  const arrays sorted = arrays_of(m, 1, all);
  arrays shuffled = sorted;
  for (size_t r = 0; r < 9; ++r) {
    const int64_t first = sorted.offsets[r] - 1, end = sorted.offsets[r + 1] - 1;
    std::rotate(shuffled.columns.begin() + first, shuffled.columns.begin() + (first + end) / 2,
                shuffled.columns.begin() + end);
    std::rotate(shuffled.values.begin() + first, shuffled.values.begin() + (first + end) / 2,
                shuffled.values.begin() + end);
  }
  const device_arrays<TypeParam> a(this->type, shuffled);
  csru2csrInfo_t info = nullptr;
  ASSERT_EQ(cusparseCreateCsru2csrInfo(&info), ok);
  size_t size = 0;
  EXPECT_EQ(R::unsort(this->handle_, 9, 8, a.count, this->descr_, a.v(), a.o(), a.c(), info, nullptr),
            CUSPARSE_STATUS_INVALID_VALUE);
  ASSERT_EQ(R::sort_size(this->handle_, 9, 8, a.count, a.v(), a.o(), a.c(), info, &size), ok);
  ASSERT_EQ(R::sort(this->handle_, 9, 8, a.count, this->descr_, a.v(), a.o(), a.c(), info, nullptr), ok);
  EXPECT_EQ(a.read(), sorted);
  ASSERT_EQ(R::unsort(this->handle_, 9, 8, a.count, this->descr_, a.v(), a.o(), a.c(), info, nullptr), ok);
  EXPECT_EQ(a.read(), shuffled);
  EXPECT_EQ(cusparseDestroyCsru2csrInfo(info), ok);
}

TYPED_TEST(Pruning, MultiplySparseVectors) {
  using R = typename TestFixture::R;
  const matrix m = this->random_dense(this->type, 7, 5);
  const device_dense dense(m, this->type, CUSPARSE_ORDER_COL);
  const TypeParam alpha = this->number_as_t(2), beta = this->number_as_t(-1);
  for (const cusparseOperation_t op : operations) {
    const matrix turned = apply(op, m);
    const numbers values = this->random_numbers(this->type, 3), old = this->random_numbers(this->type, turned.rows);
    const std::vector<int64_t> places{4, 0, 2};
    const device_numbers x(this->type, values), y(this->type, old);
    const device_indices indices(CUSPARSE_INDEX_32I, {5, 1, 3});
    ASSERT_EQ(R::gemvi(this->handle_, op, 7, 5, &alpha, static_cast<TypeParam*>(dense.data()), 9, 3,
                       static_cast<TypeParam*>(x.get()), static_cast<int*>(indices.get()), &beta,
                       static_cast<TypeParam*>(y.get()), CUSPARSE_INDEX_BASE_ONE, nullptr),
              ok);
    numbers expected;
    for (int64_t r = 0; r < turned.rows; ++r) {
      number sum;
      for (size_t k = 0; k < 3; ++k) sum += turned(r, places[k]) * values[k];
      expected.push_back(2.0 * sum - old[at(r)]);
    }
    expect_numbers(y.read(), expected);
  }
}

// The functions with a threshold and with a percentage of one type.
template <class T>
struct prunes;
#define COHORT_TEST_PRUNES(X, T, type)                                                   \
  template <>                                                                            \
  struct prunes<T> {                                                                     \
    static constexpr cudaDataType data_type = type;                                      \
    static constexpr auto dense_size = cusparse##X##pruneDense2csr_bufferSizeExt;        \
    static constexpr auto dense_count = cusparse##X##pruneDense2csrNnz;                  \
    static constexpr auto dense = cusparse##X##pruneDense2csr;                           \
    static constexpr auto dense_part_count = cusparse##X##pruneDense2csrNnzByPercentage; \
    static constexpr auto dense_part = cusparse##X##pruneDense2csrByPercentage;          \
    static constexpr auto rows_count = cusparse##X##pruneCsr2csrNnz;                     \
    static constexpr auto rows = cusparse##X##pruneCsr2csr;                              \
    static constexpr auto rows_part_count = cusparse##X##pruneCsr2csrNnzByPercentage;    \
    static constexpr auto rows_part = cusparse##X##pruneCsr2csrByPercentage;             \
  };
COHORT_TEST_PRUNES(H, __half, CUDA_R_16F)
COHORT_TEST_PRUNES(S, float, CUDA_R_32F)
COHORT_TEST_PRUNES(D, double, CUDA_R_64F)

template <class T>
class Prunes : public CusparseTest {};
using prune_types = testing::Types<__half, float, double>;
TYPED_TEST_SUITE(Prunes, prune_types);

TYPED_TEST(Prunes, KeepLargeElements) {
  using P = prunes<TypeParam>;
  using T = TypeParam;
  constexpr cudaDataType type = P::data_type;
  cusparseMatDescr_t descr = nullptr;
  pruneInfo_t info = nullptr;
  ASSERT_EQ(cusparseCreateMatDescr(&descr), ok);
  ASSERT_EQ(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE), ok);
  ASSERT_EQ(cusparseCreatePruneInfo(&info), ok);
  // The elements are different numbers, so that a percentage names exactly one.
  matrix m(7, 5);
  for (int64_t i = 0; i < 35; ++i)
    m.put(i / 5, i % 5, number(static_cast<double>((i * 12) % 35) * (i % 2 == 0 ? 1 : -1)));
  const device_dense dense(m, type, CUSPARSE_ORDER_COL);
  const device_arrays<T> a(type, arrays_of(m, 1, all));
  const T threshold = read_at<T>(encode(type, {number(10)}), 0);
  auto* const at_dense = static_cast<T*>(dense.data());
  for (const bool by_percentage : {false, true}) {
    // 25 % of 35 elements are 8.75: the ninth smallest one and smaller ones go, which are 0 to 8.
    const arrays expected = arrays_of(m, 1, [&](number x) { return std::abs(x) > (by_percentage ? 8.0 : 10.0); });
    for (const bool from_dense : {false, true}) {
      const device_arrays<T> result(type, room_for(expected));
      int total = 0;
      size_t size = 0;
      if (by_percentage && from_dense) {
        ASSERT_EQ(P::dense_part_count(this->handle_, 7, 5, at_dense, 9, 25, descr, result.o(), &total, info, nullptr),
                  ok);
        ASSERT_EQ(P::dense_part(this->handle_, 7, 5, at_dense, 9, 25, descr, result.v(), result.o(), result.c(), info,
                                nullptr),
                  ok);
      } else if (by_percentage) {
        ASSERT_EQ(P::rows_part_count(this->handle_, 7, 5, a.count, descr, a.v(), a.o(), a.c(), 25, descr, result.o(),
                                     &total, info, nullptr),
                  ok);
        ASSERT_EQ(P::rows_part(this->handle_, 7, 5, a.count, descr, a.v(), a.o(), a.c(), 25, descr, result.v(),
                               result.o(), result.c(), info, nullptr),
                  ok);
      } else if (from_dense) {
        ASSERT_EQ(P::dense_size(this->handle_, 7, 5, at_dense, 9, &threshold, descr, nullptr, nullptr, nullptr, &size),
                  ok);
        ASSERT_EQ(P::dense_count(this->handle_, 7, 5, at_dense, 9, &threshold, descr, result.o(), &total, nullptr), ok);
        ASSERT_EQ(
            P::dense(this->handle_, 7, 5, at_dense, 9, &threshold, descr, result.v(), result.o(), result.c(), nullptr),
            ok);
      } else {
        ASSERT_EQ(P::rows_count(this->handle_, 7, 5, a.count, descr, a.v(), a.o(), a.c(), &threshold, descr, result.o(),
                                &total, nullptr),
                  ok);
        ASSERT_EQ(P::rows(this->handle_, 7, 5, a.count, descr, a.v(), a.o(), a.c(), &threshold, descr, result.v(),
                          result.o(), result.c(), nullptr),
                  ok);
      }
      EXPECT_EQ(total, result.count);
      EXPECT_EQ(result.read(), expected) << "percentage " << by_percentage << ", dense " << from_dense;
    }
  }
  // 0 % names the smallest element, the only zero.
  const device_arrays<T> without_zero(type, room_for(arrays_of(m, 1, [](number x) { return std::abs(x) > 0; })));
  int total = 0;
  EXPECT_EQ(P::dense_part_count(this->handle_, 7, 5, at_dense, 9, 0, descr, without_zero.o(), &total, info, nullptr),
            ok);
  EXPECT_EQ(total, 34);
  EXPECT_EQ(P::dense_part_count(this->handle_, 7, 5, at_dense, 9, 101, descr, a.o(), &total, info, nullptr),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroyPruneInfo(info), ok);
  EXPECT_EQ(cusparseDestroyMatDescr(descr), ok);
}

using Colors = Pruning<float>;
TEST_F(Colors, DifferBetweenNeighbours) {
  const int n = 23;
  const matrix m = random_sparse(CUDA_R_32F, n, n);
  const device_arrays<float> a(CUDA_R_32F, arrays_of(m, 1, all));
  const device_indices colors(CUSPARSE_INDEX_32I, std::vector<int64_t>(n, -7)),
      order(CUSPARSE_INDEX_32I, std::vector<int64_t>(n, -7));
  cusparseColorInfo_t info = nullptr;
  ASSERT_EQ(cusparseCreateColorInfo(&info), ok);
  const float fraction = 1;
  int count = 0;
  ASSERT_EQ(cusparseScsrcolor(handle_, n, a.count, descr_, a.v(), a.o(), a.c(), &fraction, &count,
                              static_cast<int*>(colors.get()), static_cast<int*>(order.get()), info),
            ok);
  const std::vector<int64_t> found = colors.read(), places = order.read();
  const std::set<int64_t> used(found.begin(), found.end());
  EXPECT_EQ(static_cast<int>(used.size()), count);
  EXPECT_EQ(*used.begin(), 0);
  EXPECT_EQ(*used.rbegin(), count - 1);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      if (r != c && m.has(r, c)) {
        ASSERT_NE(found[at(r)], found[at(c)]) << r << ", " << c;
      }
    }
  }
  std::vector<int64_t> by_place(n, -1);
  for (int r = 0; r < n; ++r) by_place[at(places[at(r)])] = found[at(r)];
  EXPECT_TRUE(std::is_sorted(by_place.begin(), by_place.end()));
  EXPECT_EQ(std::count(by_place.begin(), by_place.end(), -1), 0);
  EXPECT_EQ(cusparseDestroyColorInfo(info), ok);
}

}  // namespace

}  // namespace cusparse_test::of_pruning
