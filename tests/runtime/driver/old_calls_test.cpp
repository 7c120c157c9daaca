// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that the driver API keeps for old programs: attached contexts, settings of contexts, and launches as before
// CUDA 4.
#include <cudaProfiler.h>

#include "driver.hpp"

namespace {

using OldCalls = test::driver;

struct pair {
  int a, b;
};

// The rank of a thread in a grid and blocks of two dimensions.
uint32_t rank_in_grid() {
  const uint32_t block = cohort_block_index(1) * cohort_grid_dim(0) + cohort_block_index(0);
  const uint32_t thread = cohort_thread_index(1) * cohort_block_dim(0) + cohort_thread_index(0);
  return block * cohort_block_dim(0) * cohort_block_dim(1) + thread;
}

// out[rank] = letter + a + b + int(f)
void mix(void** arguments) {
  const pair p = test::argument<pair>(arguments, 1);
  test::argument<int*>(arguments, 0)[rank_in_grid()] =
      test::argument<char>(arguments, 2) + p.a + p.b + static_cast<int>(test::argument<float>(arguments, 3));
}

const test::kernel mix_kernel("old_mix", mix, {8, 8, 1, 4});

TEST_F(OldCalls, FunctionsKeepTheirLaunch) {
  const CUfunction f = function(mix_kernel);
  int* out = managed<int>(24);
  EXPECT_EQ(CUDA_SUCCESS, cuFuncSetBlockShape(f, 3, 2, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuFuncSetSharedSize(f, 64));
  EXPECT_EQ(CUDA_SUCCESS, cuParamSetSize(f, 20));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(f, 40000));
  pair p{100, 20};
  char letter = 3;
  EXPECT_EQ(CUDA_SUCCESS, cuParamSetv(f, 0, &out, sizeof out));
  EXPECT_EQ(CUDA_SUCCESS, cuParamSetv(f, 8, &p, sizeof p));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunch(f)) << "the last parameter is missing";
  EXPECT_EQ(CUDA_SUCCESS, cuParamSetv(f, 16, &letter, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuParamSetf(f, 20, 1000.5f));
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchGrid(f, 2, 2));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  for (int i = 0; i < 24; ++i) EXPECT_EQ(1123, out[i]) << i;
  EXPECT_EQ(CUDA_SUCCESS, cuParamSeti(f, 8, 7));
  EXPECT_EQ(CUDA_SUCCESS, cuLaunch(f));
  CUstream s = stream();
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(1030, out[5]);
  EXPECT_EQ(1123, out[6]) << "one block";
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchGridAsync(f, 3, 1, s));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  EXPECT_EQ(1030, out[17]);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(f, 0, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(f, 1, 0, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSeti(f, -1, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetv(f, 0, nullptr, 8));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLaunch(nullptr));
}

TEST_F(OldCalls, ContextsAreAttached) {
  CUcontext c = nullptr, attached = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxCreate_v2(&c, 0, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxAttach(&attached, 0));
  EXPECT_EQ(c, attached);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&attached, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(nullptr, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(primary(1))) << "not current";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDetach(c));
  unsigned long long id = 0, other_id = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetId(nullptr, &id));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetId(primary(1), &other_id));
  EXPECT_NE(id, other_id);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxGetId(c, nullptr));
  unsigned flags = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetFlags(&flags));
  EXPECT_EQ(unsigned{CU_CTX_SCHED_YIELD}, flags);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(CU_CTX_SCHED_YIELD | CU_CTX_SCHED_SPIN));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDetach(c));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(c));
}

TEST_F(OldCalls, ProfilersTakeNoConfiguration) {
  EXPECT_EQ(CUDA_ERROR_PROFILER_DISABLED, cuProfilerInitialize("in", "out", CU_OUT_CSV));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuProfilerInitialize("in", nullptr, CU_OUT_CSV));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuProfilerInitialize(nullptr, "out", CU_OUT_CSV));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuProfilerInitialize("in", "out", static_cast<CUoutput_mode>(2)));
  EXPECT_EQ(CUDA_SUCCESS, cuProfilerStart());
}

TEST_F(OldCalls, SettingsOfContextsAndDevices) {
  CUfunc_cache cache{};
  CUsharedconfig shared{};
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCacheConfig(&cache));
  EXPECT_EQ(CU_FUNC_CACHE_PREFER_NONE, cache);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxSetCacheConfig(static_cast<CUfunc_cache>(9)));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetSharedMemConfig(&shared));
  EXPECT_EQ(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, shared);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(9)));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxResetPersistingL2Cache());
  int supported = 9;
  CUexecAffinityParam affinity{};
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  EXPECT_EQ(0, supported);
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 99));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_MAX, 0));
  EXPECT_EQ(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxGetExecAffinity(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  CUdevprop properties{};
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetProperties(&properties, 1));
  EXPECT_EQ(1024, properties.maxThreadsPerBlock);
  EXPECT_EQ(32, properties.SIMDWidth);
  EXPECT_EQ(64, properties.maxThreadsDim[2]);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetProperties(nullptr, 0));
  CUevent event = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&event, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuEventRecordWithFlags(event, nullptr, CU_EVENT_RECORD_DEFAULT));
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(event));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(event, nullptr, 9));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
}

}  // namespace
