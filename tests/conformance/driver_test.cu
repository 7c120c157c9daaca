// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative launches by the driver API, on one device and on several: sections C.7 and C.8 of the guide. CUDA 13
// still has the driver's multi-device launch, but no longer the runtime's.
#include <cuda.h>

#include "conformance.hpp"

namespace {

using namespace conformance;

__global__ void meet(int* arrived, int* seen) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) atomicAdd(arrived, 1);
  grid.sync();
  if (threadIdx.x == 0) seen[blockIdx.x] = *arrived + (grid.is_valid() ? 1000 : 0);
}

CUfunction function_of_meet() {
  cudaFunction_t function = nullptr;
  EXPECT_EQ(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(meet)), cudaSuccess);
  return reinterpret_cast<CUfunction>(function);
}

class Driver : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaFree(nullptr), cudaSuccess);  // the device's context
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    arrived.fill(0);
    seen.fill(0);
    pointers[0] = arrived.data();
    pointers[1] = seen.data();
    arguments[0] = &pointers[0];
    arguments[1] = &pointers[1];
  }
  void TearDown() override { EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess); }

  memory<int> arrived{1}, seen{64};
  int* pointers[2];
  void* arguments[2];
  cudaStream_t stream = nullptr;
};

TEST_F(Driver, CooperativeLaunch) {
  CONFORMS("C.7.2", "C.7.4", "C.4.1.2.2");
  const CUfunction function = function_of_meet();
  ASSERT_EQ(cuLaunchCooperativeKernel(function, 2, 1, 1, 64, 1, 1, 0, reinterpret_cast<CUstream>(stream), arguments),
            CUDA_SUCCESS);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen[0], 1002);
  EXPECT_EQ(seen[1], 1002);
  int per_sm = 0;
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, function, 64, 0), CUDA_SUCCESS);
  const unsigned int most = static_cast<unsigned int>(per_sm * device_attribute(cudaDevAttrMultiProcessorCount));
  EXPECT_EQ(
      cuLaunchCooperativeKernel(function, most + 1, 1, 1, 64, 1, 1, 0, reinterpret_cast<CUstream>(stream), arguments),
      CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(arrived[0], 2);
}

// The rules of the list can be tested on one device.
TEST_F(Driver, MultiDeviceLaunchOfOneDevice) {
  CONFORMS("C.8.1", "C.8.3", "C.8.9");
  CUDA_LAUNCH_PARAMS list[2] = {};
  list[0].function = function_of_meet();
  list[0].gridDimX = 2;
  list[0].gridDimY = list[0].gridDimZ = list[0].blockDimY = list[0].blockDimZ = 1;
  list[0].blockDimX = 32;
  list[0].hStream = reinterpret_cast<CUstream>(stream);
  list[0].kernelParams = arguments;
  for (unsigned int flags : {0u, 3u}) {
    arrived[0] = 0;
    ASSERT_EQ(cuLaunchCooperativeKernelMultiDevice(list, 1, flags), CUDA_SUCCESS);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen[0] % 1000, 2);
    EXPECT_EQ(seen[1] % 1000, 2);
  }
  EXPECT_EQ(cuLaunchCooperativeKernelMultiDevice(list, 1, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchCooperativeKernelMultiDevice(list, 0, 0), CUDA_ERROR_INVALID_VALUE);
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  list[1] = list[0];
  list[1].hStream = reinterpret_cast<CUstream>(other);
  int devices = 0;
  ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  const CUresult twice = devices < 2 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
  EXPECT_EQ(cuLaunchCooperativeKernelMultiDevice(list, 2, 0), twice);  // the list names one device twice
  list[0].hStream = nullptr;
  EXPECT_EQ(cuLaunchCooperativeKernelMultiDevice(list, 1, 0), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(arrived[0], 2);
}

}  // namespace
