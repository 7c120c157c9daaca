// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Support for tests of virtual memory.
#pragma once

#include <vector>

#include "driver.hpp"

namespace test {

constexpr size_t granule = size_t{2} << 20;

inline CUmemAllocationProp properties_of(int device, CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_NONE) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = type;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return properties;
}

class virtual_memory : public driver {
 protected:
  void SetUp() override {
    driver::SetUp();
    ASSERT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  }
  static CUmemGenericAllocationHandle create(size_t bytes, int device = 0) {
    CUmemGenericAllocationHandle handle = 0;
    const CUmemAllocationProp properties = properties_of(device);
    EXPECT_EQ(CUDA_SUCCESS, cuMemCreate(&handle, bytes, &properties, 0));
    return handle;
  }
  static CUdeviceptr reserve(size_t bytes, CUdeviceptr hint = 0) {
    CUdeviceptr address = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuMemAddressReserve(&address, bytes, 0, hint, 0));
    return address;
  }
  static CUresult set_access(CUdeviceptr address, size_t bytes, int device,
                             CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, device}, flags};
    return cuMemSetAccess(address, bytes, &wanted, 1);
  }
  static unsigned long long access_of(CUdeviceptr address, int device) {
    const CUmemLocation place{CU_MEM_LOCATION_TYPE_DEVICE, device};
    unsigned long long flags = 99;
    EXPECT_EQ(CUDA_SUCCESS, cuMemGetAccess(&flags, &place, address));
    return flags;
  }
  static size_t free_bytes() {
    size_t available = 0, total = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuMemGetInfo(&available, &total));
    return available;
  }
  template <class T>
  static T attribute_of(CUdeviceptr address, CUpointer_attribute attribute) {
    T value{};
    EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttribute(&value, attribute, address));
    return value;
  }
  static int word_at(CUdeviceptr address) {
    int value = -1;
    EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(&value, address, sizeof value));
    return value;
  }
  // Memory of device 0 that is mapped with access rights; the mapping holds its only reference.
  CUdeviceptr usable(size_t bytes) {
    const CUdeviceptr address = reserve(bytes);
    const CUmemGenericAllocationHandle handle = create(bytes);
    EXPECT_EQ(CUDA_SUCCESS, cuMemMap(address, bytes, 0, handle, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
    EXPECT_EQ(CUDA_SUCCESS, set_access(address, bytes, 0));
    return address;
  }
  static void drop(CUdeviceptr address, size_t bytes) {
    EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(address, bytes));
    EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(address, bytes));
  }
};

}  // namespace test
