// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: multicast objects. Included by cuda.h only. Each device of a team binds memory of its own to an object.
// Where cuMemMap has mapped the object, PTX's `multimem` instructions reach the memory of all devices; every other
// access of those addresses is illegal. The calls need no context. They return CUDA_ERROR_NOT_SUPPORTED where
// COHORT_GPU names a device of a compute capability below 9.0.
#pragma once

// 2 MiB for both options. Offsets and sizes of objects and bindings are multiples of it.
CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* prop,
                                   CUmulticastGranularity_flags option);
// Makes an object of `prop->size` bytes for `prop->numDevices` devices, which cuMulticastAddDevice names one by one.
// Objects of several processes are not supported: `prop->handleTypes` is zero, as are all flags. cuMemRelease ends the
// handle; the object lives as long as it is mapped.
CUresult cuMulticastCreate(CUmemGenericAllocationHandle* mcHandle, const CUmulticastObjectProp* prop);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev);

// Bind `size` bytes of memory to those at `mcOffset`, for the device of the memory. They wait until all devices have
// been added; after COHORT_TIMEOUT they return CUDA_ERROR_SYSTEM_NOT_READY. cuMulticastBindMem takes memory of
// cuMemCreate, cuMulticastBindAddr an address of such memory or of other device memory, a multiple of the granularity.
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                            CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size,
                            unsigned long long flags);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr, size_t size,
                             unsigned long long flags);
// Ends the bindings of a device within a range. Waits for all devices.
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset, size_t size);
