// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// THE CONTRACT between a machine and everything above it. A machine is a struct of static functions; each function
// of the library that runs in a kernel is built from those below and from nothing else. complete_machine.hpp checks a
// machine against this page and builds what a machine leaves out.
//
// Preconditions of every primitive:
// - the caller is a CUDA thread inside a kernel;
// - a warp is 32 lanes; the lane of a thread is its rank in the block modulo 32 (rank: x fastest, then y, then z);
// - `mask` holds the caller's lane and only lanes that exist in the caller's warp;
// - every lane of `mask` makes the same call with the same mask. A lane that has returned from the kernel does not
//   take part, and the others do not wait for it;
// - `what` is a string literal: the collective as the user spells it, for reports. A machine may ignore it.
// A primitive that takes a mask returns when all these lanes have called. The barriers (sync_...) also order memory:
// what one wrote before is seen by the others after. The exchanges (shuffle, ballot, match) promise nothing about it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../base/config.hpp"
#include "../base/scope.hpp"
#include "../base/types.hpp"

namespace cohort {

// The groups whose barrier has two halves.
enum class barrier_kind : int { tile_64, tile_128, tile_256, tile_512, tile_1024, block, cluster, grid, multi_grid };
// As a token: that of the caller's arrival that no wait has used. No arrival gives it.
inline constexpr uint32_t newest_arrival = 0xffffffffu;

// The size of the team that is the whole block, whatever the number of its threads.
inline constexpr uint32_t whole_block = 0;

struct machine_contract {
  // Position. `axis` is 0, 1, 2 for x, y, z. Constant while a thread runs.
  COHORT_DEVICE static uint32_t thread_index(int axis);  // of the thread in its block
  COHORT_DEVICE static uint32_t block_index(int axis);   // of the block in its grid
  COHORT_DEVICE static uint32_t block_dim(int axis);     // threads of the block
  COHORT_DEVICE static uint32_t grid_dim(int axis);      // blocks of the grid
  COHORT_DEVICE static uint32_t cluster_dim(int axis);   // blocks of the cluster; 1 where the launch has no clusters
  COHORT_DEVICE static uint32_t lane();                  // 0..31

  // Lanes of a warp.
  COHORT_DEVICE static void sync_lanes(uint32_t mask, const char* op_name);
  // The value of lane `source`; all bytes zero if it is not in `mask`, and on the CPU also if it has returned.
  // pre: source < 32, T is trivially copyable.
  template <class T>
  COHORT_DEVICE static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* op_name);
  // The lanes whose `predicate` is true.
  COHORT_DEVICE static uint32_t ballot(uint32_t mask, bool predicate, const char* op_name);
  // The lanes whose word has the caller's bits. pre: Word is uint32_t or uint64_t.
  template <class Word>
  COHORT_DEVICE static uint32_t match_any(uint32_t mask, Word word, const char* op_name);
  // All words have the same bits.
  template <class Word>
  COHORT_DEVICE static bool match_all(uint32_t mask, Word word, const char* op_name);
  // A query, no synchronisation: the lanes that run together with the caller here, once no other lane of the warp
  // can run. The only primitive that finds a mask; everything else is told one. Used by coalesced_threads() alone.
  COHORT_DEVICE static uint32_t active_lanes();

  // The block: all threads that have not returned.
  COHORT_DEVICE static void sync_block();
  COHORT_DEVICE static uint32_t sync_block_count(bool predicate);  // in how many of them it is true

  // A team: the block (`whole_block`), or the caller's tile of `size` threads with adjacent ranks in it; size is 64,
  // 128, 256, 512 or 1024, and a tile ends where the block ends. Its warps are counted from its first one.
  COHORT_DEVICE static void sync_team(uint32_t size, const char* op_name);
  // Writes the value of warp w's speaker to values[w], for each warp of the result (a bit a warp); speakers may call it
  // again at once. pre: at most one thread of a warp `speaks`; the threads pass 32 places each.
  template <class T>
  COHORT_DEVICE static uint32_t exchange_warps(uint32_t size, const T& value, bool is_publisher,
                                               detail::slot<T>* values, const char* op_name);

  // Barriers in two halves: `arrive` does not wait and gives a token for the caller's `wait` of the same phase.
  COHORT_DEVICE static uint32_t arrive(barrier_kind kind, const char* op_name);
  COHORT_DEVICE static void wait(barrier_kind kind, uint32_t token, const char* op_name);

  // The cluster. pre of a rank: below the number of its blocks, else the launch fails with a report; of an address: it
  // lies in the shared memory of a block of the cluster.
  COHORT_DEVICE static void sync_cluster();
  COHORT_DEVICE static void* map_shared(const void* address, uint32_t rank);  // the same place in block `rank`
  COHORT_DEVICE static uint32_t shared_owner(const void* address);            // the rank of the block that has it
  // Memory of block `rank` for collectives: cluster_scratch_bytes, 64-byte aligned. A machine that keeps it has it zero
  // when the block begins, and there until all blocks have ended. Elsewhere it begins with any bytes, and is there from
  // a barrier of the cluster that the block takes part in to one before the block ends.
  COHORT_DEVICE static void* cluster_scratch(uint32_t rank);
  static constexpr bool keeps_cluster_scratch = true;

  // The grid. pre of sync_grid: grid_is_valid(), else the launch fails with a report.
  COHORT_DEVICE static void sync_grid();
  COHORT_DEVICE static bool grid_is_valid();  // the launch is cooperative

  // All grids of a multi-device launch. Rank and count: of the grid among them; 0 and 0 in any other launch, where
  // sync and scratch fail the launch with a report.
  COHORT_DEVICE static void sync_multi_grid();
  COHORT_DEVICE static uint32_t multi_grid_rank();
  COHORT_DEVICE static uint32_t multi_grid_count();
  // Memory of the launch for collectives: `bytes` (always the same number, a multiple of 64, at most
  // cluster_scratch_bytes) for each block of each grid, 64-byte aligned, zero when the launch begins. The copy of grid
  // `grid`, which all grids can write; all grids may have the same one.
  COHORT_DEVICE static void* multi_grid_scratch(uint32_t grid, size_t bytes);

  // Memory. fence: what was written before is seen before what is written after, by all threads in `scope`.
  COHORT_DEVICE static void fence(thread_scope scope);
  // Starts the caller's share of a copy: threads 0..count-1 copy all `bytes` together. pre: both addresses are
  // multiples of `alignment`, a power of two; the ranges do not overlap; equal arguments, except `rank`.
  COHORT_DEVICE static void copy_share(void* to, const void* from, size_t bytes, size_t alignment, uint32_t rank,
                                       uint32_t count);
  COHORT_DEVICE static void copy_commit();  // ends a stage: the shares that the caller started since the last one
  template <unsigned Stages>
  COHORT_DEVICE static void copy_wait_prior();  // all but the caller's latest `Stages` stages are done

  // Fails the launch (on the host: cudaErrorLaunchFailure); does not return. `message` is one sentence: what was
  // wrong, what to do; a literal without %.
  COHORT_DEVICE static void fail(const char* message);

  // Optional: whole collectives. A machine has has_... true and the functions, or false and no functions, and gets
  // them from the reference. Ranks are counted over the lanes or threads that take part; the order is the one of
  // reference.hpp, bit by bit. pre: T is trivially copyable; op(T&, T&) gives a T, does not wait.
  //   lane_reduce   template <class T, class Op> T reduce_lanes(mask, const T& value, Op& op, what)
  //   lane_scan     template <class T, class Op> T inclusive_scan_lanes(mask, const T& value, Op& op, what)
  //                 template <class T, class Op> T exclusive_scan_lanes(mask, const T& value, const T& first, Op& op,
  //                 what)
  //   lane_ranks    uint32_t lane_of(mask, rank), to_ranks(mask, lanes): as in lane_mask;
  //                 uint32_t wrap_rank(size, int rank): rank modulo size, -1 is the last;
  //                 uint32_t ballot_ranks(mask, rank, predicate, what): a ballot by ranks, `rank` the caller's
  //   tile          what a tile of up to 32 threads calls; Size is a template argument, `existing` the lanes that the
  //                 tile has: uint32_t tile_mask<Size>(existing), the mask for the primitives (it may name lanes that
  //                 do not exist, if the machine takes them for returned); T shuffle_tile<Size>(existing, const T&
  //                 value, rank, what), of the rank taken modulo Size; shuffle_tile_down<Size> and
  //                 shuffle_tile_up<Size>(existing, const T& value, uint32_t delta, what), the value of the rank that
  //                 is delta higher or lower, the own one where there is none; reduce_tile<Size>,
  //                 inclusive_scan_tile<Size> and exclusive_scan_tile<Size> with `existing` for the mask of ..._lanes
  //   team_begin    void begin_teams(size, parent): all threads of the team `parent` (0 the block) call it when that is
  //                 cut into teams of `size`; a machine may wait for them here, to prepare what its barriers need
  //   team_shuffle  template <class T> T shuffle_team(size, const T& value, source, what): of the thread whose rank in
  //                 the team is `source`, which may differ from thread to thread; zero bytes if it does not take part
  //   team_count    uint32_t count_team(size, predicate, what): in how many threads it is true
  //   team_reduce   template <class T, class Op> T reduce_team(size, const T& value, Op& op, what)
  //   team_scan     as lane_scan: inclusive_scan_team, exclusive_scan_team
  static constexpr bool has_lane_reduce = false;
  static constexpr bool has_lane_scan = false;
  static constexpr bool has_lane_ranks = false;
  static constexpr bool has_tile = false;
  static constexpr bool has_team_begin = false;
  static constexpr bool has_team_shuffle = false;
  static constexpr bool has_team_count = false;
  static constexpr bool has_team_reduce = false;
  static constexpr bool has_team_scan = false;
};

inline constexpr size_t cluster_scratch_bytes = 576;

}  // namespace cohort
