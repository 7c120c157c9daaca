// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions and sorts of indices, and matrix descriptors whose arrays are arguments of a call.
#include <algorithm>
#include <tuple>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

using indices = std::vector<int64_t>;

class IndexConversions : public CusparseTest {
 protected:
  static int* at32(const device_indices& d) { return static_cast<int*>(d.get()); }
};

TEST_F(IndexConversions, DescriptorsHoldTheirSettings) {
  cusparseMatDescr_t descr = nullptr;
  ASSERT_EQ(cusparseCreateMatDescr(&descr), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseGetMatType(descr), CUSPARSE_MATRIX_TYPE_GENERAL);
  ASSERT_EQ(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_HERMITIAN), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_UPPER), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_UNIT), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseGetMatType(descr), CUSPARSE_MATRIX_TYPE_HERMITIAN);
  EXPECT_EQ(cusparseGetMatFillMode(descr), CUSPARSE_FILL_MODE_UPPER);
  EXPECT_EQ(cusparseGetMatDiagType(descr), CUSPARSE_DIAG_TYPE_UNIT);
  EXPECT_EQ(cusparseGetMatIndexBase(descr), CUSPARSE_INDEX_BASE_ONE);
  EXPECT_EQ(cusparseSetMatType(descr, static_cast<cusparseMatrixType_t>(4)), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSetMatIndexBase(nullptr, CUSPARSE_INDEX_BASE_ONE), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroyMatDescr(descr), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(IndexConversions, CooToCsrAndBack) {
  for (int base : {0, 1}) {
    indices rows{0, 0, 2, 2, 2, 5}, offsets{0, 2, 2, 5, 5, 5, 6, 6};
    for (int64_t& row : rows) row += base;
    for (int64_t& offset : offsets) offset += base;
    const device_indices from(CUSPARSE_INDEX_32I, rows), to(CUSPARSE_INDEX_32I, indices(8, 77)),
        back(CUSPARSE_INDEX_32I, indices(6, 77));
    const auto b = static_cast<cusparseIndexBase_t>(base);
    ASSERT_EQ(cusparseXcoo2csr(handle_, at32(from), 6, 7, at32(to), b), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(to.read(), offsets);
    ASSERT_EQ(cusparseXcsr2coo(handle_, at32(to), 6, 7, at32(back), b), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(back.read(), rows);
    EXPECT_EQ(cusparseXcoo2csr(nullptr, at32(from), 6, 7, at32(to), b), CUSPARSE_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(cusparseXcoo2csr(handle_, nullptr, 6, 7, at32(to), b), CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_EQ(cusparseXcsr2coo(handle_, at32(to), -1, 7, at32(back), b), CUSPARSE_STATUS_INVALID_VALUE);
  }
}

TEST_F(IndexConversions, SortsOfCoo) {
  const int count = 61;
  for (bool by_row : {true, false}) {
    std::vector<std::tuple<int64_t, int64_t, int64_t>> entries;
    for (int i = 0; i < count; ++i) entries.emplace_back(engine_() % 8, engine_() % 9, i);
    indices rows, columns;
    for (const auto& [row, column, place] : entries) rows.push_back(row), columns.push_back(column);
    const device_indices dr(CUSPARSE_INDEX_32I, rows), dc(CUSPARSE_INDEX_32I, columns),
        dp(CUSPARSE_INDEX_32I, indices(count, 0));
    size_t size = 0;
    ASSERT_EQ(cusparseXcoosort_bufferSizeExt(handle_, 8, 9, count, at32(dr), at32(dc), &size), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateIdentityPermutation(handle_, count, at32(dp)), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ((by_row ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(handle_, 8, 9, count, at32(dr), at32(dc),
                                                                          at32(dp), nullptr),
              CUSPARSE_STATUS_SUCCESS);
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
      const auto [ar, ac, ap] = a;
      const auto [br, bc, bp] = b;
      return by_row ? std::tie(ar, ac, ap) < std::tie(br, bc, bp) : std::tie(ac, ar, ap) < std::tie(bc, br, bp);
    });
    indices sorted_rows, sorted_columns, places;
    for (const auto& [row, column, place] : entries) {
      sorted_rows.push_back(row), sorted_columns.push_back(column), places.push_back(place);
    }
    EXPECT_EQ(dr.read(), sorted_rows);
    EXPECT_EQ(dc.read(), sorted_columns);
    EXPECT_EQ(dp.read(), places);
  }
}

TEST_F(IndexConversions, SortsOfLines) {
  cusparseMatDescr_t descr = nullptr;
  ASSERT_EQ(cusparseCreateMatDescr(&descr), CUSPARSE_STATUS_SUCCESS);
  for (int base : {0, 1}) {
    ASSERT_EQ(cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base)), CUSPARSE_STATUS_SUCCESS);
    const device_indices offsets(CUSPARSE_INDEX_32I, {base, 3 + base, 3 + base, 5 + base});
    for (bool by_rows : {true, false}) {
      const device_indices places(CUSPARSE_INDEX_32I, {4, 1, 3, 2, 1}),
          permutation(CUSPARSE_INDEX_32I, {0, 1, 2, 3, 4});
      size_t size = 0;
      ASSERT_EQ((by_rows ? cusparseXcsrsort_bufferSizeExt : cusparseXcscsort_bufferSizeExt)(
                    handle_, by_rows ? 3 : 5, by_rows ? 5 : 3, 5, at32(offsets), at32(places), &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(
          (by_rows ? cusparseXcsrsort : cusparseXcscsort)(handle_, by_rows ? 3 : 5, by_rows ? 5 : 3, 5, descr,
                                                          at32(offsets), at32(places), at32(permutation), nullptr),
          CUSPARSE_STATUS_SUCCESS);
      EXPECT_EQ(places.read(), (indices{1, 3, 4, 1, 2}));
      EXPECT_EQ(permutation.read(), (indices{1, 2, 0, 4, 3}));
    }
  }
  EXPECT_EQ(cusparseDestroyMatDescr(descr), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(IndexConversions, CsrToCsc) {
  for (cudaDataType type : {CUDA_R_8I, CUDA_R_16F, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F}) {
    for (cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
      const matrix model = random_sparse(type, 13, 9);
      indices offsets{base}, columns, csc_offsets{base}, csc_rows;
      numbers values, csc_values;
      for (int64_t r = 0; r < 13; ++r) {
        for (int64_t c = 0; c < 9; ++c) {
          if (model.has(r, c)) columns.push_back(c + base), values.push_back(model(r, c));
        }
        offsets.push_back(static_cast<int64_t>(columns.size()) + base);
      }
      for (int64_t c = 0; c < 9; ++c) {
        for (int64_t r = 0; r < 13; ++r) {
          if (model.has(r, c)) csc_rows.push_back(r + base), csc_values.push_back(model(r, c));
        }
        csc_offsets.push_back(static_cast<int64_t>(csc_rows.size()) + base);
      }
      const int entries = static_cast<int>(columns.size());
      const device_indices from_offsets(CUSPARSE_INDEX_32I, offsets), from_columns(CUSPARSE_INDEX_32I, columns);
      const device_indices to_offsets(CUSPARSE_INDEX_32I, indices(10, 77)),
          to_rows(CUSPARSE_INDEX_32I, indices(columns.size(), 77));
      const device_numbers from_values(type, values), to_values(type, numbers(values.size(), 7));
      size_t size = 0;
      ASSERT_EQ(cusparseCsr2cscEx2_bufferSize(handle_, 13, 9, entries, from_values.get(), at32(from_offsets),
                                              at32(from_columns), to_values.get(), at32(to_offsets), at32(to_rows),
                                              type, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG1, &size),
                CUSPARSE_STATUS_SUCCESS);
      for (cusparseAction_t action : {CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC}) {
        ASSERT_EQ(cusparseCsr2cscEx2(handle_, 13, 9, entries, from_values.get(), at32(from_offsets), at32(from_columns),
                                     to_values.get(), at32(to_offsets), at32(to_rows), type, action, base,
                                     CUSPARSE_CSR2CSC_ALG1, nullptr),
                  CUSPARSE_STATUS_SUCCESS);
        EXPECT_EQ(to_offsets.read(), csc_offsets);
        EXPECT_EQ(to_rows.read(), csc_rows);
        expect_numbers(to_values.read(),
                       action == CUSPARSE_ACTION_NUMERIC ? csc_values : numbers(csc_values.size(), 7));
      }
      EXPECT_EQ(cusparseCsr2cscEx2(handle_, 13, 9, entries, nullptr, at32(from_offsets), at32(from_columns),
                                   to_values.get(), at32(to_offsets), at32(to_rows), type, CUSPARSE_ACTION_NUMERIC,
                                   base, CUSPARSE_CSR2CSC_ALG1, nullptr),
                CUSPARSE_STATUS_INVALID_VALUE);
    }
  }
}

}  // namespace
