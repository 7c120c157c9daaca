// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of cuSOLVER: modes, streams, captures, statuses for bad arguments, the log.
#include <string>

#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

using Handles = CusolverTest<float>;
constexpr cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;

TEST_F(Handles, ModesAreKept) {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cusolverDnGetStream(handle_, &stream), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(stream, stream_);
  cusolverDeterministicMode_t deterministic = CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS;
  EXPECT_EQ(cusolverDnGetDeterministicMode(handle_, &deterministic), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(deterministic, CUSOLVER_DETERMINISTIC_RESULTS);
  EXPECT_EQ(cusolverDnSetDeterministicMode(handle_, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnGetDeterministicMode(handle_, &deterministic), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(deterministic, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  EXPECT_EQ(cusolverDnSetDeterministicMode(handle_, static_cast<cusolverDeterministicMode_t>(9)),
            CUSOLVER_STATUS_INVALID_VALUE);
  cusolverMathMode_t math = CUSOLVER_DEFAULT_MATH;
  EXPECT_EQ(cusolverDnSetMathMode(handle_, CUSOLVER_FP32_EMULATED_BF16X9_MATH), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnGetMathMode(handle_, &math), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(math, CUSOLVER_FP32_EMULATED_BF16X9_MATH);
  EXPECT_EQ(cusolverDnSetMathMode(handle_, static_cast<cusolverMathMode_t>(0)), CUSOLVER_STATUS_INVALID_VALUE);
  cudaEmulationStrategy strategy = CUDA_EMULATION_STRATEGY_DEFAULT;
  EXPECT_EQ(cusolverDnSetEmulationStrategy(handle_, CUDA_EMULATION_STRATEGY_EAGER), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnGetEmulationStrategy(handle_, &strategy), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(strategy, CUDA_EMULATION_STRATEGY_EAGER);
  int version = 0, major = 0;
  EXPECT_EQ(cusolverGetVersion(&version), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverGetProperty(MAJOR_VERSION, &major), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(version / 1000, major);
  EXPECT_EQ(major, 12);
  cusolverDnParams_t params = nullptr;
  ASSERT_EQ(cusolverDnCreateParams(&params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnSetAdvOptions(params, static_cast<cusolverDnFunction_t>(3), CUSOLVER_ALG_1),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnDestroyParams(params), CUSOLVER_STATUS_SUCCESS);
}

TEST_F(Handles, NoHandleIsNotInitialized) {
  float f = 1;
  int info = 0;
  size_t bytes = 0, host = 0;
  EXPECT_EQ(cusolverDnSpotrf(nullptr, lower, 1, &f, 1, &f, 1, &info), CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(nullptr, lower, 1, &f, 1, &info), CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnXpotrf_bufferSize(nullptr, nullptr, lower, 1, CUDA_R_32F, &f, 1, CUDA_R_32F, &bytes, &host),
            CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnDestroy(nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnSetStream(nullptr, nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnCreate(nullptr), CUSOLVER_STATUS_INVALID_VALUE);
}

TEST_F(Handles, ASecondDestructionIsRefused) {
  cusolverDnHandle_t handle = nullptr;
  ASSERT_EQ(cusolverDnCreate(&handle), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroy(handle), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroy(handle), CUSOLVER_STATUS_NOT_INITIALIZED);
  cusolverDnParams_t params = nullptr;
  ASSERT_EQ(cusolverDnCreateParams(&params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroyParams(params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroyParams(params), CUSOLVER_STATUS_INVALID_VALUE);
  syevjInfo_t eigenvalues = nullptr;
  ASSERT_EQ(cusolverDnCreateSyevjInfo(&eigenvalues), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroySyevjInfo(eigenvalues), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroySyevjInfo(eigenvalues), CUSOLVER_STATUS_INVALID_VALUE);
  gesvdjInfo_t values = nullptr;
  ASSERT_EQ(cusolverDnCreateGesvdjInfo(&values), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroyGesvdjInfo(values), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroyGesvdjInfo(values), CUSOLVER_STATUS_INVALID_VALUE);
  cusolverDnIRSParams_t refinement = nullptr;
  ASSERT_EQ(cusolverDnIRSParamsCreate(&refinement), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsDestroy(refinement), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsDestroy(refinement), CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
}

TEST_F(Handles, BadArgumentsAreInvalidValues) {
  float f = 1;
  int lwork = 0;
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle_, static_cast<cublasFillMode_t>(5), 1, &f, 1, &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle_, lower, -1, &f, 1, &lwork), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle_, lower, 2, &f, 1, &lwork), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle_, lower, 1, &f, 1, nullptr), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSgetrs(handle_, static_cast<cublasOperation_t>(7), 1, 1, &f, 1, &lwork, &f, 1, &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSorgqr_bufferSize(handle_, 2, 3, 1, &f, 2, &f, &lwork), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnSgesvd(handle_, 'X', 'N', 1, 1, &f, 1, &f, &f, 1, &f, 1, &f, 100, &f, &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  size_t bytes = 0, host = 0;
  EXPECT_EQ(cusolverDnXpotrf_bufferSize(handle_, nullptr, lower, 1, CUDA_R_16F, &f, 1, CUDA_R_16F, &bytes, &host),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnXpotrf_bufferSize(handle_, nullptr, lower, 1, CUDA_R_32F, &f, 1, CUDA_R_64F, &bytes, &host),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnXpotrf_bufferSize(handle_, nullptr, lower, int64_t{1} << 31, CUDA_R_32F, &f, int64_t{1} << 31,
                                        CUDA_R_32F, &bytes, &host),
            CUSOLVER_STATUS_NOT_SUPPORTED);
}

TEST_F(Handles, CallsBecomeNodesOfGraphs) {
  const device_numbers<float> a(numbers{4, 1, 1, 3}), b(numbers{1, 2}), work(numbers(16));
  const device_array<int> info({-7});
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cusolverDnSpotrf(handle_, lower, 2, a.get(), 2, work.get(), 16, info.get()), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnSpotrs(handle_, lower, 2, 1, a.get(), 2, b.get(), 2, info.get()), CUSOLVER_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(info.read(), std::vector<int>{-7});
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  EXPECT_EQ(info.read(), std::vector<int>{0});
  const matrix x = read(b, 2, 1, 2);
  EXPECT_NEAR(x.at(0, 0).real(), 1.0 / 11, 1e-6);
  EXPECT_NEAR(x.at(1, 0).real(), 7.0 / 11, 1e-6);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

// The number of eigenvalues goes to host memory.
TEST_F(Handles, AResultOnTheHostCannotBeCaptured) {
  const device_numbers<float> a(numbers{4, 1, 1, 3}), w(numbers(2)), work(numbers(1000));
  const device_array<int> info({-7});
  int count = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cusolverDnSsyevdx(handle_, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_ALL, lower, 2, a.get(), 2, 0, 0, 0,
                              0, &count, w.get(), work.get(), 1000, info.get()),
            CUSOLVER_STATUS_EXECUTION_FAILED);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream_, &graph);
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
}

std::string logged;
void log_line(int level, const char* function, const char*) { logged += std::to_string(level) + function + ' '; }

TEST_F(Handles, TheLogNamesCalls) {
  EXPECT_EQ(cusolverDnLoggerSetCallback(log_line), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnLoggerSetLevel(5), CUSOLVER_STATUS_SUCCESS);
  float f = 1;
  int lwork = 0;
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle_, lower, 1, &f, 1, &lwork), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnLoggerSetLevel(2), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDpotrf_bufferSize(handle_, lower, 0, nullptr, 1, &lwork), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnLoggerSetMask(16), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnCpotrf_bufferSize(handle_, lower, 0, nullptr, 1, &lwork), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(logged, "5cusolverDnSpotrf_bufferSize 5cusolverDnCpotrf_bufferSize ");
  EXPECT_EQ(cusolverDnLoggerSetLevel(6), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnLoggerSetLevel(0), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnLoggerSetCallback(nullptr), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnLoggerOpenFile("/nowhere/log"), CUSOLVER_STATUS_INVALID_VALUE);
}

}  // namespace
