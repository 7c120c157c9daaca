// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of malloc and free in kernels, which call them by these names (cudart_detail/device/c_library.h).
#include <cstddef>

#include <cohort/base/cuda_error.hpp>
#include <cohort/machine/cpu/port.hpp>

#include "runtime/guard/kernel_heap.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/state/operation_listener.hpp"

using namespace cohort::runtime;

extern "C" {

void* cohort_heap_allocate(size_t bytes) {
  const int device = cohort_current_thread ? static_cast<int>(cohort_device_index()) : 0;
  bytes = bytes ? bytes : 1;
  void* const memory = process_kernel_heap().allocate(bytes, device);
  if (memory && installed_operation_listener) installed_operation_listener->allocated_in_kernel(memory, bytes);
  return memory;
}

void cohort_heap_free(void* memory) {
  if (!memory) return;
  const heap_finding found = process_kernel_heap().release(memory);
  if (__builtin_expect(found.what == heap_misuse::none, 1)) return;
  // Return address in the kernel, for the report.
  const void* const place = __builtin_return_address(0);
  allocation of_host;
  switch (found.what) {
    case heap_misuse::overrun:
    case heap_misuse::underrun:
      cohort_fail_at(place, cohort::error_illegal_address,
                     "free(%p): memory was overwritten %zu bytes %s of these %zu bytes of malloc or new in a kernel",
                     memory, found.distance, found.what == heap_misuse::overrun ? "behind the end" : "before the start",
                     found.memory.bytes);
    case heap_misuse::freed:
      cohort_fail_at(place, cohort::error_launch_failure, "free(%p): these %zu bytes were freed before", memory,
                     found.memory.bytes);
    case heap_misuse::inside:
      cohort_fail_at(place, cohort::error_launch_failure,
                     "free(%p): the address lies %zd bytes from the start of an allocation of %zu bytes at %p", memory,
                     static_cast<ssize_t>(found.distance), found.memory.bytes, static_cast<void*>(found.memory.base));
    default:
      break;
  }
  if (allocation_table::instance().find(memory, &of_host)) {
    cohort_fail_at(place, cohort::error_launch_failure,
                   "free(%p): the memory was allocated by a call of the host, which frees it with cudaFree or "
                   "cudaFreeHost",
                   memory);
  }
  cohort_fail_at(place, cohort::error_launch_failure, "free(%p): malloc or new in a kernel did not return this address",
                 memory);
}

}  // extern "C"
