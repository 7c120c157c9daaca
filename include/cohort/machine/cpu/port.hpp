// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between code that runs as a CUDA thread on the CPU and the engine that runs it.
//
// Every name has C linkage and starts with `cohort_`; the compiler plugin never renames such a name. Only the functions
// whose names start with `cohort_wait_` may suspend the calling thread: a kernel that can reach none of them is a
// kernel that cannot wait. The plugin replaces them by `cohort_gang_wait_` functions where one call serves many lanes.
//
// Part 1 is called by kernels, part 2 describes a kernel, part 3 is called by host code. The engine and kernels include
// this header; base/config.hpp lists the three ways in which kernels are compiled.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"

// ---------------------------------------------------------------------------------------------------
// Part 1. Called by a running thread. Host code must not call these functions.
extern "C" {
// Position. `axis` is 0, 1, 2 for x, y, z, and is a constant where speed matters. The values never change while a
// thread runs, so the compiler may keep them over a suspension.
#if COHORT_CUDA_SOURCE
// The compiler plugin replaces each call by a load from the context of the current thread, or by a loop's counter.
COHORT_DEVICE uint32_t cohort_thread_index(int axis) __attribute__((const));
COHORT_DEVICE uint32_t cohort_block_index(int axis) __attribute__((const));
COHORT_DEVICE uint32_t cohort_block_dim(int axis) __attribute__((const));
COHORT_DEVICE uint32_t cohort_grid_dim(int axis) __attribute__((const));
COHORT_DEVICE uint32_t cohort_cluster_dim(int axis) __attribute__((const));
// The number of the device that the thread runs on.
COHORT_DEVICE uint32_t cohort_device_index(void) __attribute__((const));
// First byte of the block's exchange area: cohort_exchange_bytes for each thread. It carries small values to the
// resolve function of a rendezvous and back; the library lays it out. A thread writes its own slots before it waits and
// reads them after; the resolve function uses the slots of all threads that wait for it. Before it lie
// cohort_turn_bytes that the threads of the block share: zero, or what an earlier block left.
COHORT_DEVICE char* cohort_exchange(void) __attribute__((const));
// First byte of the block's statically declared shared memory, and of its dynamic shared memory.
COHORT_DEVICE char* cohort_static_shared(void) __attribute__((const));
COHORT_DEVICE char* cohort_dynamic_shared(void) __attribute__((const));
// The lanes of the caller's tile of `size` adjacent threads, a power of two up to 32.
COHORT_DEVICE uint32_t cohort_tile_lanes(uint32_t size) __attribute__((const));
// In a gang of one warp: the lanes that execute this call; in any gang the lowest one's value. Elsewhere 0, own value.
COHORT_DEVICE uint32_t cohort_gang_lanes(void);
COHORT_DEVICE uint32_t cohort_gang_first(uint32_t value);
// The value of lane `source`. pre: cohort_gang_lanes() names all 32 lanes, source < 32
COHORT_DEVICE uint32_t cohort_gang_permute32(uint32_t value, uint32_t source);
COHORT_DEVICE uint64_t cohort_gang_permute64(uint64_t value, uint32_t source);
#endif
// The contexts that the position functions read. The engine writes them, kernels only read. The compiler plugin emits
// loads from these offsets; a static_assert of the engine checks them.
struct cohort_block_context {
  uint32_t block_index[4];  // x, y, z, unused
  uint32_t block_dim[4];    // threads of a block
  uint32_t grid_dim[4];     // blocks of the grid
  char* static_shared;      // 128-byte aligned
  char* dynamic_shared;     // 128-byte aligned
  uint32_t cluster_dim[3];  // blocks of the cluster; 1, 1, 1 in a launch without clusters
  uint32_t device;          // number of the device
  char* exchange;           // 64-byte aligned
};
struct cohort_thread_context {
  uint32_t thread_index[3];
  uint32_t thread_rank;  // (z * Dy + y) * Dx + x
  const struct cohort_block_context* block;
  const struct cohort_path* path;  // the innermost call; device functions store it
};
enum { cohort_exchange_bytes = 64, cohort_turn_bytes = 384, cohort_has_gangs = COHORT_CUDA_SOURCE };

// clang can call a function that preserves no register (preserve_none): a wait then saves three registers instead of
// eight, and the caller saves the few that it still needs. The hot waits call these `_light` entries of the engine
// wherever the compiler can; g++, and code of AddressSanitizer, whose base pointer is rbx, call the ordinary entries.
#if defined(__x86_64__) && defined(__clang__) && !defined(COHORT_ENGINE)
#if __has_attribute(preserve_none) && !__has_feature(address_sanitizer)
#define COHORT_LIGHT_WAITS 1
#endif
#endif
// Resolves a rendezvous. `lanes`: those of the mask that have not returned. `operands`: by lane, the argument of its
// wait. Runs once, on the last lane to arrive, while the others are suspended; must not wait.
typedef void (*cohort_resolve)(uint32_t lanes, void* const* operands);

// Waits until every lane of `mask` that has not returned from the kernel has called with the same `mask` and the same
// `resolve`; the last one runs `resolve` (if not null), and all continue. `op_name` names the collective in reports and
// is a string literal. pre: the caller's lane is in `mask`; `mask` names no lane beyond the block.
#if defined(COHORT_LIGHT_WAITS)
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_warp_light(uint32_t mask, cohort_resolve resolve,
                                                                         void* operands, const char* op_name);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_warp(uint32_t mask, cohort_resolve resolve, void* operands,
                                                         const char* op_name) {
  cohort_wait_warp_light(mask, resolve, operands, op_name);
}
#else
COHORT_DEVICE void cohort_wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* op_name);
#endif
// Waits until no other lane of the warp can run, then returns, to all lanes that wait at the same source place, the
// mask of these lanes (coalesced_threads(), __activemask()). Calls in two branches are two places.
COHORT_DEVICE COHORT_NO_MERGE uint32_t cohort_wait_converged(void);
// cohort_wait_converged() with the caller's point as the compiler plugin describes it. Lanes form a group only at equal
// points: at the same site, in the same iterations, on equal paths. Points are released in their order.
COHORT_DEVICE COHORT_NO_MERGE uint32_t cohort_wait_converged_at(const struct cohort_path* here);
// A call of cohort_wait_converged, or of a function that may reach one. A constant of the compiled module.
struct cohort_site {
  uint64_t position;      // grows in the order in which lanes pass the sites of a function; unique in a program
  const uint32_t* loops;  // numbers of the loops around the call, outermost first
  uint32_t loop_count;
  uint32_t may_spin;  // 1 if one of the loops may wait for other threads
};
// A list of the calls that a thread is in, from the innermost outwards. A function stores its call in
// cohort_thread_context::path before it calls; the callee loads it from there as its `caller`.
struct cohort_path {
  const struct cohort_path* caller;  // null in a kernel
  const struct cohort_site* site;
  const uint32_t* iterations;  // of site->loops, counted from 0
};

// Barriers of the block, the cluster, the grid and the multi-grid: of all threads that have not returned. That of the
// grid fails a launch that is not cooperative.
#if defined(COHORT_LIGHT_WAITS)
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_block_light(void);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_block(void) { cohort_wait_block_light(); }
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_cluster_light(void);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_cluster(void) { cohort_wait_cluster_light(); }
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_grid_light(void);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_grid(void) { cohort_wait_grid_light(); }
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_multi_grid_light(void);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_multi_grid(void) { cohort_wait_multi_grid_light(); }
#else
COHORT_DEVICE void cohort_wait_block(void);
COHORT_DEVICE void cohort_wait_cluster(void);
COHORT_DEVICE void cohort_wait_grid(void);
COHORT_DEVICE void cohort_wait_multi_grid(void);
#endif
// Barrier of the block; returns in how many of its threads `predicate` was not zero.
COHORT_DEVICE uint32_t cohort_wait_block_count(int predicate);
// Barriers of the block that return 1 if `predicate` was not zero in all of its threads, or in any of them. All threads
// of a block call one function: a phase with two of them never completes.
COHORT_DEVICE int cohort_wait_block_all(int predicate);
COHORT_DEVICE int cohort_wait_block_any(int predicate);

// The named barriers 0 to 15 of the block (PTX: barrier.cta). `threads` threads complete a phase, a multiple of 32; 0:
// all that have not returned. Barrier 0 for all threads is that of cohort_wait_block. In a phase, all threads pass one
// count and arrive once, with one kind of vote or none; anything else fails the launch. `arrive` does not wait.
COHORT_DEVICE void cohort_wait_named(uint32_t number, uint32_t threads);
COHORT_DEVICE void cohort_wait_named_arrive(uint32_t number, uint32_t threads);
COHORT_DEVICE uint32_t cohort_wait_named_count(uint32_t number, uint32_t threads, int predicate);
COHORT_DEVICE int cohort_wait_named_all(uint32_t number, uint32_t threads, int predicate);
COHORT_DEVICE int cohort_wait_named_any(uint32_t number, uint32_t threads, int predicate);

// Resolves a collective of a team: of the block (size 0), or of the caller's tile of `size` adjacent threads, 64, 128,
// 256, 512 or 1024; the last tile of a block may have fewer. `count`: threads of the team. `operands`: by rank, the
// argument of its wait, null if it has returned. Runs once, as the function of a rendezvous does; must not wait.
typedef void (*cohort_resolve_team)(uint32_t count, void* const* operands);
// Waits until every thread of the team that has not returned has called with the same `resolve`; the last one runs it
// (if not null), and all continue.
#if defined(COHORT_LIGHT_WAITS)
COHORT_DEVICE __attribute__((preserve_none)) void cohort_wait_team_light(uint32_t size, cohort_resolve_team resolve,
                                                                         void* operand, const char* op_name);
COHORT_DEVICE static COHORT_INLINE void cohort_wait_team(uint32_t size, cohort_resolve_team resolve, void* operand,
                                                         const char* op_name) {
  cohort_wait_team_light(size, resolve, operand, op_name);
}
#else
COHORT_DEVICE void cohort_wait_team(uint32_t size, cohort_resolve_team resolve, void* operand, const char* op_name);
#endif
// Split-phase barriers above a warp. A thread arrives, works, and waits with the token of its arrival; the wait returns
// when all threads of the group that have not returned have arrived. An ordinary barrier (cohort_wait_team without
// resolve, _block, _cluster, _grid, _multi_grid) counts as an arrival and a wait, so threads may mix both forms in one
// phase. Misuse fails the launch: a second arrival before the wait, a token of another phase, an ordinary barrier
// between the two.
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
// Does not suspend; its name marks the kernel as one that can wait. `op_name` names the collective in reports.
COHORT_DEVICE uint32_t cohort_wait_arrive(int barrier, const char* op_name);
COHORT_DEVICE void cohort_wait_token(int barrier, uint32_t token, const char* op_name);
// Stands for the token of the thread's arrival that no wait has used, whatever its phase is.
#define COHORT_NEWEST_ARRIVAL 0xffffffffu

// cohort_wait_team(0, ...) and the barrier of cluster, grid or multi-grid in one wait, where cohort_has_gangs is 0. The
// block's last thread to arrive runs `resolve`, and the block arrives. In a phase all its threads call it, or none.
COHORT_DEVICE void cohort_wait_outer_team(int barrier, cohort_resolve_team resolve, void* operand, const char* op_name);

// The cluster: blocks that are resident together.
// Maps `address`, in the shared memory of a block of the cluster, to the same location in that of block `rank`. Fails
// the launch if it lies elsewhere, or if there is no such block.
COHORT_DEVICE void* cohort_cluster_map(const void* address, uint32_t rank);
// Rank in the cluster of the block whose shared memory holds `address`. Fails the launch if there is none.
COHORT_DEVICE uint32_t cohort_cluster_owner(const void* address);
// Scratch memory of block `rank` of the cluster, 64-byte aligned, zero when the block begins.
enum { cohort_cluster_scratch_bytes = 576 };
COHORT_DEVICE void* cohort_cluster_scratch(uint32_t rank);

// The multi-grid: all grids of a multi-device launch. The grid's rank and their number; 0 and 0 in any other launch.
COHORT_DEVICE uint32_t cohort_multi_grid_rank(void);
COHORT_DEVICE uint32_t cohort_multi_grid_count(void);
// Scratch memory of the multi-grid as the caller's grid reads it, 64-byte aligned, zero when the launch begins: `bytes`
// for each block of each grid. All calls of a launch pass the same number.
COHORT_DEVICE void* cohort_multi_grid_scratch(size_t bytes);
// Copies `count` bytes to `offset` in the scratch memory of every grid. They can be read after the next barrier of the
// multi-grid. `bytes` is the argument of cohort_multi_grid_scratch.
COHORT_DEVICE void cohort_multi_grid_put(size_t bytes, size_t offset, const void* from, size_t count);

// Symmetric memory of a launch over a world (world_port.hpp). Returns the address of the same location in the memory of
// rank `rank`, or null if no pointer reaches it. Fails the launch for any other address or rank.
COHORT_DEVICE void* cohort_world_address(const void* address, uint32_t rank);
// Copies `bytes` bytes to the location `to` in the symmetric memory of rank `rank`. They can be read there after the
// next barrier of the multi-grid; `from` may change at once.
COHORT_DEVICE void cohort_world_put(void* to, const void* from, size_t bytes, uint32_t rank);

// Asynchronous copies, executed as late as allowed. Each thread has its own list of stages. `copy_later` adds a copy to
// the newest stage, and `copy_commit` ends that stage. `wait_copies` executes the copies of all ended stages except
// the latest `stages`. The remaining copies are executed when the thread returns.
COHORT_DEVICE void cohort_copy_later(void* to, const void* from, size_t bytes);
COHORT_DEVICE void cohort_copy_commit(void);
COHORT_DEVICE void cohort_wait_copies(uint32_t stages);

// 1 in a cooperative launch, else 0.
COHORT_DEVICE int cohort_grid_is_cooperative(void);

// Yields: the caller polls memory that another thread will write, so the engine runs other threads first. `sleep`
// implements __nanosleep: it yields once, whatever the duration.
COHORT_DEVICE void cohort_wait_yield(void);
COHORT_DEVICE void cohort_wait_sleep(uint32_t nanoseconds);

// Fails the launch with CUDA error `error` and a report that names the thread; does not return. `message` is a printf
// format: one sentence with the problem and the remedy.
COHORT_DEVICE void cohort_fail(int error, const char* message, ...)
    __attribute__((noreturn, cold, format(printf, 2, 3)));
// cohort_fail() for the runtime's functions that kernels call; `place` is the return address of the kernel's call.
COHORT_DEVICE void cohort_fail_at(const void* place, int error, const char* message, ...)
    __attribute__((noreturn, cold, format(printf, 3, 4)));
// A failed assert() in a kernel: prints CUDA's own line and fails the launch with cudaErrorAssert.
COHORT_DEVICE void cohort_fail_assert(const char* expression, const char* file, int line, const char* function)
    __attribute__((noreturn, cold));

// Device printf; returns the number of arguments, as CUDA's printf does. Does not suspend.
COHORT_DEVICE int cohort_print(const char* format, ...) __attribute__((format(printf, 1, 2)));
// clock64(): ticks of the CPU's own counter. globaltimer: nanoseconds.
COHORT_DEVICE uint64_t cohort_clock(void);
COHORT_DEVICE uint64_t cohort_nanoseconds(void);

// Shared storage for plain C++ kernels: the same `tag` gives every thread of a block the same zero-filled storage.
COHORT_DEVICE void* cohort_tagged_shared(const void* tag, size_t size, size_t alignment);

// ---------------------------------------------------------------------------------------------------
// Part 1b. Gangs. A gang is a run of adjacent threads of a block that one call of a vector function executes, on one
// fiber: one lane of the gang for each thread. Its width is a multiple of 32, at most 1024. Control is uniform in the
// gang wherever it waits, except for lanes that have returned from the kernel. The plugin emits these calls.
//
// While a gang runs, cohort_current_thread is a context of the gang's own. Its `block` is valid. Before a call for one
// thread (cohort_fail, cohort_gang_fail_assert, cohort_copy_later, all of part 1 that does not suspend) the function
// stores that thread's index and rank there. cohort_wait_yield and cohort_wait_sleep return at once in a gang.

struct cohort_gang {
  uint32_t first_rank;              // rank in the block of lane 0; a multiple of the width
  uint32_t lanes;                   // the width, or fewer in the last gang of a block
  const uint32_t* thread_index[3];  // by axis: the index of each lane; 64-byte aligned, readable up to the width
  // One bit for each lane, width / 32 words. The function may store there which lanes a loop still holds: the report of
  // an endless loop names them. The engine writes the words of a new gang: all lanes.
  volatile uint32_t* looping;
};

// cohort_fail_assert for one lane of a gang; returns. The lane takes part in nothing any more: it is missing from the
// masks of all further waits, and threads that need it never continue.
COHORT_DEVICE void cohort_gang_fail_assert(const char* expression, const char* file, int line, const char* function)
    __attribute__((cold));
// Fails the launch: `lane` of a gang called the collective `op_name` of its warp with a mask that does not name it.
COHORT_DEVICE void cohort_gang_refuse_mask(uint32_t lane, uint32_t mask, const char* op_name)
    __attribute__((noreturn, cold));

// The waits of part 1 for all lanes of a gang at once. `lanes` has one bit for each lane of the gang, width / 32 words,
// and names the lanes that call. Each lane that is missing has returned from the kernel and takes part in nothing any
// more. Null stands for all lanes of the gang, none of which has returned. A gang of which no lane is left must not
// call; it returns. On x86-64 the waits for the block, teams, the cluster, the grid and the multi-grid have `_light`
// entries with the same parameters, for callers that preserve no registers.
COHORT_DEVICE void cohort_gang_wait_block(const uint32_t* lanes);
// `predicates`: one bit for each lane. Bits of missing lanes do not count.
COHORT_DEVICE uint32_t cohort_gang_wait_block_count(const uint32_t* predicates, const uint32_t* lanes);
COHORT_DEVICE int cohort_gang_wait_block_all(const uint32_t* predicates, const uint32_t* lanes);
COHORT_DEVICE int cohort_gang_wait_block_any(const uint32_t* predicates, const uint32_t* lanes);
// A tile may hold several gangs, or a gang several tiles. `operands`: by calling lane; null where `resolve` is.
COHORT_DEVICE void cohort_gang_wait_team(uint32_t size, cohort_resolve_team resolve, void* const* operands,
                                         const uint32_t* lanes, const char* op_name);
// Split-phase barriers. An arrival returns the token of all its lanes. A wait reads a token for each calling lane.
COHORT_DEVICE uint32_t cohort_gang_wait_arrive(int barrier, const uint32_t* lanes, const char* op_name);
COHORT_DEVICE void cohort_gang_wait_token(int barrier, const uint32_t* tokens, const uint32_t* lanes,
                                          const char* op_name);
// Asynchronous copies in kernels with barriers, by lane. Any lane may be missing; `lanes` is not null.
COHORT_DEVICE void cohort_gang_copy_later(void* const* to, const void* const* from, size_t bytes,
                                          const uint32_t* lanes);
COHORT_DEVICE void cohort_gang_copy_commit(const uint32_t* lanes);
COHORT_DEVICE void cohort_gang_wait_copies(uint32_t stages, const uint32_t* lanes);
COHORT_DEVICE void cohort_gang_wait_cluster(const uint32_t* lanes);
COHORT_DEVICE void cohort_gang_wait_grid(const uint32_t* lanes);
COHORT_DEVICE void cohort_gang_wait_multi_grid(const uint32_t* lanes);
}  // extern "C"

#if COHORT_CUDA_SOURCE
// Computed from the indices: the compiler has ranges for these, and none for a word in memory.
COHORT_DEVICE static COHORT_INLINE uint32_t cohort_thread_rank(void) {
  return (cohort_thread_index(2) * cohort_block_dim(1) + cohort_thread_index(1)) * cohort_block_dim(0) +
         cohort_thread_index(0);
}
#endif
#if !COHORT_CUDA_SOURCE
// Initial-exec: an access is one load relative to the thread pointer, never a call.
extern __thread const struct cohort_thread_context* cohort_current_thread __attribute__((tls_model("initial-exec")));

inline uint32_t cohort_thread_index(int axis) { return cohort_current_thread->thread_index[axis]; }
inline uint32_t cohort_block_index(int axis) { return cohort_current_thread->block->block_index[axis]; }
inline uint32_t cohort_block_dim(int axis) { return cohort_current_thread->block->block_dim[axis]; }
inline uint32_t cohort_grid_dim(int axis) { return cohort_current_thread->block->grid_dim[axis]; }
inline uint32_t cohort_thread_rank() { return cohort_current_thread->thread_rank; }
inline uint32_t cohort_cluster_dim(int axis) { return cohort_current_thread->block->cluster_dim[axis]; }
inline uint32_t cohort_device_index() { return cohort_current_thread->block->device; }
inline char* cohort_exchange() { return cohort_current_thread->block->exchange; }
inline char* cohort_static_shared() { return cohort_current_thread->block->static_shared; }
inline char* cohort_dynamic_shared() { return cohort_current_thread->block->dynamic_shared; }
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

// ---------------------------------------------------------------------------------------------------
// Part 2. The description of a kernel, made by the compiler plugin or by `cohort::launch`. Must outlive its launches.
// Conditions of a gang version.
enum {
  cohort_gang_full_rows = 1,  // blockDim.x is a multiple of the width, so that a gang lies in one row of the block
  cohort_gang_full = 2,       // the gang has all its lanes
  cohort_gang_small_grid = 4  // gridDim.x * blockDim.x is at most 2^27
};
// One vector function of a kernel.
struct cohort_gang_version {
  void (*entry)(void** arguments, const struct cohort_gang* gang);  // runs all lanes of a gang from start to end
  uint32_t width;                                                   // a multiple of 32, at most 1024
  uint32_t conditions;     // all of those given must hold; 0: any shape, and a last gang with fewer lanes
  uint32_t frame_bytes;    // of stack that the function needs
  uint32_t row_lanes = 0;  // if not 0, blockDim.x must be this, and blockDim.y a multiple of width / row_lanes
};
enum {                            // flags of a kernel
  cohort_kernel_plain = 1,        // arguments[0] points to the address of a plain C++ function, for reports to show
  cohort_kernel_block_gangs = 2,  // block_entry runs gangs: not taken under COHORT_GANGS=off
  cohort_kernel_no_locals = 4     // no pointer into its stack can exist: there is no array to overrun
};
struct cohort_kernel {
  const char* name;                        // mangled where a compiler made it; for reports
  void (*thread_entry)(void** arguments);  // runs the current thread from start to end
  void (*block_entry)(void** arguments);   // runs all threads of the current block; null where the kernel may wait
  uint32_t static_shared_bytes;
  uint32_t max_threads_per_block;  // __launch_bounds__, else 1024
  uint32_t parameter_count;
  uint32_t flags;                   // cohort_kernel_*
  const uint32_t* parameter_bytes;  // size of each parameter
  uint32_t cluster_dim[3] = {};     // __cluster_dims__; zero: the kernel has none
  uint32_t local_bytes = 0;         // a thread's variables in memory; 0 where no compiler plugin made the kernel
  // A launch takes the width of the first version that can run every full gang of a block, if a version of that width
  // can run its last gang too. A width that no gang fills is taken only if no other one will do. Each gang runs the
  // first version of the width whose conditions hold. Versions that need more than a quarter of a thread's stack are
  // not taken, nor any under COHORT_GANGS=off. A launch that finds no width runs as block_entry or thread_entry. The
  // gangs of a kernel with a block_entry run one after another on one stack.
  const struct cohort_gang_version* gang_versions = nullptr;
  uint32_t gang_version_count = 0;
  uint32_t architecture = 0;              // of -arch: 90 for sm_90; 0: none was given, as in plain C++
  uint32_t stack_bytes = 0;               // that a thread and its calls need, as far as the compiler plugin finds them
  const uint32_t* shared_gaps = nullptr;  // of static shared memory, for red zones: pairs [begin, end), then 0, 0
};

// ---------------------------------------------------------------------------------------------------
// Part 3. The host's side: launches and devices. All return CUDA's own error numbers, 0 for success.

struct cohort_launch {
  const struct cohort_kernel* kernel;
  void** arguments;   // one pointer for each parameter, alive until the call returns
  uint32_t grid[3];   // blocks
  uint32_t block[3];  // threads
  size_t dynamic_shared_bytes;
  int cooperative;  // all blocks resident at once; the grid barrier works
  int device;
  uint32_t cluster[3] = {};  // blocks of a cluster; zero: cohort_kernel::cluster_dim, else one block
};

// A virtual device. There are COHORT_DEVICES of them, all alike, made once from the defaults and the COHORT_*
// environment variables.
struct cohort_device {
  char name[256];
  int sm_count;                      // COHORT_SMS; default: the workers
  int workers;                       // COHORT_WORKERS; default: the CPUs this process may use, shared by the devices
  int warp_size;                     // 32
  int max_threads_per_block;         // 1024
  int max_threads_per_sm;            // 2048
  int max_blocks_per_sm;             // 32
  int max_block_dim[3];              // 1024, 1024, 64
  uint32_t max_grid_dim[3];          // 2^31 - 1, 65535, 65535
  size_t shared_per_block;           // 48 KiB
  size_t shared_per_block_optin;     // 227 KiB, COHORT_SHARED_PER_BLOCK_OPTIN
  size_t shared_per_sm;              // 228 KiB, COHORT_SHARED_PER_SM
  size_t shared_reserved_per_block;  // 1 KiB
  int registers_per_block;           // 65536
  int compute_major, compute_minor;  // 9, 0
  size_t stack_bytes;                // address space of a thread's stack, >= 256 KiB: COHORT_STACK, cudaLimitStackSize
  double timeout_seconds, launch_limit_seconds;  // COHORT_TIMEOUT, 60; COHORT_LAUNCH_LIMIT, 0: none
  size_t memory_bytes;                           // COHORT_MEMORY; default: the machine's, shared by the devices
  int memory_guard;                              // COHORT_GUARD: 0 off, 1 page, 2 strict
  int max_cluster_blocks;                        // 16; CUDA's portable limit of 8 is for the runtime to check
  int gangs;                                     // COHORT_GANGS: 0 off, 1 auto
  const char* cpu;                               // COHORT_CPU; null: not set
};

extern "C" {
int cohort_device_count(void);
const struct cohort_device* cohort_device_get(int device);  // null for a number out of range
void cohort_set_stack_bytes(int device, size_t bytes);      // the next launch uses it; rounded up

// Reports of illegal accesses add what `describe` writes about the address, in at most `size` bytes; an empty text adds
// nothing. It is called outside of signal handlers, on the thread of a worker.
void cohort_describe_addresses_by(void (*describe)(const void* address, char* text, size_t size));

// Blocks of `threads` threads that one SM holds at once; 0 where a block does not fit at all.
int cohort_max_blocks_per_sm(const struct cohort_kernel* kernel, int device, uint32_t threads,
                             size_t dynamic_shared_bytes);

// Clusters of `cluster` blocks that are resident at once: at least one, if a block fits at all.
int cohort_max_clusters(const struct cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                        uint32_t cluster_blocks);

// Checks the launch (grid, block, clusters, shared memory, residency) without starting it.
int cohort_check_launch(const struct cohort_launch* launch);
// Checks, runs to the end, returns. Callable from any thread; launches on one device run one after another.
int cohort_run(const struct cohort_launch* launch);
// Checks or runs one cooperative launch on each of `count` different devices. The launches start and end together and
// form one multi-grid; all have the same grid, block and shared memory.
int cohort_check_multi_device(const struct cohort_launch* launches, uint32_t count);
int cohort_run_multi_device(const struct cohort_launch* launches, uint32_t count);

// Copies the process's newest report ("" if none), at most `size` bytes with a closing zero; returns the full length.
size_t cohort_copy_last_report(char* buffer, size_t size);
}
