// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: advice for ranges of managed memory, prefetches and discards in batches, attributes of pointers.
#include <vector>

#include "driver.hpp"

#undef cuMemAdvise
#undef cuMemPrefetchAsync

// Forms of CUDA 8, which no header declares.
extern "C" {
CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice);
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);
}

namespace {

using ManagedMemory = test::driver;

constexpr CUmemLocation device_1{CU_MEM_LOCATION_TYPE_DEVICE, 1}, host{CU_MEM_LOCATION_TYPE_HOST, 0};

int attribute(CUdeviceptr memory, size_t bytes, CUmem_range_attribute name) {
  int value = -99;
  EXPECT_EQ(CUDA_SUCCESS, cuMemRangeGetAttribute(&value, sizeof value, name, memory, bytes));
  return value;
}

CUdeviceptr allocate(size_t bytes) {
  CUdeviceptr memory = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
  return memory;
}

TEST_F(ManagedMemory, AdviceIsReadBackForEachPart) {
  const CUdeviceptr m = allocate(1000);
  EXPECT_EQ(0, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(CU_DEVICE_INVALID, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m + 100, 300, CU_MEM_ADVISE_SET_READ_MOSTLY, device_1));
  EXPECT_EQ(1, attribute(m + 100, 300, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(1, attribute(m + 250, 1, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(0, attribute(m + 99, 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(0, attribute(m + 399, 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m + 200, 50, CU_MEM_ADVISE_UNSET_READ_MOSTLY, host));
  EXPECT_EQ(0, attribute(m + 100, 300, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  EXPECT_EQ(1, attribute(m + 250, 150, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));

  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m, 1000, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device_1));
  EXPECT_EQ(1, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_EQ(CU_MEM_LOCATION_TYPE_DEVICE, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE));
  EXPECT_EQ(1, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m, 500, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  EXPECT_EQ(CU_DEVICE_INVALID, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_EQ(CU_DEVICE_CPU, attribute(m, 500, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m, 1000, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host));
  EXPECT_EQ(CU_DEVICE_INVALID, attribute(m, 500, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));

  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise(m, 600, CU_MEM_ADVISE_SET_ACCESSED_BY, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise(m, 600, CU_MEM_ADVISE_SET_ACCESSED_BY, CU_DEVICE_CPU));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise(m, 300, CU_MEM_ADVISE_UNSET_ACCESSED_BY, 1));
  int devices[3];
  EXPECT_EQ(CUDA_SUCCESS, cuMemRangeGetAttribute(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 600));
  EXPECT_EQ((std::vector<int>{CU_DEVICE_CPU, CU_DEVICE_INVALID, CU_DEVICE_INVALID}),
            std::vector<int>(devices, devices + 3));
  EXPECT_EQ(CUDA_SUCCESS,
            cuMemRangeGetAttribute(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m + 300, 300));
  EXPECT_EQ((std::vector<int>{CU_DEVICE_CPU, 1, CU_DEVICE_INVALID}), std::vector<int>(devices, devices + 3));

  EXPECT_EQ(CUDA_SUCCESS, cuMemPrefetchAsync_v2(m, 1000, device_1, 0, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuMemPrefetchAsync(m, 10, CU_DEVICE_CPU, nullptr));
  EXPECT_EQ(CU_DEVICE_CPU, attribute(m, 10, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(1, attribute(m + 10, 990, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID));
  EXPECT_EQ(CU_MEM_LOCATION_TYPE_HOST, attribute(m, 10, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE));
  int both[2] = {-9, -9};
  void* data[] = {&both[0], &both[1]};
  size_t sizes[] = {4, 4};
  CUmem_range_attribute names[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
  EXPECT_EQ(CUDA_SUCCESS, cuMemRangeGetAttributes(data, sizes, names, 2, m + 250, 100));
  EXPECT_EQ(1, both[0]);
  EXPECT_EQ(1, both[1]);
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(m));
}

TEST_F(ManagedMemory, NewMemoryHasNoAdvice) {
  CUdeviceptr m = allocate(1000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(0, attribute(m, 1000, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
    EXPECT_EQ(CUDA_SUCCESS, cuMemAdvise_v2(m, 1000, CU_MEM_ADVISE_SET_READ_MOSTLY, host));
    EXPECT_EQ(CUDA_SUCCESS, cuMemFree(m));
    m = allocate(1000);
  }
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(m));
}

TEST_F(ManagedMemory, WrongRangesAreRefused) {
  const CUdeviceptr m = allocate(100);
  CUdeviceptr device_memory = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&device_memory, 100));
  int value = 0;
  const auto read = [&](void* data, size_t size, int name, CUdeviceptr at, size_t bytes) {
    return cuMemRangeGetAttribute(data, size, static_cast<CUmem_range_attribute>(name), at, bytes);
  };
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 100));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 100));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 0, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 100));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 4, 99, m, 100));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 101));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, read(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, device_memory, 100));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuMemAdvise(m, 100, CU_MEM_ADVISE_SET_ACCESSED_BY, 99));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAdvise_v2(m, 100, static_cast<CUmem_advise>(9), host));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(m, 100, host, 1, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(nullptr, m, 0, 8));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamAttachMemAsync(nullptr, m, 100, CU_MEM_ATTACH_SINGLE));
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(device_memory));
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(m));
}

TEST_F(ManagedMemory, Batches) {
  CUstream s = stream();
  CUdeviceptr ranges[] = {allocate(100), allocate(200), allocate(300)};
  size_t sizes[] = {100, 200, 300}, first[] = {0, 2};
  CUmemLocation locations[] = {device_1, host};
  ASSERT_EQ(CUDA_SUCCESS, cuMemPrefetchBatchAsync(ranges, sizes, 3, locations, first, 2, 0, s));
  EXPECT_EQ(1, attribute(ranges[0], 100, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(1, attribute(ranges[1], 200, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(CU_DEVICE_CPU, attribute(ranges[2], 300, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(CUDA_SUCCESS, cuMemDiscardBatchAsync(ranges, sizes, 3, 0, s));
  locations[0] = host;
  EXPECT_EQ(CUDA_SUCCESS, cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 3, locations, first, 1, 0, s));
  EXPECT_EQ(CU_DEVICE_CPU, attribute(ranges[0], 100, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(ranges, sizes, 3, locations, first, 2, 1, s));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(ranges, sizes, 3, locations, first, 2, 0, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(ranges, sizes, 3, locations, first + 1, 1, 0, s));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(ranges, sizes, 0, locations, first, 1, 0, s));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(ranges, sizes, 3, nullptr, first, 1, 0, s));
  locations[0] = {CU_MEM_LOCATION_TYPE_DEVICE, 99};
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchBatchAsync(ranges, sizes, 3, locations, first, 1, 0, s));
  sizes[1] = 201;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemDiscardBatchAsync(ranges, sizes, 3, 0, s));
  for (CUdeviceptr range : ranges) EXPECT_EQ(CUDA_SUCCESS, cuMemFree(range));
}

TEST_F(ManagedMemory, AttributesOfPointers) {
  const CUdeviceptr m = allocate(100);
  CUmemorytype type{};
  unsigned managed = 9;
  int device = 9, rdma = 9;
  CUdeviceptr start = 1;
  CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                 CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE};
  void* data[] = {&type, &managed, &device, &start, &rdma};
  EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttributes(5, names, data, m + 7));
  EXPECT_EQ(CU_MEMORYTYPE_DEVICE, type);
  EXPECT_EQ(1u, managed);
  EXPECT_EQ(0, device);
  EXPECT_EQ(m, start);
  EXPECT_EQ(0, rdma);
  int pageable = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttributes(5, names, data, reinterpret_cast<CUdeviceptr>(&pageable)));
  EXPECT_EQ(0, static_cast<int>(type));
  EXPECT_EQ(CU_DEVICE_INVALID, device);
  EXPECT_EQ(0u, start);
  names[1] = static_cast<CUpointer_attribute>(99);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(5, names, data, m));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(1, nullptr, data, m));
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(m));
}

}  // namespace
