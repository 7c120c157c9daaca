// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: physical memory, reserved addresses and mappings. Included by cuda.h only. The calls need no context, and
// their objects belong to the process: they survive the reset of a device.
#pragma once

// 2 MiB for both options. Sizes of physical memory, and addresses and sizes of mappings, are multiples of it.
CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                       CUmemAllocationGranularity_flags option);

// Reserves addresses without memory. `size` and `addr` are multiples of the page size; `addr` is a hint, null for none.
CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags);
// Frees a whole reservation, which must have no mappings.
CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size);

// Pinned memory of a device. It ends with its last handle and its last mapping, in all processes.
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* prop,
                     unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
// The handle that mapped the memory at `addr`. It needs a release of its own.
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop, CUmemGenericAllocationHandle handle);

// Maps the first `size` bytes of the memory to reserved addresses. `offset` and `flags` are zero. A new mapping is
// inaccessible until cuMemSetAccess grants rights.
CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
// Removes one or more adjacent mappings, each as a whole. Waits for all devices.
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size);
// Sets the rights of devices in one or more adjacent mappings, each as a whole. A call that removes rights waits for
// all devices.
CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr);

// A new file descriptor (int), which the program closes. It may travel to processes of any user, as SCM_RIGHTS.
CUresult cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags);
// `osHandle` is the file descriptor itself, which stays the program's.
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
                                        CUmemAllocationHandleType shHandleType);
