// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that kernels call, as calls.inc lists them, for code that calls them.
#pragma once

#include "contexts.hpp"

// clang can call a function that preserves no register (preserve_none): a wait then saves three registers instead of
// eight, and the caller saves the few that it still needs. The hot waits call these `_light` entries of the engine if
// the compiler can; g++, and code of AddressSanitizer, whose base pointer is rbx, call the ordinary entries. Gangs call
// the light entries of their own waits on x86-64.
#if defined(__x86_64__) && defined(__clang__) && !defined(COHORT_ENGINE)
#if __has_attribute(preserve_none) && !__has_feature(address_sanitizer)
#define COHORT_LIGHT_WAITS 1
#endif
#endif

// A report names the line of a call by its return address; a tail call leaves none in the kernel. The call of a light
// entry is never a tail call, because its calling convention differs from the kernel's.
#if defined(__clang__) && !defined(COHORT_ENGINE)
#define COHORT_KEEPS_CALLER __attribute__((not_tail_called))
#else
#define COHORT_KEEPS_CALLER
#endif

// Resolves a rendezvous. `lanes`: lanes of the mask that have not returned. `operands`: for each lane, the argument of
// its wait. Runs once, on the last lane to arrive, while the others are suspended; must not wait.
typedef void (*cohort_resolve)(uint32_t lanes, void* const* operands);
// Resolves a collective of a team: the block (size 0), or the caller's tile of `size` adjacent threads, 64, 128, 256,
// 512 or 1024; the last tile of a block may have fewer. `count`: threads of the team. `operands`: for each rank, the
// argument of its wait, null if it has returned. Runs once, as the function of a rendezvous does; must not wait.
typedef void (*cohort_resolve_team)(uint32_t count, void* const* operands);

// Groups with a split-phase barrier.
enum cohort_barrier {
  cohort_barrier_tile_64,
  cohort_barrier_tile_128,
  cohort_barrier_tile_256,
  cohort_barrier_tile_512,
  cohort_barrier_tile_1024,
  cohort_barrier_block,
  cohort_barrier_cluster,
  cohort_barrier_grid,
  cohort_barrier_multi_grid,
  cohort_barriers
};

// The memory behind an address of a multicast object, as a kernel's multimem instruction asks for it.
enum cohort_multicast_status {
  cohort_multicast_found,
  cohort_multicast_done,       // there is no device of that number
  cohort_multicast_none,       // no multicast object is mapped at the address
  cohort_multicast_no_access,  // cuMemSetAccess has not made the addresses accessible for the device
  cohort_multicast_unbound,    // the device has bound no memory there
};
// Selects the token of the thread's arrival that no wait has used, in any phase.
#define COHORT_NEWEST_ARRIVAL 0xffffffffu

enum {
  cohort_exchange_bytes = 64,
  cohort_turn_bytes = 384,
  cohort_cluster_scratch_bytes = 576,
  cohort_array_staging_bytes = 1 << 20,
  cohort_has_gangs = COHORT_CUDA_SOURCE
};

#if !COHORT_CUDA_SOURCE
// Initial-exec: an access is one load relative to the thread pointer, never a call.
extern __thread const struct cohort_thread_context* cohort_current_thread __attribute__((tls_model("initial-exec")));
#endif

extern "C" {
#if COHORT_CUDA_SOURCE
// The compiler plugin replaces these calls.
#define COHORT_POSITION_OF_AXIS(name, context, field) COHORT_DEVICE uint32_t name(int axis) __attribute__((const));
#define COHORT_POSITION(result, name, context, field) COHORT_DEVICE result name(void) __attribute__((const));
#define COHORT_LANES(role, result, name, parameters, attributes) COHORT_DEVICE result name parameters attributes;
#else
#define COHORT_CONTEXT_thread cohort_current_thread
#define COHORT_CONTEXT_block cohort_current_thread->block
#define COHORT_POSITION_OF_AXIS(name, context, field) \
  inline uint32_t name(int axis) { return COHORT_CONTEXT_##context->field[axis]; }
#define COHORT_POSITION(result, name, context, field) \
  inline result name() { return COHORT_CONTEXT_##context->field; }
#define COHORT_LANES(role, result, name, parameters, attributes) inline result name parameters;
#endif

#define COHORT_CALL(kind, gang, result, name, parameters, attributes) \
  COHORT_DEVICE COHORT_KEEPS_CALLER result name parameters attributes;
#if defined(COHORT_LIGHT_WAITS)
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments)     \
  COHORT_DEVICE __attribute__((preserve_none)) result name##_light parameters; \
  COHORT_DEVICE static COHORT_INLINE result name parameters { name##_light arguments; }
#else
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) COHORT_DEVICE result name parameters;
#endif
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) \
  COHORT_DEVICE result name parameters attributes;

#include "calls.inc"

}  // extern "C"

#if COHORT_CUDA_SOURCE
// The thread's rank in its block. Computed from the indices, because the compiler has ranges for these and none for a
// word in memory.
COHORT_DEVICE static COHORT_INLINE uint32_t cohort_thread_rank(void) {
  return (cohort_thread_index(2) * cohort_block_dim(1) + cohort_thread_index(1)) * cohort_block_dim(0) +
         cohort_thread_index(0);
}
#else
#undef COHORT_CONTEXT_thread
#undef COHORT_CONTEXT_block

inline uint32_t cohort_thread_rank() { return cohort_current_thread->thread_rank; }
inline uint32_t cohort_tile_lanes(uint32_t size) {
  const uint32_t first = cohort_thread_rank() & ~(size - 1u);
  const uint32_t left = cohort_block_dim(0) * cohort_block_dim(1) * cohort_block_dim(2) - first;
  return (0xffffffffu >> (32u - (left < size ? left : size))) << (first % 32u);
}
inline uint32_t cohort_gang_lanes() { return 0; }
inline uint32_t cohort_gang_first(uint32_t value) { return value; }
inline uint32_t cohort_gang_permute32(uint32_t value, uint32_t /*source*/) { return value; }
inline uint64_t cohort_gang_permute64(uint64_t value, uint32_t /*source*/) { return value; }
#endif
