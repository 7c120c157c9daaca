// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "../test_module.hpp"

namespace {

struct alignas(32) wide {
  double values[4];
};

// A kernel with three parameters of different sizes and alignments.
void mix(void** arguments) {
  auto* out = test::argument<double*>(arguments, 0);
  const char c = test::argument<char>(arguments, 1);
  const auto* w = static_cast<wide*>(arguments[2]);
  const bool aligned = reinterpret_cast<uintptr_t>(w) % alignof(wide) == 0;
  out[test::global_index()] = aligned ? w->values[test::global_index() % 4] + c : -1;
}

void nothing(void**) {}
void crash(void**) { cohort_fail(cudaErrorLaunchFailure, "the test wants it so"); }
void failed_assert(void**) { cohort_fail_assert("1 == 2", "here.cu", 3, "kernel"); }

const test::kernel mix_kernel("mix", mix, {8, 1, 32});
const test::kernel empty_kernel("empty", nothing, {});
const test::kernel bounded_kernel("bounded", nothing, {}, 0, 128);
const test::kernel shared_kernel("shared", nothing, {}, 40 * 1024);
const test::kernel crash_kernel("crash", crash, {});
const test::kernel assert_kernel("assert", failed_assert, {});

class Launch : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    (void)cudaGetLastError();
  }
  cudaError_t plain(dim3 grid, dim3 block, size_t shared = 0) {
    return test::launch(empty_kernel, grid, block, shared, nullptr);
  }
  cudaError_t cooperative(const test::kernel& k, dim3 grid, dim3 block, size_t shared = 0) {
    return cudaLaunchCooperativeKernel(k.stub(), grid, block, nullptr, shared, nullptr);
  }
};

TEST_F(Launch, ArgumentsAreCopiedBeforeTheCallReturns) {
  double* out = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocManaged(&out, 64 * sizeof(double)));
  for (int round = 0; round < 8; ++round) {
    char c = static_cast<char>(round);
    wide w{{1, 2, 3, 4}};
    void* pointers[] = {&out, &c, &w};
    ASSERT_EQ(cudaSuccess, cudaLaunchKernel(mix_kernel.stub(), 2, 32, pointers, 0, nullptr));
    c = 100;
    std::memset(&w, 0xff, sizeof w);
    std::memset(pointers, 0, sizeof pointers);
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) EXPECT_EQ(i % 4 + 1 + round, out[i]) << i;
  }
}

TEST_F(Launch, PlainLaunchesAnswerAsCudaDoes) {
  EXPECT_EQ(cudaSuccess, plain(1, 1024));
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(1, 1025));
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(0, 32));
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(1, 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(dim3(1, 65536), 32));
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(1, dim3(1, 1, 65)));
  EXPECT_EQ(cudaErrorInvalidValue, plain(1, 32, 48 * 1024 + 1));
  EXPECT_EQ(cudaErrorLaunchOutOfResources, test::launch(bounded_kernel, 1, 129, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(nullptr, 1, 1, nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaLaunchKernel(this, 1, 1, nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, test::launch(empty_kernel, 1, 1, 0, reinterpret_cast<cudaStream_t>(this)));
}

TEST_F(Launch, CooperativeLaunchesAnswerAsCudaDoes) {
  int blocks = 0;
  int sms = 0;
  ASSERT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty_kernel.stub(), 256, 0));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const unsigned most = static_cast<unsigned>(blocks * sms);
  EXPECT_EQ(cudaSuccess, cooperative(empty_kernel, most, 256));
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, cooperative(empty_kernel, most + 1, 256));
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, cooperative(empty_kernel, 1, 32, 48 * 1024 + 1));
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, cooperative(empty_kernel, 1, 32, size_t{1} << 30));
  EXPECT_EQ(cudaErrorInvalidValue, cooperative(empty_kernel, 1, 1025));
  EXPECT_EQ(cudaErrorInvalidValue, cooperative(empty_kernel, 1, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cooperative(empty_kernel, 0, 32));
  EXPECT_EQ(cudaErrorInvalidValue, cooperative(empty_kernel, dim3(1, 65536), 32));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, cudaLaunchCooperativeKernel(nullptr, 1, 1, nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaLaunchCooperativeKernel(this, 1, 1, nullptr, 0, nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Launch, RefusedLaunchIsNotStickyAndIsTheLastError) {
  (void)cudaGetLastError();
  EXPECT_EQ(cudaErrorInvalidConfiguration, plain(1, 2000));
  EXPECT_EQ(cudaSuccess, plain(1, 32));
  EXPECT_EQ(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidConfiguration, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Launch, DynamicSharedMemoryNeedsTheOptIn) {
  EXPECT_EQ(cudaErrorInvalidValue, test::launch(shared_kernel, 1, 32, 9 * 1024, nullptr));
  EXPECT_EQ(cudaSuccess,
            cudaFuncSetAttribute(shared_kernel.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, 9 * 1024));
  EXPECT_EQ(cudaSuccess, test::launch(shared_kernel, 1, 32, 9 * 1024, nullptr));
  int optin = 0;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const int most = optin - 40 * 1024;
  EXPECT_EQ(cudaErrorInvalidValue,
            cudaFuncSetAttribute(shared_kernel.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
  EXPECT_EQ(cudaSuccess, cudaFuncSetAttribute(shared_kernel.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  EXPECT_EQ(cudaSuccess, test::launch(shared_kernel, 1, 32, static_cast<size_t>(most), nullptr));
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaSuccess, cudaFuncGetAttributes(&attributes, shared_kernel.stub()));
  EXPECT_EQ(40u * 1024, attributes.sharedSizeBytes);
  EXPECT_EQ(most, attributes.maxDynamicSharedSizeBytes);
  EXPECT_EQ(1024, attributes.maxThreadsPerBlock);
  EXPECT_EQ(32, attributes.numRegs);  // programs divide by it, so it is not 0
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, this));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Launch, FailedKernelIsStickyUntilReset) {
  void* before = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&before, 16));
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaSuccess, test::launch(crash_kernel, 1, 1, 0, nullptr));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("the test wants it so"));
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaErrorLaunchFailure, cudaMalloc(&memory, 16));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaStreamCreate(&stream));
  EXPECT_EQ(cudaErrorLaunchFailure, plain(1, 1));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaGetLastError());
  EXPECT_EQ(cudaErrorLaunchFailure, cudaGetLastError());
  EXPECT_EQ(cudaErrorLaunchFailure, cudaFree(before));
  EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, plain(1, 1));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(before)) << "the reset freed it";
}

TEST_F(Launch, FailedAssertIs710) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaSuccess, test::launch(assert_kernel, 1, 1, 0, nullptr));
  EXPECT_EQ(cudaErrorAssert, cudaStreamSynchronize(nullptr));
  (void)testing::internal::GetCapturedStderr();
  EXPECT_EQ(cudaErrorAssert, cudaDeviceSynchronize());
}

TEST_F(Launch, Attributes) {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto run = [&] { return cudaLaunchKernelExC(&config, empty_kernel.stub(), nullptr); };
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  EXPECT_EQ(cudaSuccess, run());
  config.gridDim = 1 << 20;
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, run());
  config.gridDim = 4;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {1, 1, 1};
  EXPECT_EQ(cudaSuccess, run());
  attribute.val.clusterDim = {1, 0, 1};
  EXPECT_EQ(cudaErrorInvalidClusterSize, run());
  attribute.val.clusterDim = {3, 1, 1};
  EXPECT_EQ(cudaErrorInvalidClusterSize, run());
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = -1;
  EXPECT_EQ(cudaSuccess, run());
  attribute.id = static_cast<cudaLaunchAttributeID>(4711);
  EXPECT_EQ(cudaErrorInvalidValue, run());
  EXPECT_EQ(cudaErrorInvalidValue, cudaLaunchKernelExC(nullptr, empty_kernel.stub(), nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Launch, ConfigurationsNest) {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(0u, __cudaPushCallConfiguration(dim3(1, 2, 3), 4, 5, cudaStreamPerThread));
  EXPECT_EQ(0u, __cudaPushCallConfiguration(6, 7, 8, nullptr));
  EXPECT_EQ(cudaSuccess, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(6u, grid.x);
  EXPECT_EQ(8u, shared);
  EXPECT_EQ(cudaSuccess, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(3u, grid.z);
  EXPECT_EQ(4u, block.x);
  EXPECT_EQ(cudaStreamPerThread, stream);
  EXPECT_EQ(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
}

TEST_F(Launch, Occupancy) {
  int blocks = -1;
  const void* stub = empty_kernel.stub();
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 1024, 0));
  EXPECT_EQ(2, blocks);
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 33, 0));
  EXPECT_EQ(32, blocks) << "2048 / 64, and at most 32";
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 32, 48 * 1024));
  EXPECT_EQ(4, blocks) << "228 KiB / 49 KiB";
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 32, 48 * 1024 + 1));
  EXPECT_EQ(0, blocks) << "without opt-in";
  EXPECT_EQ(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 0, 0));
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, 1025, 0));
  EXPECT_EQ(0, blocks) << "as on an H200";
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, this, 32, 0));

  int grid = 0;
  int block = 0;
  int sms = 0;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialBlockSize(&grid, &block, stub));
  EXPECT_EQ(1024, block);
  EXPECT_EQ(2 * sms, grid);
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialBlockSize(&grid, &block, stub, 0, 100));
  EXPECT_EQ(64, block) << "32 x 64 threads are more than 21 x 96 and 16 x 100";
  EXPECT_EQ(32 * sms, grid);
  // Shared memory: 228 KiB for a multiprocessor. A block takes 128 bytes for each thread, at most 48 KiB, and 1 KiB
  // more.
  const auto shared_of = [](int threads) { return static_cast<size_t>(threads) * 128; };
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, stub, shared_of, 512));
  int best = 0;
  for (int size = 512; size > 0; size -= 32) {
    const int fit_shared = shared_of(size) > 48 * 1024 ? 0 : 228 * 1024 / (size * 128 + 1024);
    const int fit = std::min({fit_shared, 2048 / size, 32});
    best = std::max(best, fit * size);
  }
  EXPECT_EQ(best, grid / sms * block);

  // Values that an H200 returned. Blocks take 1 KiB beside their own memory, so fewer than requested fit.
  size_t dynamic = 0;
  constexpr std::pair<int, size_t> answers[] = {{1, 49152}, {4, 49152},  {5, 46592},
                                                {7, 33280}, {13, 17920}, {16, 14592}};
  for (const auto& [count, bytes] : answers) {
    EXPECT_EQ(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&dynamic, stub, count, 128));
    EXPECT_EQ(bytes, dynamic) << count;
  }
  EXPECT_EQ(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&dynamic, stub, 17, 128));
}

TEST_F(Launch, FunctionNameAndParameters) {
  const char* name = nullptr;
  EXPECT_EQ(cudaSuccess, cudaFuncGetName(&name, mix_kernel.stub()));
  EXPECT_STREQ("mix", name);
  size_t offset = 0, size = 0;
  EXPECT_EQ(cudaSuccess, cudaFuncGetParamInfo(mix_kernel.stub(), 1, &offset, &size));
  EXPECT_EQ(8u, offset);
  EXPECT_EQ(1u, size);
  EXPECT_EQ(cudaErrorInvalidValue, cudaFuncGetParamInfo(mix_kernel.stub(), 3, &offset, &size));
}

}  // namespace
