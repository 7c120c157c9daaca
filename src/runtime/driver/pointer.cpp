// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "runtime/driver/call.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/async/pool_table.hpp"
#include "runtime/memory/virtual/address_space.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

namespace {

struct known_range {
  void* base = nullptr;
  size_t bytes = 0;
  void* mapping = nullptr;  // base of the mapping; null if nothing is mapped at the address
  size_t mapped_bytes = 0;
  int device = 0;
  bool managed = false;
  bool host = false;
  bool ipc_capable = false;  // cudaIpcGetMemHandle can export it
  CUmemAllocationHandleType handle_types = CU_MEM_HANDLE_TYPE_NONE;
  CUmemAccess_flags rights = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;  // rights of the current context's device
  CUmemoryPool pool = nullptr;
  bool is_device_memory = false;  // allocated by cuMemAlloc or a similar call
  bool is_synchronous = false;
};

known_range range_of(const reserved_place& place) {
  known_range range{place.base, place.bytes};
  if (!place.memory) return range;
  range.mapping = place.mapping;
  range.mapped_bytes = place.mapped_bytes;
  range.device = place.memory->device();
  if (place.memory->is_shareable()) range.handle_types = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  range.rights = static_cast<CUmemAccess_flags>(place.rights.of(current_context()->device));
  return range;
}

known_range range_of(const allocation& a) {
  known_range range{a.base, a.bytes, a.base, a.bytes, a.device};
  range.managed = a.kind == memory_kind::managed;
  range.host = a.kind == memory_kind::host || a.kind == memory_kind::registered;
  range.ipc_capable = a.kind == memory_kind::device && !a.pool;
  range.is_device_memory = a.is_device_memory();
  range.is_synchronous = a.synchronous_copies;
  range.pool = a.pool ? handle_of(a.pool.get()) : nullptr;
  return range;
}

bool find_range(const void* address, known_range* found) {
  reserved_place place;
  allocation a;
  variable v;
  if (address_space::instance().find(address, &place)) {
    *found = range_of(place);
  } else if (allocation_table::instance().find(address, &a)) {
    *found = range_of(a);
  } else if (symbol_table::instance().find_variable_around(address, &v)) {
    *found = {v.address, v.bytes, v.address, v.bytes, v.device};
    found->managed = (v.flags & cohort_variable_managed) != 0;
  } else {
    return false;
  }
  return true;
}

// The size of an attribute's value; 0 for an unknown attribute.
size_t bytes_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return 4;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return sizeof(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS);
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return 8;
  }
  return 0;
}

template <class T>
CUresult answer(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return context_call([&]() -> CUresult {
    known_range range;
    if (!data || !find_range(pointer_of(address), &range)) return CUDA_ERROR_INVALID_VALUE;
    // Only the attributes of the range exist for reserved addresses without memory.
    const bool is_of_range = attribute == CU_POINTER_ATTRIBUTE_MAPPED ||
                             attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                             attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE;
    if (!range.mapping && !is_of_range) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        return answer(data, handle_of(&primary_context(range.device)));
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return answer(data, range.host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return answer(data, address);
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!range.host && !range.managed) return CUDA_ERROR_INVALID_VALUE;
        return answer(data, pointer_of(address));
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return answer(data, static_cast<unsigned>(range.managed));
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return answer(data, range.device);
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return answer(data, address_of(range.base));
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return answer(data, range.bytes);
      case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return answer(data, static_cast<unsigned>(range.ipc_capable));
      case CU_POINTER_ATTRIBUTE_MAPPED:
        return answer(data, static_cast<unsigned>(range.mapping != nullptr));
      case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return answer(data, range.handle_types);
      case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return answer(data, range.rights);
      case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return answer(data, range.pool);
      case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        if (!range.is_device_memory) return CUDA_ERROR_INVALID_VALUE;
        return answer(data, static_cast<unsigned>(range.is_synchronous));
      case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        return answer(data, range.mapped_bytes);
      case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        return answer(data, address_of(range.mapping));
      default:  // attributes of hardware that a CPU lacks
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  return context_call([&] {
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
    const bool waits = *static_cast<const unsigned*>(value) != 0;
    const bool is_known = allocation_table::instance().set_synchronous_copies(pointer_of(address), waits);
    return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data, CUdeviceptr address) {
  return context_call([&] {
    if (!attributes || !data || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; ++i) {
      const size_t bytes = bytes_of(attributes[i]);
      if (!data[i] || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
      if (cuPointerGetAttribute(data[i], attributes[i], address) == CUDA_SUCCESS) continue;
      std::memset(data[i], 0, bytes);
      if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(data[i]) = CU_DEVICE_INVALID;
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
