// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of cuBLAS: modes, streams, captures, copies, statuses for bad arguments, the log.
#include <cmath>
#include <cstring>
#include <string>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;

class Handles : public CublasTest<float> {};

TEST_F(Handles, ModesAreKept) {
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_DEVICE;
  EXPECT_EQ(cublasGetPointerMode(handle_, &pointers), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, CUBLAS_POINTER_MODE_HOST);
  EXPECT_EQ(cublasSetPointerMode(handle_, static_cast<cublasPointerMode_t>(7)), CUBLAS_STATUS_INVALID_VALUE);
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  EXPECT_EQ(cublasSetAtomicsMode(handle_, CUBLAS_ATOMICS_ALLOWED), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetAtomicsMode(handle_, &atomics), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(atomics, CUBLAS_ATOMICS_ALLOWED);
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  EXPECT_EQ(cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetMathMode(handle_, &math), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT_EQ(cublasSetMathMode(handle_, static_cast<cublasMath_t>(5)), CUBLAS_STATUS_INVALID_VALUE);
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cublasGetStream(handle_, &stream), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, stream_);
  int version = 0, major = 0;
  EXPECT_EQ(cublasGetVersion(handle_, &version), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetProperty(MAJOR_VERSION, &major), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version / 10000, major);
  EXPECT_EQ(major, 13);
}

TEST_F(Handles, NoHandleIsNotInitialized) {
  float x = 0;
  EXPECT_EQ(cublasSscal(nullptr, 1, &x, &x, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t destroyed = nullptr;
  ASSERT_EQ(cublasCreate(&destroyed), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(destroyed), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(destroyed), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream(nullptr, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Handles, BadArgumentsAreInvalidValues) {
  float f = 1;
  const auto gemm = [&](cublasOperation_t a, cublasOperation_t b, int m, int n, int k, int lda, int ldb, int ldc,
                        const float* alpha, const float* beta) {
    return cublasSgemm(handle_, a, b, m, n, k, alpha, &f, lda, &f, ldb, beta, &f, ldc);
  };
  const auto op = static_cast<cublasOperation_t>(9);
  EXPECT_EQ(gemm(op, CUBLAS_OP_N, 1, 1, 1, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, op, 1, 1, 1, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, -1, 1, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, -1, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, 1, 1, 2, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, 1, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, 2, 1, 1, &f, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, 1, 1, 1, nullptr, &f), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, 1, 1, 1, &f, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, 0, 1, 1, 1, &f, &f), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSgemv(handle_, CUBLAS_OP_N, 1, 1, &f, &f, 1, &f, 0, &f, &f, 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasStrmv(handle_, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 1, &f, 1, &f, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSnrm2(handle_, 1, &f, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Handles, SizesBeyond31BitsAreRefused) {
  float f = 1;
  EXPECT_EQ(cublasSscal_64(handle_, int64_t{1} << 31, &f, &f, 1), CUBLAS_STATUS_NOT_SUPPORTED);
  const device_numbers<float> x({1, 2, 3});
  const float two = 2;
  EXPECT_EQ(cublasSscal_64(handle_, 3, &two, x.get(), 1), CUBLAS_STATUS_SUCCESS);
  expect_numbers(x, {2, 4, 6});
  int64_t at = 0;
  EXPECT_EQ(cublasIsamax_64(handle_, 3, x.get(), 1, &at), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(at, 3);
}

TEST_F(Handles, DevicePointersAreReadInTheOrderOfTheStream) {
  ASSERT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  const device_numbers<float> x({1, 2, 3}), y({1, 1, 1}), dot({0});
  ASSERT_EQ(cublasSdot(handle_, 3, x.get(), 1, y.get(), 1, dot.get()), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSaxpy(handle_, 3, dot.get(), x.get(), 1, y.get(), 1), CUBLAS_STATUS_SUCCESS);
  expect_numbers(y, {7, 13, 19});
}

// A factor in host memory may change after the call.
TEST_F(Handles, HostFactorsAreReadAtTheCall) {
  const int n = 300;
  const device_numbers<float> a(numbers(static_cast<size_t>(n * n), 1)), c(numbers(static_cast<size_t>(n * n)));
  float alpha = 1, beta = 0;
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a.get(), n, a.get(), n, &beta, c.get(), n),
            CUBLAS_STATUS_SUCCESS);
  alpha = beta = 1000;
  EXPECT_EQ(c.read()[7], number(n));
}

TEST_F(Handles, CallsBecomeNodesOfGraphs) {
  const device_numbers<float> x({1, 2}), y({0, 0});
  const float alpha = 3;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cublasSaxpy(handle_, 2, &alpha, x.get(), 1, y.get(), 1), CUBLAS_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  expect_numbers(y, {9, 18});
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Handles, AResultOnTheHostCannotBeCaptured) {
  const device_numbers<float> x({1, 2});
  float norm = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cublasSnrm2(handle_, 2, x.get(), 1, &norm), CUBLAS_STATUS_EXECUTION_FAILED);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  static_cast<void>(cudaGetLastError());
}

TEST_F(Handles, CopiesOfVectorsAndMatrices) {
  const float host[] = {1, 2, 3, 4, 5, 6};
  float back[6] = {};
  const device_numbers<float> x(numbers(6));
  ASSERT_EQ(cublasSetVector(3, sizeof(float), host, 2, x.get(), 1), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasGetVector(3, sizeof(float), x.get(), 1, back, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back[0], 1);
  EXPECT_EQ(back[1], 0);
  EXPECT_EQ(back[2], 3);
  EXPECT_EQ(back[4], 5);
  ASSERT_EQ(cublasSetMatrix(2, 2, sizeof(float), host, 3, x.get(), 2), CUBLAS_STATUS_SUCCESS);
  expect_numbers(x, {1, 2, 4, 5, 0, 0});
  ASSERT_EQ(cublasGetMatrixAsync(2, 2, sizeof(float), x.get(), 2, back, 3, stream_), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(back[3], 4);
  EXPECT_EQ(cublasSetMatrix(3, 2, sizeof(float), host, 2, x.get(), 3), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(3, 0, host, 1, x.get(), 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(3, 4, host, 0, x.get(), 1), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Handles, StatusesHaveNames) {
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
  EXPECT_STREQ(cublasGetStatusName(static_cast<cublasStatus_t>(99)), "<unknown>");
  EXPECT_GT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)), 5u);
}

std::string& logged() {
  static std::string text;
  return text;
}

TEST_F(Handles, TheLogNamesCalls) {
  logged().clear();
  const device_numbers<float> x({1});
  const float alpha = 2;
  ASSERT_EQ(cublasSetLoggerCallback([](const char* line) { logged() += line; }), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSscal(handle_, 1, &alpha, x.get(), 1), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetLoggerCallback(nullptr), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSscal(handle_, 1, &alpha, x.get(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(logged(), "[cublas] cublasSscal_v2\n");
}

}  // namespace
