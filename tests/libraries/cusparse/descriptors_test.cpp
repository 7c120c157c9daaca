// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, texts of statuses, the log, and what descriptors accept and return.
#include <cstring>
#include <string>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

using Handles = CusparseTest;
using Descriptors = CusparseTest;

TEST_F(Handles, VersionModeAndStream) {
  int version = 0, parts[3] = {};
  ASSERT_EQ(cusparseGetVersion(handle_, &version), CUSPARSE_STATUS_SUCCESS);
  for (int part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    ASSERT_EQ(cusparseGetProperty(static_cast<libraryPropertyType>(part), &parts[part]), CUSPARSE_STATUS_SUCCESS);
  }
  EXPECT_EQ(version, parts[0] * 1000 + parts[1] * 100 + parts[2]);
  EXPECT_EQ(parts[0], 12);
  EXPECT_EQ(cusparseGetProperty(static_cast<libraryPropertyType>(3), &version), CUSPARSE_STATUS_INVALID_VALUE);
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  ASSERT_EQ(cusparseGetPointerMode(handle_, &mode), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(mode, CUSPARSE_POINTER_MODE_HOST);
  EXPECT_EQ(cusparseSetPointerMode(handle_, static_cast<cusparsePointerMode_t>(2)), CUSPARSE_STATUS_INVALID_VALUE);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cusparseGetStream(handle_, &stream), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(stream, stream_);
  EXPECT_EQ(cusparseSetStream(nullptr, stream), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusparseCreate(nullptr), CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_F(Handles, TextsOfStatuses) {
  EXPECT_STREQ(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT");
  for (int status = 0; status <= CUSPARSE_STATUS_INSUFFICIENT_RESOURCES; ++status) {
    EXPECT_EQ(std::strncmp(cusparseGetErrorName(static_cast<cusparseStatus_t>(status)), "CUSPARSE_STATUS_", 16), 0);
    EXPECT_GT(std::strlen(cusparseGetErrorString(static_cast<cusparseStatus_t>(status))), 5u);
  }
  EXPECT_STREQ(cusparseGetErrorName(static_cast<cusparseStatus_t>(99)), "unrecognized error code");
}

std::string logged;

TEST_F(Handles, TheLogNamesCallsAndRefusals) {
  logged.clear();
  ASSERT_EQ(cusparseLoggerSetCallback([](int level, const char* function, const char* message) {
              logged += std::to_string(level) + ' ' + function + ' ' + message + '\n';
            }),
            CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseLoggerSetLevel(5), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseLoggerSetLevel(6), CUSPARSE_STATUS_INVALID_VALUE);
  const device_vector y(CUDA_R_32F, {1, 2}), wide(CUDA_R_64F, {1, 2});
  const device_matrix a(matrix(2, 2), {});
  const float one = 1;
  EXPECT_EQ(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.get(), wide.get(), &one, y.get(),
                         CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
            CUSPARSE_STATUS_NOT_SUPPORTED);
  ASSERT_EQ(cusparseLoggerSetLevel(0), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseLoggerSetCallback(nullptr), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(logged, "5 cusparseSpMV \n1 cusparseSpMV cuSPARSE has no such combination of types\n");
  EXPECT_EQ(cusparseLoggerOpenFile("/there/is/no/such/folder"), CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_F(Handles, ASecondDestructionIsRefused) {
  cusparseHandle_t handle = nullptr;
  ASSERT_EQ(cusparseCreate(&handle), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroy(handle), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroy(handle), CUSPARSE_STATUS_NOT_INITIALIZED);
  float value = 0;
  cusparseDnVecDescr_t vector = nullptr;
  ASSERT_EQ(cusparseCreateDnVec(&vector, 1, &value, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyDnVec(vector), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyDnVec(vector), CUSPARSE_STATUS_INVALID_VALUE);
  cusparseMatDescr_t settings = nullptr;
  ASSERT_EQ(cusparseCreateMatDescr(&settings), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyMatDescr(settings), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyMatDescr(settings), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroyMatDescr(nullptr), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(Descriptors, CompressedMatricesReturnWhatTheyWereGiven) {
  int offsets[3] = {}, indices[4] = {}, others[4] = {};
  double values[4] = {};
  for (bool by_rows : {true, false}) {
    cusparseSpMatDescr_t m = nullptr;
    ASSERT_EQ(
        (by_rows ? cusparseCreateCsr : cusparseCreateCsc)(&m, 2, 2, 4, offsets, indices, values, CUSPARSE_INDEX_32I,
                                                          CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F),
        CUSPARSE_STATUS_SUCCESS);
    int64_t rows = 0, columns = 0, entries = 0;
    void *o = nullptr, *i = nullptr, *v = nullptr;
    cusparseIndexType_t offsets_type{}, indices_type{};
    cusparseIndexBase_t base{};
    cudaDataType type{};
    const auto get = [&](auto getter) {
      return getter(m, &rows, &columns, &entries, &o, &i, &v, &offsets_type, &indices_type, &base, &type);
    };
    ASSERT_EQ(get(by_rows ? cusparseCsrGet : cusparseCscGet), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(get(by_rows ? cusparseCscGet : cusparseCsrGet), CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_EQ((std::vector<int64_t>{rows, columns, entries}), (std::vector<int64_t>{2, 2, 4}));
    EXPECT_EQ((std::vector<void*>{o, i, v}), (std::vector<void*>{offsets, indices, values}));
    EXPECT_EQ(offsets_type, CUSPARSE_INDEX_32I);
    EXPECT_EQ(indices_type, CUSPARSE_INDEX_64I);
    EXPECT_EQ(base, CUSPARSE_INDEX_BASE_ONE);
    EXPECT_EQ(type, CUDA_R_64F);
    ASSERT_EQ((by_rows ? cusparseCsrSetPointers : cusparseCscSetPointers)(m, offsets, others, values),
              CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(get(by_rows ? cusparseCsrGet : cusparseCscGet), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(i, others);
    cusparseFormat_t format{};
    ASSERT_EQ(cusparseSpMatGetFormat(m, &format), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(format, by_rows ? CUSPARSE_FORMAT_CSR : CUSPARSE_FORMAT_CSC);
    EXPECT_EQ(cusparseDestroySpMat(m), CUSPARSE_STATUS_SUCCESS);
  }
}

TEST_F(Descriptors, OtherMatricesReturnWhatTheyWereGiven) {
  int row_indices[4] = {}, indices[4] = {};
  float values[16] = {};
  cusparseConstSpMatDescr_t coo = nullptr;
  ASSERT_EQ(cusparseCreateConstCoo(&coo, 3, 5, 4, row_indices, indices, values, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            CUSPARSE_STATUS_SUCCESS);
  int64_t rows = 0, columns = 0, entries = 0;
  const void *r = nullptr, *i = nullptr, *v = nullptr;
  cusparseIndexType_t index_type{};
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ONE;
  cudaDataType type{};
  ASSERT_EQ(cusparseConstCooGet(coo, &rows, &columns, &entries, &r, &i, &v, &index_type, &base, &type),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ((std::vector<int64_t>{rows, columns, entries}), (std::vector<int64_t>{3, 5, 4}));
  EXPECT_EQ((std::vector<const void*>{r, i, v}), (std::vector<const void*>{row_indices, indices, values}));
  EXPECT_EQ(index_type, CUSPARSE_INDEX_32I);
  EXPECT_EQ(base, CUSPARSE_INDEX_BASE_ZERO);
  EXPECT_EQ(cusparseDestroySpMat(coo), CUSPARSE_STATUS_SUCCESS);

  cusparseSpMatDescr_t ell = nullptr;
  ASSERT_EQ(cusparseCreateBlockedEll(&ell, 4, 8, 2, 4, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                     CUDA_R_32F),
            CUSPARSE_STATUS_SUCCESS);
  int64_t block = 0, ell_columns = 0;
  void *ei = nullptr, *ev = nullptr;
  ASSERT_EQ(cusparseBlockedEllGet(ell, &rows, &columns, &block, &ell_columns, &ei, &ev, &index_type, &base, &type),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ((std::vector<int64_t>{rows, columns, block, ell_columns}), (std::vector<int64_t>{4, 8, 2, 4}));
  EXPECT_EQ(ei, indices);
  EXPECT_EQ(ev, values);
  EXPECT_EQ(cusparseDestroySpMat(ell), CUSPARSE_STATUS_SUCCESS);

  cusparseSpMatDescr_t bsr = nullptr;
  ASSERT_EQ(cusparseCreateBsr(&bsr, 1, 2, 2, 2, 4, row_indices, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F, CUSPARSE_ORDER_COL),
            CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpMatGetSize(bsr, &rows, &columns, &entries), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ((std::vector<int64_t>{rows, columns, entries}), (std::vector<int64_t>{2, 8, 16}));
  ASSERT_EQ(cusparseBsrSetStridedBatch(bsr, 3, 0, 0, 16), CUSPARSE_STATUS_SUCCESS);
  int batches = 0;
  ASSERT_EQ(cusparseSpMatGetStridedBatch(bsr, &batches), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(batches, 3);
  EXPECT_EQ(cusparseCooSetStridedBatch(bsr, 2, 4), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroySpMat(bsr), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(Descriptors, VectorsAndDenseMatrices) {
  int indices[2] = {};
  float values[6] = {}, others[6] = {};
  cusparseSpVecDescr_t sparse = nullptr;
  ASSERT_EQ(
      cusparseCreateSpVec(&sparse, 9, 2, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F),
      CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpVecSetValues(sparse, others), CUSPARSE_STATUS_SUCCESS);
  int64_t size = 0, entries = 0;
  void *i = nullptr, *v = nullptr;
  cusparseIndexType_t index_type{};
  cusparseIndexBase_t base{};
  cudaDataType type{};
  ASSERT_EQ(cusparseSpVecGet(sparse, &size, &entries, &i, &v, &index_type, &base, &type), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(size, 9);
  EXPECT_EQ(entries, 2);
  EXPECT_EQ(i, indices);
  EXPECT_EQ(v, others);
  EXPECT_EQ(base, CUSPARSE_INDEX_BASE_ONE);
  EXPECT_EQ(cusparseDestroySpVec(sparse), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(
      cusparseCreateSpVec(&sparse, 1, 2, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F),
      CUSPARSE_STATUS_INVALID_VALUE);

  cusparseDnMatDescr_t dense = nullptr;
  EXPECT_EQ(cusparseCreateDnMat(&dense, 3, 2, 2, values, CUDA_R_32F, CUSPARSE_ORDER_COL),
            CUSPARSE_STATUS_INVALID_VALUE);
  ASSERT_EQ(cusparseCreateDnMat(&dense, 3, 2, 2, values, CUDA_R_32F, CUSPARSE_ORDER_ROW), CUSPARSE_STATUS_SUCCESS);
  int64_t rows = 0, columns = 0, ld = 0;
  cusparseOrder_t order{};
  ASSERT_EQ(cusparseDnMatGet(dense, &rows, &columns, &ld, &v, &type, &order), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ((std::vector<int64_t>{rows, columns, ld}), (std::vector<int64_t>{3, 2, 2}));
  EXPECT_EQ(order, CUSPARSE_ORDER_ROW);
  int batches = 0;
  int64_t stride = 0;
  ASSERT_EQ(cusparseDnMatSetStridedBatch(dense, 4, 12), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseDnMatGetStridedBatch(dense, &batches, &stride), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(batches, 4);
  EXPECT_EQ(stride, 12);
  EXPECT_EQ(cusparseDestroyDnMat(dense), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(Descriptors, Attributes) {
  const device_matrix a(matrix(2, 2), {});
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_UNIT;
  ASSERT_EQ(cusparseSpMatSetAttribute(a.get(), CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpMatSetAttribute(a.get(), CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal),
            CUSPARSE_STATUS_SUCCESS);
  fill = CUSPARSE_FILL_MODE_LOWER;
  diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  ASSERT_EQ(cusparseSpMatGetAttribute(a.get(), CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpMatGetAttribute(a.get(), CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(fill, CUSPARSE_FILL_MODE_UPPER);
  EXPECT_EQ(diagonal, CUSPARSE_DIAG_TYPE_UNIT);
  EXPECT_EQ(cusparseSpMatSetAttribute(a.get(), CUSPARSE_SPMAT_FILL_MODE, &fill, 1), CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_F(Descriptors, BadArguments) {
  int indices[4] = {};
  float values[4] = {};
  cusparseSpMatDescr_t m = nullptr;
  const auto make = [&](int64_t rows, cusparseIndexType_t index_type, int base, cudaDataType type) {
    return cusparseCreateCsr(&m, rows, 2, 4, indices, indices, values, index_type, index_type,
                             static_cast<cusparseIndexBase_t>(base), type);
  };
  EXPECT_EQ(make(-1, CUSPARSE_INDEX_32I, 0, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(make(2, static_cast<cusparseIndexType_t>(7), 0, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(make(2, CUSPARSE_INDEX_16U, 0, CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(make(2, CUSPARSE_INDEX_32I, 2, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(make(2, CUSPARSE_INDEX_32I, 0, CUDA_R_4I), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cusparseCreateBlockedEll(&m, 4, 4, 3, 4, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                     CUDA_R_32F),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseCreateSlicedEll(&m, 4, 4, 4, 3, 2, indices, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseCreateBsr(&m, 1, 1, 1, 0, 2, indices, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F, CUSPARSE_ORDER_ROW),
            CUSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
