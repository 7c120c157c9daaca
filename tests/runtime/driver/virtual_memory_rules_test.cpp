// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physical memory, reserved addresses, mappings and rights: what is refused.
#include <unistd.h>

#include "virtual_memory.hpp"

namespace {

using test::granule;
using test::properties_of;
using VirtualMemoryRules = test::virtual_memory;

constexpr CUresult invalid = CUDA_ERROR_INVALID_VALUE;

// Calls the function with properties that have one mistake each.
template <class Call>
void expect_refused(Call&& call) {
  CUmemAllocationProp wrong = properties_of(0);
  EXPECT_EQ(invalid, call(nullptr));
  wrong.type = CU_MEM_ALLOCATION_TYPE_MANAGED;
  EXPECT_EQ(invalid, call(&wrong));
  for (int device : {-1, 3}) {
    wrong = properties_of(device);
    EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, call(&wrong));
  }
  for (CUmemLocationType type : {CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT}) {
    wrong.location = {type, 0};
    EXPECT_EQ(invalid, call(&wrong));
  }
  for (CUmemLocationType type : {CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA}) {
    wrong.location = {type, 0};
    EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, call(&wrong));
  }
  for (CUmemAllocationHandleType type :
       {CU_MEM_HANDLE_TYPE_WIN32, CU_MEM_HANDLE_TYPE_WIN32_KMT, CU_MEM_HANDLE_TYPE_FABRIC}) {
    wrong = properties_of(0, type);
    EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, call(&wrong));
  }
  wrong = properties_of(0, static_cast<CUmemAllocationHandleType>(16));
  EXPECT_EQ(invalid, call(&wrong));
  wrong = properties_of(0);
  wrong.allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, call(&wrong));
  wrong.allocFlags.usage = 4;
  EXPECT_EQ(invalid, call(&wrong));
  wrong.allocFlags.usage = 0;
  wrong.allocFlags.gpuDirectRDMACapable = 1;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, call(&wrong));
}

TEST_F(VirtualMemoryRules, DevicesSupportIt) {
  const CUdevice_attribute supported[] = {CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED,
                                          CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                          CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED};
  int value = -1;
  for (CUdevice_attribute attribute : supported) {
    EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, attribute, 2));
    EXPECT_EQ(1, value);
  }
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0));
  EXPECT_EQ(0, value);
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0));
  EXPECT_EQ(0, value);
}

TEST_F(VirtualMemoryRules, Granularity) {
  size_t bytes = 0;
  const CUmemAllocationProp good = properties_of(1);
  for (auto option : {CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    EXPECT_EQ(CUDA_SUCCESS, cuMemGetAllocationGranularity(&bytes, &good, option));
    EXPECT_EQ(granule, bytes);
  }
  EXPECT_EQ(invalid, cuMemGetAllocationGranularity(nullptr, &good, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EXPECT_EQ(invalid, cuMemGetAllocationGranularity(&bytes, &good, static_cast<CUmemAllocationGranularity_flags>(2)));
  expect_refused([&](const CUmemAllocationProp* properties) {
    return cuMemGetAllocationGranularity(&bytes, properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  });
}

TEST_F(VirtualMemoryRules, Create) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp good = properties_of(0);
  const size_t before = free_bytes();
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{4096}, granule - 1, granule + 4096}) {
    EXPECT_EQ(invalid, cuMemCreate(&handle, bytes, &good, 0));
  }
  EXPECT_EQ(invalid, cuMemCreate(nullptr, granule, &good, 0));
  EXPECT_EQ(invalid, cuMemCreate(&handle, granule, &good, 1));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (before / granule + 1) * granule, &good, 0));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, SIZE_MAX / granule * granule, &good, 0));
  expect_refused([&](const CUmemAllocationProp* properties) { return cuMemCreate(&handle, granule, properties, 0); });
  EXPECT_EQ(before, free_bytes());
  EXPECT_EQ(0u, handle);
}

TEST_F(VirtualMemoryRules, Handles) {
  const CUmemGenericAllocationHandle handle = create(granule);
  CUmemAllocationProp found{};
  EXPECT_EQ(invalid, cuMemGetAllocationPropertiesFromHandle(nullptr, handle));
  EXPECT_EQ(invalid, cuMemGetAllocationPropertiesFromHandle(&found, handle + 1));
  CUmemGenericAllocationHandle retained = 0;
  int local = 0;
  EXPECT_EQ(invalid, cuMemRetainAllocationHandle(&retained, &local));
  const CUdeviceptr memory = reserve(granule);
  EXPECT_EQ(invalid, cuMemRetainAllocationHandle(&retained, reinterpret_cast<void*>(memory))) << "not mapped";
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, granule));
  EXPECT_EQ(invalid, cuMemRelease(0));
  EXPECT_EQ(invalid, cuMemRelease(handle + 1));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(invalid, cuMemRelease(handle));
  EXPECT_EQ(invalid, cuMemGetAllocationPropertiesFromHandle(&found, handle));
}

TEST_F(VirtualMemoryRules, Reserve) {
  CUdeviceptr address = 0;
  for (size_t bytes : {size_t{0}, size_t{1}, granule + 1}) {
    EXPECT_EQ(invalid, cuMemAddressReserve(&address, bytes, 0, 0, 0));
  }
  EXPECT_EQ(invalid, cuMemAddressReserve(nullptr, granule, 0, 0, 0));
  EXPECT_EQ(invalid, cuMemAddressReserve(&address, granule, 3 * granule, 0, 0)) << "no power of two";
  EXPECT_EQ(invalid, cuMemAddressReserve(&address, granule, 0, 4097, 0));
  EXPECT_EQ(invalid, cuMemAddressReserve(&address, granule, 0, 0, 1));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&address, size_t{1} << 60, 0, 0, 0));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&address, size_t{0} - 4096, 0, 0, 0));
  EXPECT_EQ(0u, address);
  address = reserve(2 * granule);
  EXPECT_EQ(invalid, cuMemAddressFree(address, granule));
  EXPECT_EQ(invalid, cuMemAddressFree(address + granule, granule));
  EXPECT_EQ(invalid, cuMemAddressFree(0, granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(address, 2 * granule));
  EXPECT_EQ(invalid, cuMemAddressFree(address, 2 * granule));
}

TEST_F(VirtualMemoryRules, Map) {
  const CUmemGenericAllocationHandle handle = create(2 * granule);
  const CUdeviceptr memory = reserve(4 * granule);
  EXPECT_EQ(invalid, cuMemMap(memory, granule, 0, handle + 1, 0)) << "unknown handle";
  EXPECT_EQ(invalid, cuMemMap(memory, granule, 0, handle, 1)) << "flags";
  EXPECT_EQ(invalid, cuMemMap(memory, granule, granule, handle, 0)) << "offset";
  EXPECT_EQ(invalid, cuMemMap(memory, 0, 0, handle, 0));
  EXPECT_EQ(invalid, cuMemMap(memory, 4096, 0, handle, 0));
  EXPECT_EQ(invalid, cuMemMap(memory + 4096, granule, 0, handle, 0));
  EXPECT_EQ(invalid, cuMemMap(memory, 3 * granule, 0, handle, 0)) << "more than the memory has";
  EXPECT_EQ(invalid, cuMemMap(memory + 3 * granule, 2 * granule, 0, handle, 0)) << "beyond the reservation";
  EXPECT_EQ(invalid, cuMemMap(memory - granule, 2 * granule, 0, handle, 0));
  EXPECT_EQ(invalid, cuMemMap(0, granule, 0, handle, 0));
  EXPECT_EQ(invalid, cuMemMap(CUdeviceptr{0} - granule, granule, 0, handle, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemMap(memory + granule, 2 * granule, 0, handle, 0));
  for (size_t at : {size_t{0}, granule, 2 * granule}) {
    EXPECT_EQ(invalid, cuMemMap(memory + at, 2 * granule, 0, handle, 0)) << "over the mapping";
  }
  EXPECT_EQ(invalid, cuMemAddressFree(memory, 4 * granule)) << "still mapped";
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(invalid, cuMemMap(memory, granule, 0, handle, 0)) << "released";

  EXPECT_EQ(invalid, cuMemUnmap(memory + granule, granule)) << "a part";
  EXPECT_EQ(invalid, cuMemUnmap(memory + 2 * granule, granule)) << "a part";
  EXPECT_EQ(invalid, cuMemUnmap(memory, 3 * granule)) << "a hole";
  EXPECT_EQ(invalid, cuMemUnmap(memory + granule, 3 * granule)) << "a hole";
  EXPECT_EQ(invalid, cuMemUnmap(memory + granule, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory + granule, 2 * granule));
  EXPECT_EQ(invalid, cuMemUnmap(memory + granule, 2 * granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, 4 * granule));
}

TEST_F(VirtualMemoryRules, Access) {
  const CUdeviceptr memory = reserve(3 * granule);
  EXPECT_EQ(invalid, set_access(memory, granule, 0)) << "not mapped";
  const CUmemGenericAllocationHandle handle = create(2 * granule);
  ASSERT_EQ(CUDA_SUCCESS, cuMemMap(memory, 2 * granule, 0, handle, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT_EQ(invalid, cuMemSetAccess(memory, 2 * granule, nullptr, 1));
  EXPECT_EQ(invalid, cuMemSetAccess(memory, 2 * granule, &wanted, 0));
  EXPECT_EQ(invalid, cuMemSetAccess(memory, granule, &wanted, 1)) << "a part";
  EXPECT_EQ(invalid, cuMemSetAccess(memory, 3 * granule, &wanted, 1)) << "a hole";
  EXPECT_EQ(invalid, cuMemSetAccess(memory + granule, granule, &wanted, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, set_access(memory, 2 * granule, 3));
  EXPECT_EQ(invalid, set_access(memory, 2 * granule, 0, static_cast<CUmemAccess_flags>(2)));
  wanted.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
  EXPECT_EQ(invalid, cuMemSetAccess(memory, 2 * granule, &wanted, 1));

  unsigned long long flags = 0;
  CUmemLocation place{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  EXPECT_EQ(invalid, cuMemGetAccess(nullptr, &place, memory));
  EXPECT_EQ(invalid, cuMemGetAccess(&flags, nullptr, memory));
  EXPECT_EQ(invalid, cuMemGetAccess(&flags, &place, memory + 2 * granule)) << "not mapped";
  EXPECT_EQ(invalid, cuMemGetAccess(&flags, &place, 64));
  place.id = 3;
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuMemGetAccess(&flags, &place, memory));
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory, 2 * granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, 3 * granule));
}

// Virtual memory in calls that are for other kinds of memory.
TEST_F(VirtualMemoryRules, OtherCalls) {
  const CUdeviceptr memory = usable(granule), empty = reserve(granule);
  auto* const pointer = reinterpret_cast<char*>(memory);
  EXPECT_EQ(invalid, cuMemFree(memory));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeAsync(pointer, nullptr));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(pointer));
  EXPECT_EQ(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pointer, 4096, 0));
  CUipcMemHandle legacy{};
  EXPECT_EQ(invalid, cuIpcGetMemHandle(&legacy, memory));
  // A copy to addresses without memory is refused, whatever kind of memory the call names.
  std::vector<char> host(granule, 1);
  auto* const hole = reinterpret_cast<char*>(empty);
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(hole, host.data(), 16, cudaMemcpyDefault));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(host.data(), hole, 16, cudaMemcpyHostToHost));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(pointer + 4096, host.data(), granule, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemset(hole, 0, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(empty, granule));
  drop(memory, granule);
}

TEST_F(VirtualMemoryRules, Exports) {
  const CUmemGenericAllocationHandle plain = create(granule);
  CUmemGenericAllocationHandle handle = 0, imported = 0;
  const auto descriptor_type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const CUmemAllocationProp properties = properties_of(1, descriptor_type);
  ASSERT_EQ(CUDA_SUCCESS, cuMemCreate(&handle, granule, &properties, 0));
  int file = -1;
  EXPECT_EQ(invalid, cuMemExportToShareableHandle(&file, plain, descriptor_type, 0)) << "not requested";
  EXPECT_EQ(invalid, cuMemExportToShareableHandle(nullptr, handle, descriptor_type, 0));
  EXPECT_EQ(invalid, cuMemExportToShareableHandle(&file, handle, descriptor_type, 1));
  EXPECT_EQ(invalid, cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_NONE, 0));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemExportToShareableHandle(&file, handle, descriptor_type, 0));
  void* const exported = reinterpret_cast<void*>(static_cast<intptr_t>(file));
  EXPECT_EQ(invalid, cuMemImportFromShareableHandle(nullptr, exported, descriptor_type));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuMemImportFromShareableHandle(&imported, exported, CU_MEM_HANDLE_TYPE_WIN32));
  // A process may import memory that it has exported. The memory counts once.
  const test::device_scope on_device(1);
  const size_t before = free_bytes();
  EXPECT_EQ(CUDA_SUCCESS, cuMemImportFromShareableHandle(&imported, exported, descriptor_type));
  EXPECT_EQ(before, free_bytes());
  EXPECT_EQ(0, close(file));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  CUmemAllocationProp found{};
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetAllocationPropertiesFromHandle(&found, imported));
  EXPECT_EQ(1, found.location.id);
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(imported));
  EXPECT_EQ(before + granule, free_bytes());
  EXPECT_EQ(invalid, cuMemImportFromShareableHandle(&imported, exported, descriptor_type)) << "closed";
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(plain));
}

}  // namespace
