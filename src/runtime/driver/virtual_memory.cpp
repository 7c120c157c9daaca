// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for physical memory, reserved addresses and mappings. They need no context.
#include <span>
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/ipc/descriptor_header.hpp"
#include "runtime/memory/virtual/address_space.hpp"
#include "runtime/memory/virtual/memory_handles.hpp"

namespace cohort::runtime {

namespace {

char* bytes_at(CUdeviceptr address) { return static_cast<char*>(pointer_of(address)); }

cudaError_t check_handle_types(CUmemAllocationHandleType types) {
  const unsigned known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_WIN32 |
                         CU_MEM_HANDLE_TYPE_WIN32_KMT | CU_MEM_HANDLE_TYPE_FABRIC;
  const auto wanted = static_cast<unsigned>(types);
  if (wanted & ~known) return cudaErrorInvalidValue;
  return wanted & ~static_cast<unsigned>(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ? cudaErrorNotSupported
                                                                                   : cudaSuccess;
}

// The error for a location other than a device. Physical memory of the host is not supported, as the device attributes
// report.
cudaError_t check_place(const CUmemLocation& place) {
  switch (place.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return is_device(place.id) ? cudaSuccess : cudaErrorInvalidDevice;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t check_properties(const CUmemAllocationProp* properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_place(properties->location); error != cudaSuccess) return error;
  const auto& flags = properties->allocFlags;
  if (flags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC) return cudaErrorInvalidValue;
  if (flags.usage & ~(CU_MEM_CREATE_USAGE_TILE_POOL | CU_MEM_CREATE_USAGE_HW_DECOMPRESS)) return cudaErrorInvalidValue;
  if (flags.usage != 0 || flags.gpuDirectRDMACapable != 0) return cudaErrorNotSupported;
  return check_handle_types(properties->requestedHandleTypes);
}

// Converts descriptors of access rights. Only devices have rights.
cudaError_t read_changes(const CUmemAccessDesc* wanted, size_t count, std::vector<cudaMemAccessDesc>* changes) {
  for (size_t i = 0; i < count; ++i) {
    const CUmemAccessDesc& each = wanted[i];
    if (each.location.type != CU_MEM_LOCATION_TYPE_DEVICE) return cudaErrorInvalidValue;
    if (!is_device(each.location.id)) return cudaErrorInvalidDevice;
    const auto flags = static_cast<cudaMemAccessFlags>(each.flags);
    if (!is_right(flags)) return cudaErrorInvalidValue;
    changes->push_back({{cudaMemLocationTypeDevice, each.location.id}, flags});
  }
  return cudaSuccess;
}

bool take_rights_away(const std::vector<cudaMemAccessDesc>& changes) {
  for (const cudaMemAccessDesc& each : changes) {
    if (each.flags != cudaMemAccessFlagsProtReadWrite) return true;
  }
  return false;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  return memory_call([&] {
    if (!granularity || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
      return cudaErrorInvalidValue;
    const cudaError_t error = check_properties(properties);
    if (error == cudaSuccess) *granularity = physical_granularity;
    return error;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr hint,
                             unsigned long long flags) {
  return memory_call([&] {
    if (!address || flags != 0) return cudaErrorInvalidValue;
    char* base = nullptr;
    const cudaError_t error = address_space::instance().reserve(bytes, alignment, bytes_at(hint), &base);
    if (error == cudaSuccess) *address = address_of(base);
    return error;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return memory_call([&] { return address_space::instance().free(bytes_at(address), bytes); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return memory_call([&] {
    if (!handle || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_properties(properties); error != cudaSuccess) return error;
    if (bytes == 0 || bytes % physical_granularity != 0) return cudaErrorInvalidValue;
    const bool shareable = properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE;
    memory_handle made = 0;
    const cudaError_t error = memory_handles::instance().create(properties->location.id, bytes, shareable, &made);
    if (error == cudaSuccess) *handle = made;
    return error;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return memory_call([&] { return memory_handles::instance().release(handle) ? cudaSuccess : cudaErrorInvalidValue; });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return memory_call([&] {
    reserved_place place;
    if (!handle || !address_space::instance().find(address, &place) || !place.memory) return cudaErrorInvalidValue;
    *handle = memory_handles::instance().retain(place.memory);
    return cudaSuccess;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties, CUmemGenericAllocationHandle handle) {
  return memory_call([&] {
    const auto memory = memory_handles::instance().find(handle);
    if (!properties || !memory || memory->multicast()) return cudaErrorInvalidValue;
    *properties = {};
    properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties->location = {CU_MEM_LOCATION_TYPE_DEVICE, memory->device()};
    properties->requestedHandleTypes =
        memory->is_shareable() ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return memory_call([&] {
    const auto memory = memory_handles::instance().find(handle);
    if (!memory || offset != 0 || flags != 0) return cudaErrorInvalidValue;
    return address_space::instance().map(bytes_at(address), bytes, memory);
  });
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return memory_call([&] {
    const cudaError_t error = wait_for_accesses();
    return error != cudaSuccess ? error : address_space::instance().unmap(bytes_at(address), bytes);
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* wanted, size_t count) {
  return memory_call([&] {
    std::vector<cudaMemAccessDesc> changes;
    cudaError_t error = wanted && count > 0 ? read_changes(wanted, count, &changes) : cudaErrorInvalidValue;
    if (error == cudaSuccess && take_rights_away(changes)) error = wait_for_accesses();
    return error != cudaSuccess ? error : address_space::instance().set_access(bytes_at(address), bytes, changes);
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return memory_call([&] {
    if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE) return cudaErrorInvalidValue;
    if (!is_device(location->id)) return cudaErrorInvalidDevice;
    reserved_place place;
    if (!address_space::instance().find(pointer_of(address), &place) || !place.memory) return cudaErrorInvalidValue;
    *flags = place.rights.of(location->id);
    return cudaSuccess;
  });
}

CUresult cuMemExportToShareableHandle(void* exported, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return memory_call([&] {
    const auto memory = memory_handles::instance().find(handle);
    if (!exported || !memory || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_handle_types(type); error != cudaSuccess) return error;
    if (type == CU_MEM_HANDLE_TYPE_NONE || !memory->is_shareable()) return cudaErrorInvalidValue;
    const int descriptor = duplicate_descriptor(memory->descriptor());
    if (descriptor < 0) return cudaErrorOperatingSystem;
    *static_cast<int*>(exported) = descriptor;
    return cudaSuccess;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* imported,
                                        CUmemAllocationHandleType type) {
  return memory_call([&] {
    if (!handle) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_handle_types(type); error != cudaSuccess) return error;
    if (type == CU_MEM_HANDLE_TYPE_NONE) return cudaErrorInvalidValue;
    memory_handle made = 0;
    const auto descriptor = static_cast<int>(reinterpret_cast<intptr_t>(imported));
    const cudaError_t error = memory_handles::instance().import(descriptor, &made);
    if (error == cudaSuccess) *handle = made;
    return error;
  });
}

}  // extern "C"
