// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symmetric memory of a world on GPUs: NCCL windows, which map the memory of all ranks in each process.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/round_up.hpp"
#include "../api/runtime_api.hpp"
#include "guarded_call.hpp"

namespace cohort {
namespace detail {

// Writes the address of each rank's part of a window.
template <class Unused>
__global__ void find_addresses(ncclWindow_t window, uint32_t ranks, char** addresses) {
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    addresses[rank] = static_cast<char*>(ncclGetLsaPointer(window, 0, static_cast<int>(rank)));
  }
}

// Finds the address of this process's own part of a window, and the distance between the parts of two ranks, which is
// equal for all ranks and windows, as kernels require. Returns an error number.
template <class Unused>
int find_mapping(gpu_world& w, ncclWindow_t window, char** mine) {
  char** addresses = nullptr;
  if (api::allocate_mapped(reinterpret_cast<void**>(&addresses), w.processes * sizeof(char*)) != api::success) {
    return error_memory_allocation;
  }
  find_addresses<Unused><<<1, 1, 0, w.stream>>>(window, w.processes, addresses);
  int result = static_cast<int>(api::synchronize_stream(w.stream));
  const int64_t stride = addresses[1] - addresses[0];
  if (w.rank_stride == 0) w.rank_stride = stride;
  for (uint32_t p = 1; p < w.processes && result == 0; ++p) {
    if (addresses[p] - addresses[p - 1] != w.rank_stride || stride == 0) result = error_not_supported;
  }
  *mine = addresses[w.process];
  static_cast<void>(api::free_mapped(addresses));
  if (result == error_not_supported) {
    print_world_report(rank_name(w) + " found a window that NCCL maps in another way: this NCCL is not supported");
  }
  return result;
}

// Waits on the host for `stream`. pre: its work does not depend on other processes
inline int wait_for(api::stream stream, api::error earlier) {
  return static_cast<int>(earlier != api::success ? earlier : api::synchronize_stream(stream));
}

// Allocates zero-filled memory, the same number of bytes in each process. Collective.
template <class Unused = void>
int allocate_symmetric(gpu_world& w, size_t bytes, void** memory) {
  symmetric_segment made;
  made.bytes = round_up(bytes, size_t{NCCL_WIN_REQUIRED_ALIGNMENT});
  if (const int failed = agree(w, world_step::allocation, bytes)) return failed;
  const bool is_alone = w.processes == 1;
  const bool has_memory = is_alone ? api::allocate(&made.allocation, made.bytes) == api::success
                                   : ncclMemAlloc(&made.allocation, made.bytes) == ncclSuccess;
  const int agreed = agree(w, world_step::allocated, has_memory ? bytes : 0);
  if (!has_memory || agreed != 0) {
    if (has_memory) static_cast<void>(is_alone ? api::free(made.allocation), 0 : ncclMemFree(made.allocation));
    return has_memory ? agreed : static_cast<int>(error_memory_allocation);
  }
  made.mine = static_cast<char*>(made.allocation);
  w.segments.push_back(made);
  const size_t index = w.segments.size() - 1;
  int failed = error_none;
  if (!is_alone) {
    failed = run_guarded(w, "registers symmetric memory", [&w, index] {
      symmetric_segment& s = w.segments[index];
      return ncclCommWindowRegister(w.communicator, s.allocation, s.bytes, &s.window, NCCL_WIN_COLL_SYMMETRIC);
    });
    if (failed != 0) return failed;
    failed = find_mapping<Unused>(w, w.segments[index].window, &w.segments[index].mine);
  }
  symmetric_segment& s = w.segments[index];
  if (failed == 0) failed = wait_for(w.stream, api::fill(s.mine, 0, s.bytes, w.stream));
  const int others = agree(w, failed == 0 ? world_step::allocated : world_step::failed,
                           failed == 0 ? bytes : static_cast<uint64_t>(failed));
  if (failed != 0 || others != 0) return failed != 0 ? failed : others;
  *memory = s.mine;
  return error_none;
}

// The segment that holds `address` in this process's own memory; null: none.
inline const symmetric_segment* find_segment(const gpu_world& w, const void* address) {
  for (const symmetric_segment& s : w.segments) {
    const uintptr_t distance = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(s.mine);
    if (s.allocation != nullptr && distance < s.bytes) return &s;
  }
  return nullptr;
}

// Frees segment `index`. Collective. pre: kernels of this process have ended
inline int free_segment(gpu_world& w, size_t index) {
  symmetric_segment& s = w.segments[index];
  if (w.processes == 1) {
    static_cast<void>(api::free(s.allocation));
  } else {
    const int failed = run_guarded(w, "frees symmetric memory",
                                   [&w, &s] { return ncclCommWindowDeregister(w.communicator, s.window); });
    if (failed != 0) return failed;
    static_cast<void>(ncclMemFree(s.allocation));
  }
  s = symmetric_segment();
  return error_none;
}

}  // namespace detail
}  // namespace cohort
