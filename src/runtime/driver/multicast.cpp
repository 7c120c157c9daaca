// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for multicast objects, and the place of their memory for a kernel's multimem instructions.
#include <cohort/machine/cpu/port.hpp>

#include "runtime/device/device_properties.hpp"
#include "runtime/driver/call.hpp"
#include "runtime/error/log.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/virtual/address_space.hpp"
#include "runtime/memory/virtual/memory_handles.hpp"

namespace cohort::runtime {

namespace {

bool is_granular(size_t a, size_t b = 0) { return (a | b) % physical_granularity == 0; }

cudaError_t check_properties(const CUmulticastObjectProp* properties) {
  if (!properties || properties->numDevices == 0 || properties->flags != 0) return cudaErrorInvalidValue;
  if (properties->size == 0 || !is_granular(properties->size)) return cudaErrorInvalidValue;
  if (properties->numDevices > static_cast<unsigned int>(device_count())) return cudaErrorInvalidValue;
  return properties->handleTypes == 0 ? cudaSuccess : cudaErrorNotSupported;
}

// The object of a handle; null for a handle of memory, or of nothing. The caller holds `owner`.
multicast_object* find_object(CUmemGenericAllocationHandle handle, std::shared_ptr<physical_memory>* owner) {
  *owner = memory_handles::instance().find(handle);
  return *owner ? (*owner)->multicast() : nullptr;
}

cudaError_t wait_for_team(multicast_object& object) {
  const double seconds = cohort_device_get(0)->timeout_seconds;
  const auto limit = seconds > 0 ? std::chrono::duration<double>(seconds) : std::chrono::duration<double>(86400);
  if (object.wait_for_team(std::chrono::duration_cast<std::chrono::milliseconds>(limit))) return cudaSuccess;
  say(cudaLogLevelError,
      "a multicast object waited for %g s (COHORT_TIMEOUT) for the devices of its team: cuMulticastAddDevice names "
      "each "
      "of them",
      seconds);
  return cudaErrorSystemNotReady;
}

// The memory behind an address of a program, and its device.
cudaError_t find_memory(void* address, size_t bytes, multicast_memory* memory, int* device) {
  reserved_place place;
  if (address_space::instance().find(address, &place)) {
    if (!place.memory || place.memory->multicast()) return cudaErrorInvalidValue;
    *memory = {place.memory, static_cast<size_t>(static_cast<char*>(address) - place.mapping)};
    *device = place.memory->device();
    return cudaSuccess;
  }
  allocation found;
  if (!allocation_table::instance().find(address, &found) || found.kind != memory_kind::device)
    return cudaErrorInvalidValue;
  const size_t at = static_cast<size_t>(static_cast<char*>(address) - static_cast<char*>(found.base));
  if (bytes > found.bytes - at) return cudaErrorInvalidValue;
  memory->address = static_cast<char*>(address);
  *device = found.device;
  return cudaSuccess;
}

// Runs `body`, which returns a cudaError_t, where the devices have multicast.
template <class Body>
CUresult multicast_call(Body&& body) noexcept {
  return memory_call([&] { return known_properties(0).major >= 9 ? body() : cudaErrorNotSupported; });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* properties,
                                   CUmulticastGranularity_flags option) {
  return multicast_call([&] {
    if (!granularity || option < CU_MULTICAST_GRANULARITY_MINIMUM || option > CU_MULTICAST_GRANULARITY_RECOMMENDED)
      return cudaErrorInvalidValue;
    if (!properties || properties->numDevices == 0 || properties->flags != 0) return cudaErrorInvalidValue;
    *granularity = physical_granularity;
    return cudaSuccess;
  });
}

CUresult cuMulticastCreate(CUmemGenericAllocationHandle* handle, const CUmulticastObjectProp* properties) {
  return multicast_call([&] {
    if (!handle) return cudaErrorInvalidValue;
    const cudaError_t error = check_properties(properties);
    if (error != cudaSuccess) return error;
    *handle =
        memory_handles::instance().retain(physical_memory::make_multicast(properties->numDevices, properties->size));
    return cudaSuccess;
  });
}

CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle handle, CUdevice device) {
  return multicast_call([&] {
    std::shared_ptr<physical_memory> owner;
    multicast_object* const object = find_object(handle, &owner);
    if (!object) return cudaErrorInvalidValue;
    return is_device(device) ? object->add(device) : cudaErrorInvalidDevice;
  });
}

CUresult cuMulticastBindMem(CUmemGenericAllocationHandle handle, size_t offset,
                            CUmemGenericAllocationHandle memory_handle, size_t memory_offset, size_t bytes,
                            unsigned long long flags) {
  return multicast_call([&] {
    std::shared_ptr<physical_memory> owner;
    multicast_object* const object = find_object(handle, &owner);
    const auto memory = memory_handles::instance().find(memory_handle);
    if (!object || !memory || memory->multicast() || flags != 0) return cudaErrorInvalidValue;
    if (!is_granular(offset, bytes) || !is_granular(memory_offset)) return cudaErrorInvalidValue;
    const cudaError_t error = wait_for_team(*object);
    return error != cudaSuccess ? error : object->bind(memory->device(), offset, bytes, {memory, memory_offset});
  });
}

CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle handle, size_t offset, CUdeviceptr address, size_t bytes,
                             unsigned long long flags) {
  return multicast_call([&] {
    std::shared_ptr<physical_memory> owner;
    multicast_object* const object = find_object(handle, &owner);
    if (!object || flags != 0 || !is_granular(offset, bytes) || !is_granular(address)) return cudaErrorInvalidValue;
    multicast_memory memory;
    int device = 0;
    cudaError_t error = find_memory(pointer_of(address), bytes, &memory, &device);
    if (error == cudaSuccess) error = wait_for_team(*object);
    return error != cudaSuccess ? error : object->bind(device, offset, bytes, memory);
  });
}

CUresult cuMulticastUnbind(CUmemGenericAllocationHandle handle, CUdevice device, size_t offset, size_t bytes) {
  return multicast_call([&] {
    std::shared_ptr<physical_memory> owner;
    multicast_object* const object = find_object(handle, &owner);
    if (!object || !is_granular(offset, bytes)) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const cudaError_t error = wait_for_accesses();
    return error != cudaSuccess ? error : object->unbind(device, offset, bytes);
  });
}

int cohort_runtime_multicast_place(const void* address, unsigned int bytes, unsigned int number, void** place) {
  *place = nullptr;
  reserved_place found;
  if (!address_space::instance().find(address, &found) || !found.memory || !found.memory->multicast())
    return cohort_multicast_none;
  if (found.rights.of(static_cast<int>(cohort_device_index())) == cudaMemAccessFlagsProtNone)
    return cohort_multicast_no_access;
  const auto offset = static_cast<size_t>(static_cast<const char*>(address) - found.mapping);
  char* memory = nullptr;
  if (!found.memory->multicast()->find(number, offset, bytes, &memory)) return cohort_multicast_done;
  *place = memory;
  return memory ? cohort_multicast_found : cohort_multicast_unbound;
}

}  // extern "C"
