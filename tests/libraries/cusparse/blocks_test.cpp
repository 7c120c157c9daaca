// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of blocks whose arrays are arguments: products, triangular systems, incomplete factors and conversions,
// compared with a dense model.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "cusparse_test.hpp"

namespace cusparse_test::of_blocks {

namespace {

// Functions of one type by one name.
template <class T>
struct routines;
#define COHORT_BLOCK_ROUTINES(X, T, type)                                     \
  template <>                                                                 \
  struct routines<T> {                                                        \
    static constexpr cudaDataType data_type = type;                           \
    static constexpr auto bsrmv = cusparse##X##bsrmv;                         \
    static constexpr auto bsrxmv = cusparse##X##bsrxmv;                       \
    static constexpr auto bsrmm = cusparse##X##bsrmm;                         \
    static constexpr auto sv_size = cusparse##X##bsrsv2_bufferSize;           \
    static constexpr auto sv_analysis = cusparse##X##bsrsv2_analysis;         \
    static constexpr auto sv_solve = cusparse##X##bsrsv2_solve;               \
    static constexpr auto sm_size = cusparse##X##bsrsm2_bufferSizeExt;        \
    static constexpr auto sm_analysis = cusparse##X##bsrsm2_analysis;         \
    static constexpr auto sm_solve = cusparse##X##bsrsm2_solve;               \
    static constexpr auto lu_analysis = cusparse##X##bsrilu02_analysis;       \
    static constexpr auto lu_boost = cusparse##X##bsrilu02_numericBoost;      \
    static constexpr auto lu = cusparse##X##bsrilu02;                         \
    static constexpr auto cholesky_analysis = cusparse##X##bsric02_analysis;  \
    static constexpr auto cholesky = cusparse##X##bsric02;                    \
    static constexpr auto csr2bsr = cusparse##X##csr2bsr;                     \
    static constexpr auto bsr2csr = cusparse##X##bsr2csr;                     \
    static constexpr auto csr2gebsr_size = cusparse##X##csr2gebsr_bufferSize; \
    static constexpr auto csr2gebsr = cusparse##X##csr2gebsr;                 \
    static constexpr auto gebsr2csr = cusparse##X##gebsr2csr;                 \
    static constexpr auto gebsr2gebsc = cusparse##X##gebsr2gebsc;             \
    static constexpr auto gebsr2gebsr = cusparse##X##gebsr2gebsr;             \
  };
COHORT_BLOCK_ROUTINES(S, float, CUDA_R_32F)
COHORT_BLOCK_ROUTINES(D, double, CUDA_R_64F)
COHORT_BLOCK_ROUTINES(C, cuComplex, CUDA_C_32F)
COHORT_BLOCK_ROUTINES(Z, cuDoubleComplex, CUDA_C_64F)

constexpr auto ok = CUSPARSE_STATUS_SUCCESS;
constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

// How a matrix is stored: blocks of `rows` times `columns` elements.
struct layout {
  cusparseDirection_t direction;
  int rows, columns, base;
};
struct arrays {
  std::vector<int64_t> offsets, columns;
  numbers values;

  bool operator==(const arrays& other) const {
    return offsets == other.offsets && columns == other.columns && values == other.values;
  }
};
// The blocks that hold a stored element. Blocks of one element are CSR.
arrays arrays_of(const matrix& m, const layout& l) {
  arrays a{{l.base}, {}, {}};
  const int64_t block_rows = (m.rows + l.rows - 1) / l.rows, block_columns = (m.columns + l.columns - 1) / l.columns;
  for (int64_t br = 0; br < block_rows; ++br) {
    for (int64_t bc = 0; bc < block_columns; ++bc) {
      numbers block(at(l.rows * l.columns));
      bool is_stored = false;
      for (int64_t r = 0; r < l.rows; ++r) {
        for (int64_t c = 0; c < l.columns; ++c) {
          const int64_t row = br * l.rows + r, column = bc * l.columns + c;
          if (row >= m.rows || column >= m.columns || !m.has(row, column)) continue;
          is_stored = true;
          block[at(l.direction == CUSPARSE_DIRECTION_ROW ? r * l.columns + c : c * l.rows + r)] = m(row, column);
        }
      }
      if (!is_stored) continue;
      a.columns.push_back(bc + l.base);
      a.values.insert(a.values.end(), block.begin(), block.end());
    }
    a.offsets.push_back(static_cast<int64_t>(a.columns.size()) + l.base);
  }
  return a;
}

// Arrays in device memory.
template <class T>
struct device_arrays {
  device_arrays(cudaDataType type, const arrays& a)
      : offsets(CUSPARSE_INDEX_32I, a.offsets),
        columns(CUSPARSE_INDEX_32I, a.columns),
        values(type, a.values),
        count(static_cast<int>(a.columns.size())) {}
  // Room for a result of the sizes of `a`.
  static device_arrays room_for(cudaDataType type, arrays a) {
    a.offsets.assign(a.offsets.size(), 77), a.columns.assign(a.columns.size(), 77), a.values.assign(a.values.size(), 5);
    return device_arrays(type, a);
  }
  int* o() const { return static_cast<int*>(offsets.get()); }
  int* c() const { return static_cast<int*>(columns.get()); }
  T* v() const { return static_cast<T*>(values.get()); }
  arrays read() const { return {offsets.read(), columns.read(), values.read()}; }

  device_indices offsets, columns;
  device_numbers values;
  int count;
};

template <class T>
class Blocks : public CusparseTest {
 protected:
  using R = routines<T>;
  static constexpr cudaDataType type = R::data_type;
  static constexpr double tolerance = type == CUDA_R_32F || type == CUDA_C_32F ? 2e-3 : 1e-10;

  void SetUp() override {
    CusparseTest::SetUp();
    for (cusparseMatDescr_t* descr : {&descr_, &other_}) ASSERT_EQ(cusparseCreateMatDescr(descr), ok);
  }
  void TearDown() override {
    for (cusparseMatDescr_t descr : {descr_, other_}) EXPECT_EQ(cusparseDestroyMatDescr(descr), ok);
    CusparseTest::TearDown();
  }
  void set_base(cusparseMatDescr_t descr, int base) {
    ASSERT_EQ(cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base)), ok);
  }

  // Square blocks of random numbers; every fourth row of blocks is empty.
  matrix random_blocks(int64_t block_rows, int64_t block_columns, int64_t size) {
    matrix m(block_rows * size, block_columns * size);
    for (int64_t br = 0; br < block_rows; ++br) {
      for (int64_t bc = 0; bc < block_columns; ++bc) {
        if (br % 4 != 3 && (br == bc || engine_() % 2 == 0)) fill_block(m, br, bc, size);
      }
    }
    return m;
  }
  void fill_block(matrix& m, int64_t br, int64_t bc, int64_t size) {
    for (int64_t i = 0; i < size * size; ++i) m.put(br * size + i / size, bc * size + i % size, random(type));
  }
  // A matrix with all blocks on the diagonal and a large diagonal.
  matrix dominant_blocks(int64_t count, int64_t size) {
    matrix m = random_blocks(count, count, size);
    for (int64_t br = 0; br < count; ++br) fill_block(m, br, br, size);
    for (int64_t i = 0; i < m.rows; ++i) m.put(i, i, number(40) + random(type));
    return m;
  }
  static T number_as_t(number value) {
    const bytes raw = encode(type, {value});
    return read_at<T>(raw, 0);
  }

  cusparseMatDescr_t descr_ = nullptr, other_ = nullptr;
};
using all_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;
TYPED_TEST_SUITE(Blocks, all_types);

const layout layouts[] = {{CUSPARSE_DIRECTION_ROW, 2, 2, 0},
                          {CUSPARSE_DIRECTION_COLUMN, 3, 3, 1},
                          {CUSPARSE_DIRECTION_COLUMN, 1, 1, 0},
                          {CUSPARSE_DIRECTION_ROW, 5, 5, 1}};

TYPED_TEST(Blocks, MultiplyVectors) {
  using R = typename TestFixture::R;
  const TypeParam alpha = this->number_as_t(2), beta = this->number_as_t(-1);
  for (const layout& l : layouts) {
    this->set_base(this->descr_, l.base);
    const matrix m = this->random_blocks(5, 4, l.rows);
    const device_arrays<TypeParam> a(this->type, arrays_of(m, l));
    const numbers x_values = this->random_numbers(this->type, m.columns),
                  old = this->random_numbers(this->type, m.rows);
    const device_numbers x(this->type, x_values), y(this->type, old), masked(this->type, old);
    const auto at_x = static_cast<TypeParam*>(x.get());
    ASSERT_EQ(R::bsrmv(this->handle_, l.direction, plain, 5, 4, a.count, &alpha, this->descr_, a.v(), a.o(), a.c(),
                       l.rows, at_x, &beta, static_cast<TypeParam*>(y.get())),
              ok);
    // Rows of blocks 4 and 1, of which row 1 leaves its last block out.
    const device_indices mask(CUSPARSE_INDEX_32I, {4 + l.base, 1 + l.base});
    std::vector<int64_t> ends = a.offsets.read();
    ends.erase(ends.begin());
    --ends[1];
    const device_indices device_ends(CUSPARSE_INDEX_32I, ends);
    ASSERT_EQ(R::bsrxmv(this->handle_, l.direction, plain, 2, 5, 4, a.count, &alpha, this->descr_, a.v(),
                        static_cast<int*>(mask.get()), a.o(), static_cast<int*>(device_ends.get()), a.c(), l.rows, at_x,
                        &beta, static_cast<TypeParam*>(masked.get())),
              ok);
    const int64_t last_column = (a.columns.read()[at(ends[1] - l.base)] - l.base) * l.rows;
    numbers expected, expected_masked;
    for (int64_t r = 0; r < m.rows; ++r) {
      number sum, sum_of_mask;
      for (int64_t c = 0; c < m.columns; ++c) {
        sum += m(r, c) * x_values[at(c)];
        if (r / l.rows != 1 || c < last_column) sum_of_mask += m(r, c) * x_values[at(c)];
      }
      const bool is_masked = r / l.rows == 4 || r / l.rows == 1;
      expected.push_back(2.0 * sum - old[at(r)]);
      expected_masked.push_back(is_masked ? 2.0 * sum_of_mask - old[at(r)] : old[at(r)]);
    }
    expect_numbers(y.read(), expected);
    expect_numbers(masked.read(), expected_masked);
  }
}

TYPED_TEST(Blocks, MultiplyMatrices) {
  using R = typename TestFixture::R;
  const TypeParam alpha = this->number_as_t(2), beta = this->number_as_t(-1);
  for (const layout& l : layouts) {
    this->set_base(this->descr_, l.base);
    const matrix m = this->random_blocks(5, 4, l.rows);
    const device_arrays<TypeParam> a(this->type, arrays_of(m, l));
    for (const cusparseOperation_t op : {plain, CUSPARSE_OPERATION_TRANSPOSE}) {
      const matrix b = this->random_dense(this->type, m.columns, 3), old = this->random_dense(this->type, m.rows, 3);
      const device_dense device_b(apply(op, b), this->type, CUSPARSE_ORDER_COL), c(old, this->type, CUSPARSE_ORDER_COL);
      const int ldb = static_cast<int>(op == plain ? b.rows : b.columns) + 2, ldc = static_cast<int>(m.rows) + 2;
      ASSERT_EQ(R::bsrmm(this->handle_, l.direction, plain, op, 5, 3, 4, a.count, &alpha, this->descr_, a.v(), a.o(),
                         a.c(), l.rows, static_cast<TypeParam*>(device_b.data()), ldb, &beta,
                         static_cast<TypeParam*>(c.data()), ldc),
                ok);
      matrix expected = product(m, b);
      for (size_t i = 0; i < expected.values.size(); ++i) expected.values[i] = 2.0 * expected.values[i] - old.values[i];
      c.expect(expected);
    }
  }
}

// Multiplies the triangle and the solution.
TYPED_TEST(Blocks, SolveTriangles) {
  using R = typename TestFixture::R;
  const TypeParam alpha = this->number_as_t(3);
  bsrsv2Info_t vector_info = nullptr;
  bsrsm2Info_t matrix_info = nullptr;
  ASSERT_EQ(cusparseCreateBsrsv2Info(&vector_info), ok);
  ASSERT_EQ(cusparseCreateBsrsm2Info(&matrix_info), ok);
  for (int i = 0; i < 24; ++i) {
    const layout& l = layouts[i % 4];
    const cusparseOperation_t op = operations[i % 3];
    const bool is_lower = i % 2 == 0, is_unit = i / 4 % 2 == 0, is_turned = i / 8 % 2 == 0;
    this->set_base(this->descr_, l.base);
    cusparseSetMatFillMode(this->descr_, is_lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER);
    cusparseSetMatDiagType(this->descr_, is_unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
    matrix m = this->dominant_blocks(3, l.rows);
    for (number& value : m.values) value /= is_unit ? 64.0 : 1.0;
    const device_arrays<TypeParam> a(this->type, arrays_of(m, l));
    matrix triangle(m.rows, m.columns);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) {
        if (r != c && (c < r) == is_lower) triangle.put(r, c, m(r, c));
      }
      triangle.put(r, r, is_unit ? 1 : m(r, r));
    }
    const matrix b = this->random_dense(this->type, m.rows, 3);
    const cusparseOperation_t op_x = is_turned ? CUSPARSE_OPERATION_TRANSPOSE : plain;
    const device_dense right(apply(op_x, b), this->type, CUSPARSE_ORDER_COL, 0);
    numbers solutions(b.values.size());
    const device_numbers x(this->type, solutions), one(this->type, numbers(at(m.rows)));
    const int rows = static_cast<int>(m.rows), ld = is_turned ? 3 : rows;
    auto* const at_x = static_cast<TypeParam*>(x.get());
    auto* const at_b = static_cast<TypeParam*>(right.data());
    size_t size = 0;
    int small = 0, position = 7;
    ASSERT_EQ(R::sm_size(this->handle_, l.direction, op, op_x, 3, 3, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows,
                         matrix_info, &size),
              ok);
    ASSERT_EQ(R::sm_analysis(this->handle_, l.direction, op, op_x, 3, 3, a.count, this->descr_, a.v(), a.o(), a.c(),
                             l.rows, matrix_info, policy, nullptr),
              ok);
    ASSERT_EQ(R::sm_solve(this->handle_, l.direction, op, op_x, 3, 3, a.count, &alpha, this->descr_, a.v(), a.o(),
                          a.c(), l.rows, matrix_info, at_b, ld, at_x, ld, policy, nullptr),
              ok);
    EXPECT_EQ(cusparseXbsrsm2_zeroPivot(this->handle_, matrix_info, &position), ok);
    EXPECT_EQ(position, -1);
    ASSERT_EQ(R::sv_size(this->handle_, l.direction, op, 3, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows,
                         vector_info, &small),
              ok);
    ASSERT_EQ(R::sv_analysis(this->handle_, l.direction, op, 3, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows,
                             vector_info, policy, nullptr),
              ok);
    const device_numbers first_right(this->type, [&] {
      numbers values;
      for (int64_t r = 0; r < m.rows; ++r) values.push_back(b(r, 0));
      return values;
    }());
    ASSERT_EQ(R::sv_solve(this->handle_, l.direction, op, 3, a.count, &alpha, this->descr_, a.v(), a.o(), a.c(), l.rows,
                          vector_info, static_cast<TypeParam*>(first_right.get()), static_cast<TypeParam*>(one.get()),
                          policy, nullptr),
              ok);
    solutions = x.read();
    const numbers first = one.read();
    matrix solution(m.rows, 3);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < 3; ++c) solution.put(r, c, solutions[at(is_turned ? r * 3 + c : c * m.rows + r)]);
      ASSERT_LE(std::abs(first[at(r)] - solution(r, 0)), this->tolerance);
    }
    const matrix found = product(apply(op, triangle), solution);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < 3; ++c)
        ASSERT_LE(std::abs(found(r, c) - 3.0 * b(r, c)), this->tolerance) << "case " << i << ", row " << r;
    }
  }
  EXPECT_EQ(cusparseDestroyBsrsv2Info(vector_info), ok);
  EXPECT_EQ(cusparseDestroyBsrsm2Info(matrix_info), ok);
}

TYPED_TEST(Blocks, FindZeroPivots) {
  using R = typename TestFixture::R;
  const TypeParam one = this->number_as_t(1);
  bsrsv2Info_t info = nullptr;
  bsrilu02Info_t lu = nullptr;
  ASSERT_EQ(cusparseCreateBsrsv2Info(&info), ok);
  ASSERT_EQ(cusparseCreateBsrilu02Info(&lu), ok);
  this->set_base(this->descr_, 1);
  for (const bool is_structural : {true, false}) {
    matrix m(6, 6);
    for (int64_t b = 0; b < 3; ++b) {
      if (b == 1 && is_structural) continue;
      for (int64_t i = 0; i < 4; ++i) m.put(2 * b + i / 2, 2 * b + i % 2, number(i == 0 || i == 3 ? 2 : 0));
    }
    if (!is_structural) m.put(3, 3, 0);
    const device_arrays<TypeParam> a(this->type, arrays_of(m, {CUSPARSE_DIRECTION_ROW, 2, 2, 1}));
    const device_numbers b(this->type, numbers(6, 1)), x(this->type, numbers(6));
    int position = 0;
    const auto found = [&] { return cusparseXbsrsv2_zeroPivot(this->handle_, info, &position); };
    ASSERT_EQ(R::sv_analysis(this->handle_, CUSPARSE_DIRECTION_ROW, plain, 3, a.count, this->descr_, a.v(), a.o(),
                             a.c(), 2, info, policy, nullptr),
              ok);
    EXPECT_EQ(found(), is_structural ? CUSPARSE_STATUS_ZERO_PIVOT : ok);
    EXPECT_EQ(position, is_structural ? 2 : -1);
    ASSERT_EQ(
        R::sv_solve(this->handle_, CUSPARSE_DIRECTION_ROW, plain, 3, a.count, &one, this->descr_, a.v(), a.o(), a.c(),
                    2, info, static_cast<TypeParam*>(b.get()), static_cast<TypeParam*>(x.get()), policy, nullptr),
        ok);
    EXPECT_EQ(found(), CUSPARSE_STATUS_ZERO_PIVOT);
    EXPECT_EQ(position, 2);
    for (const bool boosts : {false, true}) {
      double small = 0.5;
      TypeParam boost = this->number_as_t(4);
      ASSERT_EQ(R::lu_boost(this->handle_, lu, boosts, &small, &boost), ok);
      ASSERT_EQ(R::lu_analysis(this->handle_, CUSPARSE_DIRECTION_ROW, 3, a.count, this->descr_, a.v(), a.o(), a.c(), 2,
                               lu, policy, nullptr),
                ok);
      ASSERT_EQ(R::lu(this->handle_, CUSPARSE_DIRECTION_ROW, 3, a.count, this->descr_, a.v(), a.o(), a.c(), 2, lu,
                      policy, nullptr),
                ok);
      const bool is_zero = is_structural || !boosts;
      EXPECT_EQ(cusparseXbsrilu02_zeroPivot(this->handle_, lu, &position), is_zero ? CUSPARSE_STATUS_ZERO_PIVOT : ok);
      EXPECT_EQ(position, is_zero ? 2 : -1);
    }
  }
  EXPECT_EQ(cusparseDestroyBsrsv2Info(info), ok);
  EXPECT_EQ(cusparseDestroyBsrilu02Info(lu), ok);
}

// At the places of A, the product of the factors is A.
TYPED_TEST(Blocks, Factorize) {
  using R = typename TestFixture::R;
  bsrilu02Info_t lu = nullptr;
  bsric02Info_t cholesky = nullptr;
  ASSERT_EQ(cusparseCreateBsrilu02Info(&lu), ok);
  ASSERT_EQ(cusparseCreateBsric02Info(&cholesky), ok);
  for (const layout& l : layouts) {
    for (const bool is_lu : {true, false}) {
      this->set_base(this->descr_, l.base);
      matrix m = this->dominant_blocks(4, l.rows);
      for (int64_t r = 0; !is_lu && r < m.rows; ++r) {
        m.put(r, r, 60);
        for (int64_t c = 0; c < r; ++c) {
          const int64_t br = r / l.rows, bc = c / l.rows;
          if (br != bc && !m.has(br * l.rows, bc * l.rows)) continue;
          m.put(c, r, std::conj(m(r, c)));
        }
      }
      for (int64_t r = 0; !is_lu && r < m.rows; ++r) {
        for (int64_t c = r + 1; c < m.columns; ++c) {
          if (m.has(r, c)) m.put(c, r, std::conj(m(r, c)));
        }
      }
      const arrays stored = arrays_of(m, l);
      const device_arrays<TypeParam> a(this->type, stored);
      int position = 7;
      if (is_lu) {
        ASSERT_EQ(R::lu_analysis(this->handle_, l.direction, 4, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows, lu,
                                 policy, nullptr),
                  ok);
        ASSERT_EQ(R::lu(this->handle_, l.direction, 4, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows, lu, policy,
                        nullptr),
                  ok);
        EXPECT_EQ(cusparseXbsrilu02_zeroPivot(this->handle_, lu, &position), ok);
      } else {
        ASSERT_EQ(R::cholesky_analysis(this->handle_, l.direction, 4, a.count, this->descr_, a.v(), a.o(), a.c(),
                                       l.rows, cholesky, policy, nullptr),
                  ok);
        ASSERT_EQ(R::cholesky(this->handle_, l.direction, 4, a.count, this->descr_, a.v(), a.o(), a.c(), l.rows,
                              cholesky, policy, nullptr),
                  ok);
        EXPECT_EQ(cusparseXbsric02_zeroPivot(this->handle_, cholesky, &position), ok);
      }
      EXPECT_EQ(position, -1);
      // The factors at their places, found by the order in which arrays_of() stores elements.
      matrix places(m.rows, m.columns);
      for (size_t i = 0; i < m.values.size(); ++i) {
        if (m.stored[i])
          places.put(static_cast<int64_t>(i) / m.columns, static_cast<int64_t>(i) % m.columns, number(double(i) + 1));
      }
      const arrays order = arrays_of(places, l);
      const numbers found = a.values.read();
      matrix f(m.rows, m.columns);
      for (size_t k = 0; k < found.size(); ++k) {
        const auto i = static_cast<int64_t>(order.values[k].real()) - 1;
        if (i >= 0) f.put(i / m.columns, i % m.columns, found[k]);
      }
      for (int64_t r = 0; r < m.rows; ++r) {
        for (int64_t c = 0; c < (is_lu ? m.columns : r + 1); ++c) {
          if (!m.has(r, c)) continue;
          number sum = !is_lu ? 0 : r <= c ? f(r, c) : f(r, c) * f(c, c);
          for (int64_t k = 0; is_lu ? k < std::min(r, c) : k <= c; ++k)
            sum += f(r, k) * (is_lu ? f(k, c) : std::conj(f(c, k)));
          ASSERT_LE(std::abs(sum - m(r, c)), this->tolerance) << "row " << r << ", column " << c << ", LU " << is_lu;
        }
      }
    }
  }
  EXPECT_EQ(cusparseDestroyBsrilu02Info(lu), ok);
  EXPECT_EQ(cusparseDestroyBsric02Info(cholesky), ok);
}

TYPED_TEST(Blocks, ConvertBetweenRowsAndBlocks) {
  using R = typename TestFixture::R;
  for (const layout& l : {layout{CUSPARSE_DIRECTION_ROW, 2, 3, 0}, layout{CUSPARSE_DIRECTION_COLUMN, 3, 2, 1},
                          layout{CUSPARSE_DIRECTION_COLUMN, 3, 3, 0}}) {
    const int from_base = 1 - l.base, block_rows = (13 + l.rows - 1) / l.rows;
    this->set_base(this->descr_, from_base), this->set_base(this->other_, l.base);
    const matrix m = this->random_sparse(this->type, 13, 10);
    const device_arrays<TypeParam> csr(this->type, arrays_of(m, {l.direction, 1, 1, from_base}));
    const arrays expected = arrays_of(m, l);
    const auto blocks = device_arrays<TypeParam>::room_for(this->type, expected);
    int total = 0, size = 0;
    ASSERT_EQ(R::csr2gebsr_size(this->handle_, l.direction, 13, 10, this->descr_, csr.v(), csr.o(), csr.c(), l.rows,
                                l.columns, &size),
              ok);
    ASSERT_EQ(cusparseXcsr2gebsrNnz(this->handle_, l.direction, 13, 10, this->descr_, csr.o(), csr.c(), this->other_,
                                    blocks.o(), l.rows, l.columns, &total, nullptr),
              ok);
    EXPECT_EQ(total, blocks.count);
    ASSERT_EQ(R::csr2gebsr(this->handle_, l.direction, 13, 10, this->descr_, csr.v(), csr.o(), csr.c(), this->other_,
                           blocks.v(), blocks.o(), blocks.c(), l.rows, l.columns, nullptr),
              ok);
    EXPECT_EQ(blocks.read(), expected);
    if (l.rows == l.columns) {
      const auto square = device_arrays<TypeParam>::room_for(this->type, expected);
      const device_indices device_total(CUSPARSE_INDEX_32I, {0});
      ASSERT_EQ(cusparseSetPointerMode(this->handle_, CUSPARSE_POINTER_MODE_DEVICE), ok);
      ASSERT_EQ(cusparseXcsr2bsrNnz(this->handle_, l.direction, 13, 10, this->descr_, csr.o(), csr.c(), l.rows,
                                    this->other_, square.o(), static_cast<int*>(device_total.get())),
                ok);
      ASSERT_EQ(cusparseSetPointerMode(this->handle_, CUSPARSE_POINTER_MODE_HOST), ok);
      EXPECT_EQ(device_total.read()[0], square.count);
      ASSERT_EQ(R::csr2bsr(this->handle_, l.direction, 13, 10, this->descr_, csr.v(), csr.o(), csr.c(), l.rows,
                           this->other_, square.v(), square.o(), square.c()),
                ok);
      EXPECT_EQ(square.read(), expected);
    }
    // Back to rows, with all elements of the blocks, and to other blocks.
    const int block_columns = (10 + l.columns - 1) / l.columns;
    matrix all(block_rows * l.rows, block_columns * l.columns);
    for (int64_t r = 0; r < all.rows; ++r) {
      for (int64_t k = expected.offsets[at(r / l.rows)]; k < expected.offsets[at(r / l.rows) + 1]; ++k) {
        for (int64_t c = 0; c < l.columns; ++c) {
          const int64_t column = (expected.columns[at(k - l.base)] - l.base) * l.columns + c;
          all.put(r, column, r < 13 && column < 10 ? m(r, column) : 0);
        }
      }
    }
    const arrays rows = arrays_of(all, {l.direction, 1, 1, from_base});
    const auto csr_again = device_arrays<TypeParam>::room_for(this->type, rows);
    ASSERT_EQ(R::gebsr2csr(this->handle_, l.direction, block_rows, block_columns, this->other_, blocks.v(), blocks.o(),
                           blocks.c(), l.rows, l.columns, this->descr_, csr_again.v(), csr_again.o(), csr_again.c()),
              ok);
    EXPECT_EQ(csr_again.read(), rows);
    const layout to{l.direction, 4, 3, from_base};
    const arrays others = arrays_of(all, to);
    const auto other_blocks = device_arrays<TypeParam>::room_for(this->type, others);
    ASSERT_EQ(cusparseXgebsr2gebsrNnz(this->handle_, l.direction, block_rows, block_columns, blocks.count, this->other_,
                                      blocks.o(), blocks.c(), l.rows, l.columns, this->descr_, other_blocks.o(), 4, 3,
                                      &total, nullptr),
              ok);
    EXPECT_EQ(total, other_blocks.count);
    ASSERT_EQ(R::gebsr2gebsr(this->handle_, l.direction, block_rows, block_columns, blocks.count, this->other_,
                             blocks.v(), blocks.o(), blocks.c(), l.rows, l.columns, this->descr_, other_blocks.v(),
                             other_blocks.o(), other_blocks.c(), 4, 3, nullptr),
              ok);
    EXPECT_EQ(other_blocks.read(), others);
  }
}

// A transposed matrix of blocks keeps the elements of a block in their order.
TYPED_TEST(Blocks, TransposeBlocks) {
  using R = typename TestFixture::R;
  const layout l{CUSPARSE_DIRECTION_ROW, 2, 3, 1};
  const matrix m = this->random_sparse(this->type, 12, 12);
  const arrays stored = arrays_of(m, l);
  arrays expected{{1}, {}, {}};
  for (int64_t column = 0; column < 4; ++column) {
    for (int64_t row = 0; row < 6; ++row) {
      for (int64_t k = stored.offsets[at(row)] - 1; k < stored.offsets[at(row) + 1] - 1; ++k) {
        if (stored.columns[at(k)] - 1 != column) continue;
        expected.columns.push_back(row + 1);
        for (int64_t i = 0; i < 6; ++i) expected.values.push_back(stored.values[at(6 * k + i)]);
      }
    }
    expected.offsets.push_back(static_cast<int64_t>(expected.columns.size()) + 1);
  }
  const device_arrays<TypeParam> a(this->type, stored);
  const auto turned = device_arrays<TypeParam>::room_for(this->type, expected);
  ASSERT_EQ(R::gebsr2gebsc(this->handle_, 6, 4, a.count, a.v(), a.o(), a.c(), 2, 3, turned.v(), turned.c(), turned.o(),
                           CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, nullptr),
            ok);
  EXPECT_EQ(turned.read(), expected);
}

using BlockArguments = Blocks<float>;
TEST_F(BlockArguments, AreChecked) {
  const device_arrays<float> a(type, arrays_of(random_blocks(2, 2, 2), {CUSPARSE_DIRECTION_ROW, 2, 2, 0}));
  const device_numbers x(type, numbers(4)), y(type, numbers(4));
  const float one = 1;
  const auto multiply = [&](cusparseHandle_t handle, cusparseOperation_t op, int mb, int size, const float* alpha) {
    return cusparseSbsrmv(handle, CUSPARSE_DIRECTION_ROW, op, mb, 2, a.count, alpha, descr_, a.v(), a.o(), a.c(), size,
                          static_cast<float*>(x.get()), &one, static_cast<float*>(y.get()));
  };
  EXPECT_EQ(multiply(nullptr, plain, 2, 2, &one), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(multiply(handle_, plain, -1, 2, &one), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, plain, 2, 0, &one), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, plain, 2, 2, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  testing::internal::CaptureStderr();
  EXPECT_EQ(multiply(handle_, CUSPARSE_OPERATION_TRANSPOSE, 2, 2, &one), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("is not transposed"), std::string::npos);
  ASSERT_EQ(cusparseSetMatType(descr_, CUSPARSE_MATRIX_TYPE_SYMMETRIC), ok);
  EXPECT_EQ(multiply(handle_, plain, 2, 2, &one), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  ASSERT_EQ(cusparseSetMatType(descr_, CUSPARSE_MATRIX_TYPE_GENERAL), ok);
  // A solution without an analysis, and one of another size.
  bsrsv2Info_t info = nullptr;
  ASSERT_EQ(cusparseCreateBsrsv2Info(&info), ok);
  EXPECT_EQ(cusparseSbsrsv2_solve(handle_, CUSPARSE_DIRECTION_ROW, plain, 2, a.count, &one, descr_, a.v(), a.o(), a.c(),
                                  2, info, static_cast<float*>(x.get()), static_cast<float*>(y.get()), policy, nullptr),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroyBsrsv2Info(info), ok);
}

}  // namespace

}  // namespace cusparse_test::of_blocks
