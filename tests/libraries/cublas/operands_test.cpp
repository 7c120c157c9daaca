// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands outside of live memory: the call fails as a kernel's access does, and the report names function and operand.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <string>

namespace {

constexpr int side = 9;

class Operands : public testing::Test {
 protected:
  void SetUp() override {
    if (cublasCreate(&handle_) == CUBLAS_STATUS_NOT_INITIALIZED) GTEST_SKIP() << "skipped: OpenBLAS is not installed";
    for (float** each : {&a_, &b_, &c_, &freed_}) {
      ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(each), side * side * sizeof(float)), cudaSuccess);
      ASSERT_EQ(cudaMemset(*each, 0, side * side * sizeof(float)), cudaSuccess);
    }
    ASSERT_EQ(cudaFree(freed_), cudaSuccess);
  }
  void TearDown() override {
    if (!handle_) return;
    cublasDestroy(handle_);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  }
  void expect_report(const std::string& report, const std::function<void()>& call) {
    testing::internal::CaptureStderr();
    call();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(std::regex_search(text, std::regex(report))) << text;
  }
  void multiply(const float* a, const float* b, float* c, int rows = side) {
    cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, rows, side, side, &one_, a, rows, b, side, &one_, c, rows);
  }

  cublasHandle_t handle_ = nullptr;
  const float one_ = 1;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *freed_ = nullptr;
};

TEST_F(Operands, MatrixIsNull) {
  expect_report("cublasSgemm_v2 reads illegal address .*: a null pointer\\n  A: 324 bytes at",
                [&] { multiply(nullptr, b_, c_); });
}

TEST_F(Operands, MatrixIsFreed) {
  expect_report("cublasSgemm_v2 writes illegal address .*: byte 0 of 324 bytes at .*, which were freed\\n  C: ",
                [&] { multiply(a_, b_, freed_); });
}

TEST_F(Operands, MatrixIsTooSmall) {
  expect_report("cublasSgemm_v2 reads illegal address .*: 0 bytes behind the end of 324 bytes of device memory",
                [&] { multiply(a_, b_, c_, side + 1); });
}

TEST_F(Operands, VectorWithAnIncrement) {
  expect_report("cublasSaxpy_v2 writes illegal address .*\\n  y: 9 rows of 4 bytes, 44 bytes apart, at",
                [&] { cublasSaxpy(handle_, side, &one_, a_, 1, c_, side + 2); });
}

TEST_F(Operands, TriangleOfAFreedMatrix) {
  expect_report("cublasSsymv_v2 reads illegal address .*\\n  A: 36 bytes at",
                [&] { cublasSsymv(handle_, CUBLAS_FILL_MODE_LOWER, side, &one_, freed_, side, a_, 1, &one_, c_, 1); });
}

TEST_F(Operands, PointerOfABatch) {
  const float** arrays = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&arrays), 6 * sizeof *arrays), cudaSuccess);
  const float* const pointers[] = {a_, a_, b_, nullptr, c_, c_};
  for (int i = 0; i < 6; ++i) arrays[i] = pointers[i];
  expect_report("cublasSgemmBatched reads illegal address .*: a null pointer\\n  B: ", [&] {
    cublasSgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one_, arrays, side, arrays + 2, side,
                       &one_, const_cast<float* const*>(arrays + 4), side, 2);
  });
}

TEST_F(Operands, FactorInDeviceMemory) {
  cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
  expect_report("cublasSscal_v2 reads illegal address .*\\n  a factor in device memory: 4 bytes at",
                [&] { cublasSscal(handle_, side, freed_, a_, 1); });
}

TEST_F(Operands, OfCublasLt) {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  ASSERT_EQ(cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, side, side, side), CUBLAS_STATUS_SUCCESS);
  const float zero = 0;
  expect_report("cublasLtMatmul writes illegal address .*, which were freed\\n  D: 324 bytes at", [&] {
    cublasLtMatmul(handle, operation, &one_, a_, layout, b_, layout, &zero, freed_, layout, freed_, layout, nullptr,
                   nullptr, 0, nullptr);
  });
  cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(operation);
  cublasLtDestroy(handle);
}

}  // namespace
