// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools selected by location, in both APIs.
#include "driver.hpp"

namespace {

class PoolLocation : public test::driver {
 protected:
  void SetUp() override {
    test::driver::SetUp();
    ASSERT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  }
};

TEST_F(PoolLocation, PoolsOfDevices) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 2};
  cudaMemPool_t own = nullptr, found = nullptr, standard = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMemPoolCreate(&own, &properties));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetDefaultMemPool(&standard, 2));
  cudaMemLocation place = properties.location;
  CUmemLocation same{CU_MEM_LOCATION_TYPE_DEVICE, 2};
  EXPECT_EQ(cudaSuccess, cudaMemGetDefaultMemPool(&found, &place, cudaMemAllocationTypePinned));
  EXPECT_EQ(standard, found);
  EXPECT_EQ(cudaSuccess, cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, own));
  EXPECT_EQ(cudaSuccess, cudaMemGetMemPool(&found, &place, cudaMemAllocationTypePinned));
  EXPECT_EQ(own, found);
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetDefaultMemPool(&found, &same, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(standard, found);
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetMemPool(&found, &same, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(own, found);
  EXPECT_EQ(CUDA_SUCCESS, cuMemSetMemPool(&same, CU_MEM_ALLOCATION_TYPE_PINNED, standard));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetMemPool(&found, 2));
  EXPECT_EQ(standard, found);
  place.id = 1;
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, own)) << "of another device";
  EXPECT_EQ(cudaSuccess, cudaMemPoolDestroy(own));
}

TEST_F(PoolLocation, OtherPoolsDoNotExist) {
  struct {
    cudaMemLocation place;
    cudaMemAllocationType type;
    cudaError_t error;
  } const cases[] = {
      {{cudaMemLocationTypeDevice, 3}, cudaMemAllocationTypePinned, cudaErrorInvalidDevice},
      {{cudaMemLocationTypeDevice, -1}, cudaMemAllocationTypePinned, cudaErrorInvalidDevice},
      {{cudaMemLocationTypeDevice, 0}, cudaMemAllocationTypeManaged, cudaErrorNotSupported},
      {{cudaMemLocationTypeDevice, 0}, cudaMemAllocationTypeInvalid, cudaErrorInvalidValue},
      {{cudaMemLocationTypeHost, 0}, cudaMemAllocationTypePinned, cudaErrorNotSupported},
      {{cudaMemLocationTypeHostNuma, 0}, cudaMemAllocationTypePinned, cudaErrorNotSupported},
      {{cudaMemLocationTypeHostNumaCurrent, 0}, cudaMemAllocationTypePinned, cudaErrorInvalidValue},
      {{cudaMemLocationTypeNone, 0}, cudaMemAllocationTypeManaged, cudaErrorNotSupported},
      {{cudaMemLocationTypeNone, 0}, cudaMemAllocationTypePinned, cudaErrorInvalidValue},
  };
  cudaMemPool_t standard = nullptr;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetDefaultMemPool(&standard, 0));
  for (auto each : cases) {
    cudaMemPool_t pool = nullptr;
    CUmemLocation same{static_cast<CUmemLocationType>(each.place.type), each.place.id};
    const auto type = static_cast<CUmemAllocationType>(each.type);
    EXPECT_EQ(each.error, cudaMemGetDefaultMemPool(&pool, &each.place, each.type));
    EXPECT_EQ(each.error, cudaMemGetMemPool(&pool, &each.place, each.type));
    EXPECT_EQ(each.error, cudaMemSetMemPool(&each.place, each.type, standard));
    EXPECT_EQ(static_cast<CUresult>(each.error), cuMemGetDefaultMemPool(&pool, &same, type));
    EXPECT_EQ(static_cast<CUresult>(each.error), cuMemGetMemPool(&pool, &same, type));
    EXPECT_EQ(static_cast<CUresult>(each.error), cuMemSetMemPool(&same, type, standard));
    EXPECT_EQ(nullptr, pool);
  }
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemGetMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemGetMemPool(&pool, nullptr, CU_MEM_ALLOCATION_TYPE_PINNED));
}

}  // namespace
