// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that implement cohort::world on GPUs. Their counterpart on CPUs is engine/world_calls.hpp; the
// contracts are those of machine/cpu/world_port.hpp.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "id_file.hpp"
#include "launch.hpp"

namespace cohort {
namespace detail {

struct world_calls {
  using world = gpu_world;
  using network = gpu_network;

  static int open(const network* n, world** w) { return open_gpu_world(n, w); }
  static int close(world* w) { return close_gpu_world(w); }

  static uint32_t ranks(const world* w) { return w->processes; }
  static uint32_t first_rank(const world* w) { return w->process; }
  static uint32_t local_ranks(const world*) { return 1; }
  static int is_lost(const world* w) { return w->lost ? 1 : 0; }
  static void keep_after_loss(world* w, int keep) { w->keep_after_loss = keep != 0; }

  static int allocate(world* w, size_t bytes, void** memory) {
    if (w->lost) return error_launch_failure;
    return bytes == 0 ? static_cast<int>(error_invalid_value) : allocate_symmetric(*w, bytes, memory);
  }
  static int free(world* w, void* memory) {
    const symmetric_segment* const found = find_segment(*w, memory);
    if (found == nullptr || found->mine != memory || found == w->segments.data()) return error_invalid_value;
    const size_t index = static_cast<size_t>(found - w->segments.data());
    if (const int failed = agree(*w, world_step::release, index)) return failed;
    return free_segment(*w, index);
  }
  static void* on(const world* w, const void* address, uint32_t rank) {
    if (rank >= w->processes || find_segment(*w, address) == nullptr) return nullptr;
    const int64_t ranks_up = static_cast<int64_t>(rank) - static_cast<int64_t>(w->process);
    return const_cast<char*>(static_cast<const char*>(address)) + ranks_up * w->rank_stride;
  }

  static int smallest(world* w, uint64_t value, uint64_t* smallest) {
    *smallest = value;
    if (w->processes == 1) return error_none;
    if (const int failed = agree(*w, world_step::grid_size, value)) return failed;
    for (uint32_t p = 0; p < w->processes; ++p) {
      const uint64_t theirs = w->board.record_of(p).value;
      if (theirs < *smallest) *smallest = theirs;
    }
    return error_none;
  }
  static int refuse(world* w, int error) {
    if (w->lost) return error_launch_failure;
    ++w->launches;
    static_cast<void>(agree(*w, world_step::refused, static_cast<uint64_t>(error)));
    return error;
  }
  static uint64_t launches(const world* w) { return w->launches; }
  static uint32_t launched_processes() { return detail::launched_processes(); }
};

}  // namespace detail
}  // namespace cohort
