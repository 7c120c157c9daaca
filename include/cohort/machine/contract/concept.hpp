// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between a machine and the layers above it. A machine is a struct of static functions. Every function of
// the library that runs in a kernel is built from the functions below and from nothing else. contract_check.hpp checks
// at compile time that a machine has them with these types; complete_machine.hpp adds the optional ones that it lacks.
//
// Preconditions of every function:
// - the caller is a CUDA thread inside a kernel;
// - a warp has `warp_size` lanes; the lane of a thread is its rank in the block modulo `warp_size` (rank: x fastest,
//   then y, then z);
// - `mask` contains the caller's lane, and only lanes that exist in the caller's warp;
// - every lane of `mask` makes the same call with the same mask. Lanes that have returned from the kernel do not take
//   part, and the others do not wait for them;
// - `op_name` is a string literal, the name of the collective in reports. A machine may ignore it.
// A function with a mask returns when all its lanes have called. Barriers (sync_...) also order memory: writes before
// the barrier are visible to the other participants after it. Exchanges (shuffle, ballot, match) do not order memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/scope.hpp"
#include "../../base/types.hpp"

namespace cohort {

// The barriers that can be split into an arrive and a wait.
enum class barrier_kind : int { tile_64, tile_128, tile_256, tile_512, tile_1024, block, cluster, grid, multi_grid };

// Selects the token of the caller's newest arrival that no wait has used. No arrival returns this value.
inline constexpr uint32_t newest_arrival = 0xffffffffu;

// The size of the team that is the whole block, whatever its number of threads.
inline constexpr uint32_t whole_block = 0;

// The bytes of scratch memory for each block of a cluster or of a multi-grid.
inline constexpr size_t cluster_scratch_bytes = 576;

// Bytes of memory that the threads of a block share if they take turns.
inline constexpr size_t turn_bytes = 384;

// Arrays of the ranks of a multi-grid. The array of each other rank has a slot in a rank's staging buffer. `begin` is
// the offset of the first slot and `stride` the distance of two slots, in bytes. They stand in the order of the ranks,
// without a slot for the buffer's own rank.
struct array_slots {
  size_t begin, stride;

  COHORT_ANY_SIDE static constexpr array_slots none() { return {static_cast<size_t>(-1), 0}; }
  COHORT_ANY_SIDE bool exist() const { return begin != static_cast<size_t>(-1); }

  // The offset of the slot of rank `from` in the buffer of rank `owner`.
  COHORT_ANY_SIDE size_t of(uint32_t from, uint32_t owner) const {
    return begin + stride * (from < owner ? from : from - 1);
  }
};
// The threads that divide an array, and the rank of the caller among them.
struct array_share {
  uint32_t rank, count;
};
// Stands for all ranks but the caller's as the receivers of an array.
inline constexpr uint32_t all_other_ranks = 0xffffffffu;
// The largest element of an array, in bytes: each slot holds at least one.
inline constexpr size_t most_array_element_bytes = 1024;

struct machine_contract {
  // The lanes of a warp: a power of two, and at most 32, the lanes that a mask can name.
  static constexpr uint32_t warp_size = 32;

  // Position. `axis` is 0, 1, 2 for x, y, z. Constant while a thread runs.
  COHORT_DEVICE static uint32_t thread_index(int axis);  // the thread's index in its block
  COHORT_DEVICE static uint32_t block_index(int axis);   // the block's index in its grid
  COHORT_DEVICE static uint32_t block_dim(int axis);     // threads of the block
  COHORT_DEVICE static uint32_t grid_dim(int axis);      // blocks of the grid
  COHORT_DEVICE static uint32_t cluster_dim(int axis);   // blocks of the cluster; 1 in a launch without clusters
  COHORT_DEVICE static uint32_t lane();                  // below warp_size

  // Barrier of the lanes of `mask`.
  COHORT_DEVICE static void sync_lanes(uint32_t mask, const char* op_name);
  // Returns the value of lane `source`. If `source` is not in `mask`, all bytes are zero; on the CPU they are also zero
  // if it has returned. pre: source < warp_size, T is trivially copyable
  template <class T>
  COHORT_DEVICE static T shuffle(uint32_t mask, const T& value, uint32_t source, const char* op_name);
  // Returns the lanes whose `predicate` is true.
  COHORT_DEVICE static uint32_t ballot(uint32_t mask, bool predicate, const char* op_name);
  // Returns the lanes whose word has the caller's bits. pre: Word is uint32_t or uint64_t
  template <class Word>
  COHORT_DEVICE static uint32_t match_any(uint32_t mask, Word word, const char* op_name);
  // Returns the participating lanes if all their words have the same bits, else 0. A lane that has returned does not
  // participate. pre: Word is uint32_t or uint64_t
  template <class Word>
  COHORT_DEVICE static uint32_t match_all(uint32_t mask, Word word, const char* op_name);
  // Returns the lanes that execute together with the caller. On the CPU: those that have reached this call when no
  // other lane of the warp can run. It does not synchronize. Only coalesced_threads() uses it; all other functions get
  // a mask from their caller.
  COHORT_DEVICE static uint32_t active_lanes();

  // Barrier of the block: of all its threads that have not returned.
  COHORT_DEVICE static void sync_block();
  // Barrier of the block that also returns the number of threads whose predicate is true.
  COHORT_DEVICE static uint32_t sync_block_count(bool predicate);

  // A team is the block (size `whole_block`) or the caller's tile of `size` threads with adjacent ranks. A tile has 64,
  // 128, 256, 512 or 1024 threads and ends where the block ends. The first warp of a team has the number 0.
  COHORT_DEVICE static void sync_team(uint32_t size, const char* op_name);
  // Exchanges one value of each warp of the team. Bit w of the result is set if warp w has a publisher, whose value is
  // then in values[w]. Two calls in a row need no barrier between them. pre: at most one thread of a warp is the
  // publisher; `values` has 32 slots. A machine with a shuffle_team() of its own may require a publisher in each warp
  // of the team: then all bits of the team are set. Only the reference shuffle_team() leaves a warp without one.
  template <class T>
  COHORT_DEVICE static uint32_t exchange_warps(uint32_t size, const T& value, bool is_publisher,
                                               detail::slot<T>* values, const char* op_name);

  // Split-phase barriers. arrive() does not wait; it returns a token for the caller's wait() in the same phase.
  COHORT_DEVICE static uint32_t arrive(barrier_kind kind, const char* op_name);
  COHORT_DEVICE static void wait(barrier_kind kind, uint32_t token, const char* op_name);

  // The cluster. pre: `rank` is below the number of its blocks, or the launch fails with a report; `address` lies in
  // the shared memory of a block of the cluster.
  COHORT_DEVICE static void sync_cluster();
  COHORT_DEVICE static void* map_shared(const void* address, uint32_t rank);  // the same variable in block `rank`
  COHORT_DEVICE static uint32_t shared_owner(const void* address);            // rank of the block that owns `address`
  // Returns the memory of block `rank` for collectives: cluster_scratch_bytes, 64-byte aligned. With
  // keeps_cluster_scratch, the memory is zero when the block begins and stays until all blocks have ended. Otherwise
  // its first bytes are undefined, and it is valid between two barriers of the cluster in which the block takes part.
  COHORT_DEVICE static void* cluster_scratch(uint32_t rank);
  static constexpr bool keeps_cluster_scratch = true;

  // True if the threads of a block never run at the same time, but one after another between their waits. The threads
  // of a block then share turn_bytes of memory, 64-byte aligned, which hold zeros or the content that an earlier block
  // left.
  static constexpr bool threads_take_turns = false;
  COHORT_DEVICE static void* turn_memory();
  // True if a machine whose threads take turns combines the values of a block and waits beyond the block in one wait.
  // The function combines them in the order of reduce_team(), has one thread call Publish::call(total), and waits at
  // the barrier of the cluster, the grid or the multi-grid.
  static constexpr bool has_reduce_and_sync = false;
  template <class Publish, class T, class Op>
  COHORT_DEVICE static void reduce_block_and_sync(barrier_kind kind, const T& value, Op& op, const char* op_name);

  // The grid. pre of sync_grid: grid_is_valid(), or the launch fails with a report.
  COHORT_DEVICE static void sync_grid();
  COHORT_DEVICE static bool grid_is_valid();  // the launch is cooperative

  // All grids of a multi-device launch. Rank and count are those of the grid; both are 0 in any other launch, where
  // sync_multi_grid and multi_grid_scratch fail the launch with a report.
  COHORT_DEVICE static void sync_multi_grid();
  COHORT_DEVICE static uint32_t multi_grid_rank();
  COHORT_DEVICE static uint32_t multi_grid_count();
  // Returns the copy of the launch's scratch memory that belongs to grid `grid`: `bytes` for each block of each grid,
  // 64-byte aligned, zero when the launch begins. Every grid can write to every copy. A machine may use one copy for
  // all grids. pre: `bytes` is the same in all calls, a multiple of 64, and at most cluster_scratch_bytes
  COHORT_DEVICE static void* multi_grid_scratch(uint32_t grid, size_t bytes);
  // True if grids have no pointers into each other's memory. The function copies `count` bytes to `offset` in each
  // copy. They can be read after the next sync_multi_grid(). `bytes` is the argument of multi_grid_scratch.
  static constexpr bool has_multi_grid_put = false;
  COHORT_DEVICE static void multi_grid_put(size_t bytes, size_t offset, const void* from, size_t count);
  // True if blocks of a multi-grid exchange small values without its barrier. All threads of all blocks call these
  // functions if not stated otherwise. Orders: the exchange orders memory as the barrier does.
  // pre: sizeof(T) <= multi_grid_message_bytes, a constant of the machine, and T is equal in all calls of a kind in an
  // exchange
  static constexpr bool has_multi_grid_messages = false;
  // Returns the number of the exchange, equal in all threads. The caller then synchronises the block.
  COHORT_DEVICE static uint32_t begin_exchange();
  // Posts the value of thread `from` as that of its block. Returns the thread's token for end_exchange().
  template <bool Orders, class T>
  COHORT_DEVICE static uint32_t post_to_grid(uint32_t number, const T& value, uint32_t from);
  // Called by any thread: waits for the value of a block of its own grid. False if the launch was ended.
  template <class T>
  COHORT_DEVICE static bool read_block(uint32_t number, uint32_t block, T& value);
  // Called by one thread of a grid for each grid, after all blocks of its own grid have posted: posts the grid's value.
  template <class T>
  COHORT_DEVICE static void post_to_all(uint32_t number, uint32_t grid, const T& value);
  // Called by one thread of a grid: posts a value for the next grid, if there is one.
  template <class T>
  COHORT_DEVICE static void post_to_next(uint32_t number, const T& value);
  // Called by any thread except those of the first grid: waits for the value that the previous grid posted. False if
  // the launch was ended.
  template <class T>
  COHORT_DEVICE static bool read_previous(uint32_t number, T& value);
  // Waits for the values of all grids, which stay until the next exchange has synchronised the block. Ends the block if
  // `completed` is false in a thread.
  template <bool Orders, class T>
  COHORT_DEVICE static const detail::slot<T>* end_exchange(uint32_t number, uint32_t token, bool completed);

  // Arrays of the ranks. Each block has a part of the staging buffers and counts steps. The blocks of equal rank in the
  // other grids can read what it puts in a step `array_lag` steps later, and overwrite it 2 * array_lag steps later.
  // Returns the number of the block's step, which is equal in all ranks.
  static constexpr size_t array_staging_bytes = 0;
  static constexpr uint32_t array_lag = 1;
  // The longest array, in bytes, that more than two ranks combine in one shot.
  static constexpr size_t one_shot_bytes = 0;
  COHORT_DEVICE static uint32_t begin_array_steps();
  // Ends step `step` and waits. Returns the number of the next one. Called by all threads of all blocks.
  COHORT_DEVICE static uint32_t end_array_step(uint32_t step);
  // The most elements that `bytes` bytes of a slot hold.
  template <class T>
  COHORT_DEVICE static size_t array_elements(size_t bytes);
  // With has_array_messages an array of up to longest_sent_array bytes travels as messages, without steps: Sent is
  // true. `count` elements take array_message_slot() bytes. All threads of all blocks reserve the bytes of each rank's
  // slots, at most array_message_bytes(), and end the exchange. Functions with Sent return false if the launch was
  // ended; end_array_messages() then ends the block.
  static constexpr bool has_array_messages = false;
  static constexpr size_t longest_sent_array = 0;
  COHORT_DEVICE static size_t array_message_bytes();
  template <class T>
  COHORT_DEVICE static size_t array_message_slot(size_t count);
  COHORT_DEVICE static array_slots reserve_array_messages(size_t bytes);
  COHORT_DEVICE static void end_array_messages(bool completed);
  // Stores finish(first + i, from[i]) for `count` elements.
  template <class T, class Finish>
  COHORT_DEVICE static void copy_array(const T* from, T* to, size_t count, size_t first, Finish& finish,
                                       array_share share);
  // Copies `count` elements into the caller's slot in the buffer of rank `to`.
  template <bool Sent, class T>
  COHORT_DEVICE static void put_array(uint32_t to, array_slots slots, const T* from, size_t count, array_share share);
  // Copies the elements that rank `from` has put; stores finish(first + i, element i).
  template <bool Sent, class T, class Finish>
  COHORT_DEVICE static bool get_array(uint32_t from, array_slots slots, T* to, size_t count, size_t first,
                                      Finish& finish, array_share share);
  // Combines the elements that all ranks have put with the caller's `own` in the written order. Stores
  // finish(first + i, result i), and copies the results into the caller's slots `forward` of all other ranks, unless
  // these are none().
  template <bool Sent, class T, class Op, class Finish>
  COHORT_DEVICE static bool combine_arrays(array_slots slots, array_slots forward, const T* own, T* to, size_t count,
                                           size_t first, Op& op, Finish& finish, array_share share);

  // The symmetric memory of a world. Returns the location of `address` in the memory of rank `rank`; null if no pointer
  // reaches it.
  COHORT_DEVICE static void* world_address(const void* address, uint32_t rank);
  // Copies to rank `rank`. The bytes can be read after the next sync_multi_grid().
  COHORT_DEVICE static void world_put(void* to, const void* from, size_t bytes, uint32_t rank);

  // Orders the caller's writes before the fence before its writes after it, as all threads in `scope` observe them.
  COHORT_DEVICE static void fence(thread_scope scope);
  // Starts the caller's share of a copy; threads 0 .. count - 1 copy all `bytes` together. pre: both addresses are
  // multiples of `alignment`, a power of two; the ranges do not overlap; all arguments but `rank` are equal
  COHORT_DEVICE static void copy_share(void* to, const void* from, size_t bytes, size_t alignment, uint32_t rank,
                                       uint32_t count);
  // Ends a stage: the shares that the caller has started since the last stage.
  COHORT_DEVICE static void copy_commit();
  // Waits for all stages of the caller except the latest `Stages`.
  template <unsigned Stages>
  COHORT_DEVICE static void copy_wait_prior();

  // Fails the launch (on the host: cudaErrorLaunchFailure); does not return. `message` is one sentence with the error
  // and its remedy, a literal without %.
  COHORT_DEVICE static void fail(const char* message);

  // Optional operations. A machine sets has_... to true and has the functions below it, or sets it to false; then
  // complete_machine.hpp takes the reference implementation. Ranks count the lanes or threads that take part. The order
  // of reductions and scans is the one of reference.hpp, and their results have its bits.
  // pre: T is trivially copyable; op(T&, T&) returns a T and does not wait

  // Collectives of the lanes of `mask`. Rank 0 of an exclusive scan gets `first`.
  static constexpr bool has_lane_reduce = false;
  template <class T, class Op>
  COHORT_DEVICE static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* op_name);
  static constexpr bool has_lane_scan = false;
  template <class T, class Op>
  COHORT_DEVICE static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* op_name);
  template <class T, class Op>
  COHORT_DEVICE static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op,
                                              const char* op_name);

  // Arithmetic between ranks and lanes. lane_of and to_ranks return what the members of lane_mask with these names
  // return.
  static constexpr bool has_lane_ranks = false;
  COHORT_DEVICE static uint32_t lane_of(uint32_t mask, uint32_t rank);
  COHORT_DEVICE static uint32_t to_ranks(uint32_t mask, uint32_t lanes);
  COHORT_DEVICE static uint32_t rank_in(uint32_t mask);  // the caller's rank
  // Returns the lane of `rank` modulo `size`, the number of lanes of `mask`; -1 is the last rank.
  COHORT_DEVICE static uint32_t lane_at(uint32_t mask, uint32_t size, int rank);
  // Returns the value of `lane`. pre: it is a lane of `mask`
  template <class T>
  COHORT_DEVICE static T shuffle_member(uint32_t mask, const T& value, uint32_t lane, const char* op_name);
  // A ballot whose bits are ranks. pre: `rank` is the caller's
  COHORT_DEVICE static uint32_t ballot_ranks(uint32_t mask, uint32_t rank, bool predicate, const char* op_name);

  // Collectives of a tile of Size threads, at most 32. `participating` is the mask of the lanes that the tile has.
  static constexpr bool has_tile = false;
  // Returns the tile's mask for the functions above. It may contain lanes that do not exist, if the machine treats them
  // as returned.
  template <uint32_t Size>
  COHORT_DEVICE static uint32_t tile_mask(uint32_t participating);
  // Returns the value of `rank` modulo Size.
  template <uint32_t Size, class T>
  COHORT_DEVICE static T shuffle_tile(uint32_t participating, const T& value, uint32_t rank, const char* op_name);
  // Return the value of the rank that is `delta` higher or lower, or the caller's value if there is none.
  template <uint32_t Size, class T>
  COHORT_DEVICE static T shuffle_tile_down(uint32_t participating, const T& value, uint32_t delta, const char* op_name);
  template <uint32_t Size, class T>
  COHORT_DEVICE static T shuffle_tile_up(uint32_t participating, const T& value, uint32_t delta, const char* op_name);
  // Returns the value of the rank that differs from the caller's in the bits of `ranks`, or the caller's value if there
  // is none.
  template <uint32_t Size, class T>
  COHORT_DEVICE static T shuffle_tile_xor(uint32_t participating, const T& value, uint32_t ranks, const char* op_name);
  template <uint32_t Size, class T, class Op>
  COHORT_DEVICE static T reduce_tile(uint32_t participating, const T& value, Op& op, const char* op_name);
  template <uint32_t Size, class T, class Op>
  COHORT_DEVICE static T inclusive_scan_tile(uint32_t participating, const T& value, Op& op, const char* op_name);
  template <uint32_t Size, class T, class Op>
  COHORT_DEVICE static T exclusive_scan_tile(uint32_t participating, const T& value, const T& first, Op& op,
                                             const char* op_name);

  // Prepares teams of `size`. All threads of the team `parent` call it when tiles of `size` are made of that team; it
  // may wait for them.
  static constexpr bool has_team_begin = false;
  COHORT_DEVICE static void begin_teams(uint32_t size, uint32_t parent);

  // Returns the value of the thread with rank `source` in the team; each caller chooses its own. All bytes are zero if
  // that thread does not take part.
  static constexpr bool has_team_shuffle = false;
  template <class T>
  COHORT_DEVICE static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* op_name);
  // Returns the number of threads whose predicate is true.
  static constexpr bool has_team_count = false;
  COHORT_DEVICE static uint32_t count_team(uint32_t size, bool predicate, const char* op_name);
  static constexpr bool has_team_reduce = false;
  template <class T, class Op>
  COHORT_DEVICE static T reduce_team(uint32_t size, const T& value, Op& op, const char* op_name);
  static constexpr bool has_team_scan = false;
  template <class T, class Op>
  COHORT_DEVICE static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name);
  template <class T, class Op>
  COHORT_DEVICE static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op,
                                             const char* op_name);
};

}  // namespace cohort
