// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation of device memory: cudaMalloc, cudaMallocPitch, cudaMalloc3D, cudaFree, cudaMemGetInfo.
#include <cstdint>

#include <cohort/base/round_up.hpp>

#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

// Alignment of rows in pitched memory: the value of GPUs, a multiple of every cache line size.
constexpr size_t pitch_alignment = 512;

cudaError_t allocate_device(size_t bytes, void** memory) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  return allocation_table::instance().allocate(memory_kind::device, current_device().index, bytes, 0, nullptr, memory);
}

bool multiply(size_t a, size_t b, size_t* product) { return !__builtin_mul_overflow(a, b, product); }

cudaError_t allocate_rows(size_t width, size_t rows, void** memory, size_t* pitch) {
  if (width > SIZE_MAX - pitch_alignment) return cudaErrorMemoryAllocation;
  *pitch = detail::round_up(width, pitch_alignment);
  size_t bytes = 0;
  if (!multiply(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
  return allocate_device(bytes, memory);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return unsafe_call([&] {
    if (!memory) return cudaErrorInvalidValue;
    return allocate_device(bytes, memory);
  });
}

cudaError_t cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  return unsafe_call([&] {
    if (!memory || !pitch) return cudaErrorInvalidValue;
    return allocate_rows(width, height, memory, pitch);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent) {
  return unsafe_call([&] {
    if (!made) return cudaErrorInvalidValue;
    size_t rows = 0;
    if (!multiply(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
    cudaPitchedPtr result{nullptr, 0, extent.width, extent.height};
    const cudaError_t error = allocate_rows(extent.width, rows, &result.ptr, &result.pitch);
    if (error == cudaSuccess) *made = result;
    return error;
  });
}

cudaError_t cudaFree(void* memory) {
  return unsafe_call([&] {
    if (!memory) return cudaSuccess;
    allocation known;
    if (!allocation_table::instance().find(memory, &known)) return allocation_table::refuse_free(memory);
    const graph_memory_ref of_graph = known.base == memory ? known.graph.lock() : nullptr;
    // Work submitted before the call may still use the memory.
    device_state& device = device_at(known.device);
    if (known.kind == memory_kind::managed || known.kind == memory_kind::opened) {
      scheduler::instance().wait_for_all_devices();
    } else {
      scheduler::instance().wait_for_device(device);
    }
    if (of_graph) {
      const cudaError_t error = free_now(of_graph);
      return error != cudaSuccess ? error : take_failure(device);
    }
    const auto can_be_freed = [](const allocation& a) {
      return (a.kind == memory_kind::managed || a.is_device_memory() || a.external) && !a.being_freed;
    };
    if (!allocation_table::instance().take(memory, can_be_freed, &known)) {
      return allocation_table::refuse_free(memory);
    }
    allocation_table::instance().release(known);
    return take_failure(device);
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return device_call([&] {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    const int device = current_device().index;
    *total_bytes = cohort_device_get(device)->memory_bytes;
    *free_bytes = *total_bytes - allocation_table::instance().used(device);
    return cudaSuccess;
  });
}

}  // extern "C"
