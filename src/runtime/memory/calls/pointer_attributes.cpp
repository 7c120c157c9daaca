// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/allocation_table.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

cudaMemoryType type_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::device:
    case memory_kind::opened:
    case memory_kind::mapped:
    case memory_kind::graph:
    case memory_kind::array:
    case memory_kind::object:
      return cudaMemoryTypeDevice;
    case memory_kind::managed:
      return cudaMemoryTypeManaged;
    default:
      return cudaMemoryTypeHost;
  }
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  return device_call([&] {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = cudaPointerAttributes{};
    void* const address = const_cast<void*>(memory);
    allocation known;
    variable v;
    if (allocation_table::instance().find(memory, &known)) {
      attributes->type = type_of(known.kind);
      attributes->device = known.device;
    } else if (symbol_table::instance().find_variable_around(memory, &v)) {
      attributes->type = v.flags & cohort_variable_managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
      attributes->device = v.device;
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = address;
      return cudaSuccess;
    }
    attributes->devicePointer = address;
    // Null for device memory, as in CUDA, although host code could read it: programs branch on the value.
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : address;
    return cudaSuccess;
  });
}
