// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Occupancy of blocks: how many one SM of the virtual device holds at once. A cooperative launch admits this number for
// each SM.
#include <algorithm>

#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

int blocks_per_sm(function& f, int threads, size_t dynamic_bytes) {
  const int device = current_device().index;
  if (dynamic_bytes > f.on(device).max_dynamic_shared) return 0;
  return cohort_max_blocks_per_sm(f.kernel, device, static_cast<uint32_t>(threads), dynamic_bytes);
}

bool is_block_size(int threads) {
  return threads > 0 && threads <= cohort_device_get(current_device().index)->max_threads_per_block;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                   size_t dynamic_bytes, unsigned int flags) {
  return device_call([&] {
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    if (flags & ~static_cast<unsigned>(cudaOccupancyDisableCachingOverride)) return cudaErrorInvalidValue;
    function* f = nullptr;
    if (const cudaError_t error = symbol_table::instance().find_function(stub, &f); error != cudaSuccess) return error;
    *blocks = blocks_per_sm(*f, threads, dynamic_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                          size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, dynamic_bytes,
                                                                cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_bytes, const void* stub, int blocks,
                                                      int threads) {
  return device_call([&] {
    if (!dynamic_bytes || blocks < 1 || !is_block_size(threads)) return cudaErrorInvalidValue;
    function* f = nullptr;
    if (const cudaError_t error = symbol_table::instance().find_function(stub, &f); error != cudaSuccess) return error;
    if (blocks_per_sm(*f, threads, 0) < blocks) return cudaErrorInvalidValue;
    // As on an H200, the result does not subtract the shared memory that the system reserves for each block.
    const int index = current_device().index;
    const cohort_device& device = *cohort_device_get(index);
    const auto unit = static_cast<size_t>(device.shared_unit);
    const size_t share = device.shared_per_sm / static_cast<size_t>(blocks) / unit * unit;
    const size_t dynamic = share - std::min<size_t>(share, f->kernel->static_shared_bytes);
    *dynamic_bytes = std::min<size_t>(dynamic, f->on(index).max_dynamic_shared);
    return cudaSuccess;
  });
}

}  // extern "C"
