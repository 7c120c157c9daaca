// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../memory/allocation_table.hpp"
#include "../module/symbol_table.hpp"
#include "call.hpp"

namespace cohort::runtime {

namespace {

struct known_range {
  void* base;
  size_t bytes;
  int device;
  bool managed;
  bool host;
};

bool find_range(const void* address, known_range* found) {
  allocation a;
  variable v;
  if (allocation_table::instance().find(address, &a)) {
    const bool host = a.kind == memory_kind::host || a.kind == memory_kind::registered;
    *found = {a.base, a.bytes, a.device, a.kind == memory_kind::managed, host};
    return true;
  }
  if (!symbol_table::instance().find_variable_around(address, &v)) return false;
  *found = {v.address, v.bytes, v.device, (v.flags & cohort_variable_managed) != 0, false};
  return true;
}

template <class T>
CUresult answer(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return context_call([&]() -> CUresult {
    known_range range;
    if (!data || !find_range(pointer_of(address), &range)) return CUDA_ERROR_INVALID_VALUE;
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
    }
    return CUDA_ERROR_INVALID_VALUE;
  });
}
