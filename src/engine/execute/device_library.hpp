// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that kernels call besides waits: printf, clocks, asynchronous copies, facts about the grid.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/shared_memory.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

// Prints, and returns the number of arguments, as CUDA's printf does; negative on an output error.
int print_from_kernel(const char* format, va_list arguments);

uint64_t wall_clock_nanoseconds();

inline uint64_t clock_ticks() {
  if (const worker* w = current_worker(); w && w->schedule) return w->schedule->now();
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return wall_clock_nanoseconds();
#endif
}

// The current lane's list of copies; null if its block has no copies.
inline late_copies* copies_of_current_lane() {
  const block& b = current_block();
  return b.copies.is_used() ? &(*b.copies)[current_lane()->thread_rank] : nullptr;
}

inline void copy_later(void* to, const void* from, size_t bytes) {
  block& b = current_block();
  if (!b.worker->may_wait) {  // the kernel has no wait that would execute the copy, so it is executed now
    std::memcpy(to, from, bytes);
    return;
  }
  b.begin_copies()[current_lane()->thread_rank].add({to, from, bytes});
}

inline void commit_copies() {
  if (late_copies* copies = copies_of_current_lane()) copies->commit();
}

inline void wait_copies(uint32_t stages) {
  if (late_copies* copies = copies_of_current_lane()) copies->make_all_but(stages, make_late_copy);
}

inline void* launch_owner() { return current_block().grid->launch->owner; }

// See cohort_private_memory.
inline int private_memory(const void* address) {
  if (owner_of_shared(current_block(), address)) return 1;
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return at >= here && at < reinterpret_cast<uintptr_t>(current_lane()->fiber->stack->top) ? 2 : 0;
}

inline bool grid_is_cooperative() { return current_block().grid->launch->cooperative != 0; }

inline uint64_t grid_number() { return current_block().grid->number; }

inline bool cluster_is_explicit() {
  const cohort_launch& l = *current_block().grid->launch;
  return is_given(l.cluster) || is_given(l.kernel->cluster_dim);
}

// See cohort_shared_bytes.
inline uint32_t shared_bytes(uint32_t kind) {
  const grid& g = *current_block().grid;
  const size_t dynamic_bytes = g.launch->dynamic_shared_bytes,
               own = g.launch->kernel->static_shared_bytes + dynamic_bytes;
  const size_t all = own + (kind == 2 ? g.device->shared_reserved_per_block : 0);
  return static_cast<uint32_t>(kind == 0 ? dynamic_bytes : detail::round_up(all, size_t(g.device->shared_unit)));
}

inline uint32_t multi_grid_rank() {
  const grid& g = *current_block().grid;
  return g.is_multi_device() ? g.shared->first_rank + g.index : 0;
}

inline uint32_t multi_grid_count() {
  const grid& g = *current_block().grid;
  return g.is_multi_device() ? g.shared->ranks() : 0;
}

inline uint32_t multi_grid_phase() {
  return current_block().grid->shared->all_blocks.phase.load(std::memory_order_relaxed);
}

// The scratch memory of the launch, `bytes` for each block. Fails the launch if it has none.
inline char* multi_grid_scratch(size_t bytes, const void* place) {
  session& s = *current_block().grid->shared;
  if (!s.transport) {
    fail_at(place, error_launch_failure,
            "a collective of multi_grid_group in a launch that is not a multi-device launch");
  }
  if (char* memory = s.scratch(bytes)) return memory;
  fail_at(place, error_launch_failure, "a multi-grid's scratch memory was asked for in two sizes");
}

// Copies `count` bytes to `offset` in the scratch memory of every grid of the launch.
inline void multi_grid_put(size_t bytes, size_t offset, const void* from, size_t count, const void* place) {
  multi_grid_scratch(bytes, place);
  current_block().grid->shared->transport->put(offset, from, count);
}

}  // namespace cohort::engine
