// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of two CSR matrices against sums of dense matrices: each type, both index bases, both pointer modes, rows whose
// columns have no order.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

using indices = std::vector<int64_t>;

template <class T>
struct sums;
#define COHORT_TEST_SUMS(X, T, type)                                  \
  template <>                                                         \
  struct sums<T> {                                                    \
    static constexpr cudaDataType data_type = type;                   \
    static constexpr auto size = cusparse##X##csrgeam2_bufferSizeExt; \
    static constexpr auto add = cusparse##X##csrgeam2;                \
  };
COHORT_TEST_SUMS(S, float, CUDA_R_32F)
COHORT_TEST_SUMS(D, double, CUDA_R_64F)
COHORT_TEST_SUMS(C, cuComplex, CUDA_C_32F)
COHORT_TEST_SUMS(Z, cuDoubleComplex, CUDA_C_64F)

struct descriptor {
  cusparseMatDescr_t get = nullptr;
  explicit descriptor(int base) {
    EXPECT_EQ(cusparseCreateMatDescr(&get), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseSetMatIndexBase(get, static_cast<cusparseIndexBase_t>(base)), CUSPARSE_STATUS_SUCCESS);
  }
  descriptor(const descriptor&) = delete;
  ~descriptor() { cusparseDestroyMatDescr(get); }
};

// A matrix in CSR arrays of the device. Odd rows have their columns in descending order.
template <class T>
struct operand {
  int entries = 0;
  std::unique_ptr<device_indices> offsets_at, columns_at;
  std::unique_ptr<device_numbers> values_at;
  descriptor descr;

  operand(const matrix& m, int base) : descr(base) {
    indices offsets{base}, columns;
    numbers values;
    for (int64_t row = 0; row < m.rows; ++row) {
      for (int64_t k = 0; k < m.columns; ++k) {
        const int64_t column = row % 2 == 0 ? k : m.columns - 1 - k;
        if (!m.has(row, column)) continue;
        columns.push_back(column + base);
        values.push_back(m(row, column));
      }
      offsets.push_back(static_cast<int64_t>(columns.size()) + base);
    }
    entries = static_cast<int>(columns.size());
    offsets_at = std::make_unique<device_indices>(CUSPARSE_INDEX_32I, offsets);
    columns_at = std::make_unique<device_indices>(CUSPARSE_INDEX_32I, columns);
    values_at = std::make_unique<device_numbers>(sums<T>::data_type, values);
  }
  int* offsets() const { return static_cast<int*>(offsets_at->get()); }
  int* columns() const { return static_cast<int*>(columns_at->get()); }
  T* values() const { return static_cast<T*>(values_at->get()); }
};

template <class T>
class SparseSums : public CusparseTest {
 protected:
  static constexpr cudaDataType type = sums<T>::data_type;

  // Every third element or so; each seventh row is empty.
  matrix random_matrix(int64_t rows, int64_t columns) {
    matrix made(rows, columns);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        if (r % 7 == 5 || engine_() % 3 != 0) continue;
        const double re = static_cast<int>(engine_() % 7) - 3, im = static_cast<int>(engine_() % 7) - 3;
        made.put(r, c, is_complex(type) ? number(re, im) : number(re));
      }
    }
    return made;
  }

  // Compares the arrays of a sum with the matrices of the model.
  static void compare(const matrix& a, const matrix& b, number alpha, number beta, int base, const indices& offsets,
                      const indices& columns, const numbers& values) {
    size_t entry = 0;
    for (int64_t r = 0; r < a.rows; ++r) {
      ASSERT_EQ(offsets[at(r)], static_cast<int64_t>(entry) + base) << "row " << r;
      for (int64_t c = 0; c < a.columns; ++c) {
        if (!a.has(r, c) && !b.has(r, c)) continue;
        ASSERT_LT(entry, columns.size());
        ASSERT_EQ(columns[entry], c + base) << "row " << r;
        ASSERT_EQ(values[entry], alpha * a(r, c) + beta * b(r, c)) << "row " << r << " column " << c;
        ++entry;
      }
    }
    EXPECT_EQ(entry, columns.size());
  }

  void check(int64_t m, int64_t n, int base, bool device_pointers, number alpha, number beta) {
    const matrix a = random_matrix(m, n), b = random_matrix(m, n);
    const operand<T> da(a, base), db(b, 1 - base);
    const descriptor sum(base);
    const int rows = static_cast<int>(m), width = static_cast<int>(n);
    const device_indices offsets(CUSPARSE_INDEX_32I, indices(at(m + 1), -5)), on_device(CUSPARSE_INDEX_32I, {-1});
    const device_numbers factors(type, {alpha, beta});
    const bytes on_host = encode(type, {alpha, beta});
    const T* const by =
        device_pointers ? static_cast<const T*>(factors.get()) : reinterpret_cast<const T*>(on_host.data());
    auto* const offsets_c = static_cast<int*>(offsets.get());
    int total = -1;
    ASSERT_EQ(
        cusparseSetPointerMode(handle_, device_pointers ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST),
        CUSPARSE_STATUS_SUCCESS);
    size_t size = 0;
    ASSERT_EQ(sums<T>::size(handle_, rows, width, by, da.descr.get, da.entries, da.values(), da.offsets(), da.columns(),
                            by + 1, db.descr.get, db.entries, db.values(), db.offsets(), db.columns(), sum.get, nullptr,
                            offsets_c, nullptr, &size),
              CUSPARSE_STATUS_SUCCESS);
    EXPECT_GT(size, 0u);
    ASSERT_EQ(cusparseXcsrgeam2Nnz(handle_, rows, width, da.descr.get, da.entries, da.offsets(), da.columns(),
                                   db.descr.get, db.entries, db.offsets(), db.columns(), sum.get, offsets_c,
                                   device_pointers ? static_cast<int*>(on_device.get()) : &total, nullptr),
              CUSPARSE_STATUS_SUCCESS);
    if (device_pointers) total = static_cast<int>(on_device.read()[0]);
    ASSERT_GE(total, 0);
    ASSERT_EQ(offsets.read().back(), total + base);
    const device_indices columns(CUSPARSE_INDEX_32I, indices(at(total), -5));
    const device_numbers values(type, numbers(at(total), number(77)));
    ASSERT_EQ(sums<T>::add(handle_, rows, width, by, da.descr.get, da.entries, da.values(), da.offsets(), da.columns(),
                           by + 1, db.descr.get, db.entries, db.values(), db.offsets(), db.columns(), sum.get,
                           static_cast<T*>(values.get()), offsets_c, static_cast<int*>(columns.get()), nullptr),
              CUSPARSE_STATUS_SUCCESS);
    compare(a, b, alpha, beta, base, offsets.read(), columns.read(), values.read());
  }
};
using element_types = testing::Types<float, double, cuComplex, cuDoubleComplex>;
TYPED_TEST_SUITE(SparseSums, element_types);

TYPED_TEST(SparseSums, AreSumsOfDenseMatrices) {
  const number beta = is_complex(sums<TypeParam>::data_type) ? number(-1, 2) : number(-1);
  this->check(13, 17, 0, false, 2, beta);
  this->check(1, 33, 1, true, 2, beta);
  this->check(601, 5, 1, false, 0, beta);
  this->check(31, 1, 0, true, 3, 0);
}

TYPED_TEST(SparseSums, RefuseWrongArguments) {
  const operand<TypeParam> a(matrix(3, 4), 0);
  const descriptor symmetric(0), sum(0);
  ASSERT_EQ(cusparseSetMatType(symmetric.get, CUSPARSE_MATRIX_TYPE_SYMMETRIC), CUSPARSE_STATUS_SUCCESS);
  const device_indices offsets(CUSPARSE_INDEX_32I, indices(4, 0));
  const auto count = [&](cusparseHandle_t handle, int m, cusparseMatDescr_t descr, int* to) {
    int total = 0;
    return cusparseXcsrgeam2Nnz(handle, m, 4, descr, 0, a.offsets(), a.columns(), a.descr.get, 0, a.offsets(),
                                a.columns(), sum.get, to, &total, nullptr);
  };
  auto* const to = static_cast<int*>(offsets.get());
  EXPECT_EQ(count(this->handle_, 3, a.descr.get, to), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(count(nullptr, 3, a.descr.get, to), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(count(this->handle_, -1, a.descr.get, to), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(count(this->handle_, 3, nullptr, to), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(count(this->handle_, 3, a.descr.get, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(count(this->handle_, 3, symmetric.get, to), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

}  // namespace
