// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of one call of a collective, as a thread posts it for the other threads of its block: a word of 64 bits,
// so a reader gets all of it by one load.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"

namespace cohort {
namespace ptx {

// The checked calls: their names in reports, and whether a call is a barrier without a value.
#define COHORT_CALL_NAMES(ROW)      \
  ROW(sync, true)                   \
  ROW(barrier_arrive, true)         \
  ROW(barrier_wait, true)           \
  ROW(wait, true)                   \
  ROW(wait_prior, true)             \
  ROW(shfl, false)                  \
  ROW(shfl_down, false)             \
  ROW(shfl_up, false)               \
  ROW(shfl_xor, false)              \
  ROW(any, false)                   \
  ROW(all, false)                   \
  ROW(ballot, false)                \
  ROW(match_any, false)             \
  ROW(match_all, false)             \
  ROW(count, false)                 \
  ROW(reduce, false)                \
  ROW(inclusive_scan, false)        \
  ROW(exclusive_scan, false)        \
  ROW(broadcast, false)             \
  ROW(invoke_one_broadcast, false)  \
  ROW(reduce_update_async, false)   \
  ROW(reduce_store_async, false)    \
  ROW(inclusive_scan_update, false) \
  ROW(exclusive_scan_update, false) \
  ROW(tiled_partition, false)       \
  ROW(labeled_partition, false)     \
  ROW(binary_partition, false)      \
  ROW(all_reduce, false)            \
  ROW(all_reduce_unordered, false)  \
  ROW(reduce_scatter, false)        \
  ROW(all_gather, false)            \
  ROW(broadcast_of_an_array, false)

enum class checked_call : uint32_t {
  none,
#define COHORT_ROW(name, is_barrier) name,
  COHORT_CALL_NAMES(COHORT_ROW)
#undef COHORT_ROW
};

/// The name of a call in reports.
COHORT_ANY_SIDE constexpr const char* call_name(checked_call call) {
  switch (call) {
#define COHORT_ROW(name, is_barrier) \
  case checked_call::name:           \
    return #name;
    COHORT_CALL_NAMES(COHORT_ROW)
#undef COHORT_ROW
    default:
      return "no collective";
  }
}

/// True if the call synchronises and exchanges no values.
COHORT_ANY_SIDE constexpr bool is_barrier_call(checked_call call) {
  switch (call) {
#define COHORT_ROW(name, is_barrier) \
  case checked_call::name:           \
    return is_barrier;
    COHORT_CALL_NAMES(COHORT_ROW)
#undef COHORT_ROW
    default:
      return false;
  }
}

/// The source line of a call. No value of another type converts to it, so overloads stay distinct.
struct call_line {
  const char* file;
  uint32_t line;

  COHORT_ANY_SIDE constexpr explicit call_line(const char* in_file, uint32_t number) : file(in_file), line(number) {}
};

// The kinds of groups. The value is a part of the record.
enum class call_scope : uint32_t { lanes, team, block, cluster, grid, multi_grid };

/// A kind of group as reports name it.
COHORT_ANY_SIDE constexpr const char* scope_name(call_scope scope) {
  constexpr const char* names[] = {"a group in a warp", "a tile above 32 threads", "the block", "the cluster",
                                   "the grid",          "the multi-grid or world"};
  return names[static_cast<uint32_t>(scope)];
}

/// The group of a call: its kind, and its lanes or the size of its tiles.
struct call_group {
  call_scope scope;
  uint32_t members;  ///< lanes: a mask; team: the threads of a full tile; otherwise 0
};

/// One call of one thread.
class call_record {
 public:
  static constexpr uint32_t most_counted = 64;

  call_record() = default;
  COHORT_ANY_SIDE constexpr explicit call_record(uint64_t word) : word_(word) {}
  /// The call of a thread that waits. A line above 65535 is recorded as 65535.
  COHORT_ANY_SIDE constexpr call_record(checked_call call, call_group group, uint32_t line)
      : word_(static_cast<uint64_t>(waiting_bit | static_cast<uint32_t>(group.scope) << 12 |
                                    static_cast<uint32_t>(call) << 6 | (line < 0xffffu ? line : 0xffffu) << 16)
                  << 32 |
              group.members) {}

  COHORT_ANY_SIDE constexpr uint64_t word() const { return word_; }
  COHORT_ANY_SIDE constexpr checked_call call() const { return static_cast<checked_call>(high() >> 6 & 63u); }
  COHORT_ANY_SIDE constexpr call_scope scope() const { return static_cast<call_scope>(high() >> 12 & 7u); }
  COHORT_ANY_SIDE constexpr uint32_t line() const { return high() >> 16; }
  COHORT_ANY_SIDE constexpr uint32_t members() const { return static_cast<uint32_t>(word_); }
  COHORT_ANY_SIDE constexpr bool is_waiting() const { return (high() & waiting_bit) != 0; }
  /// Number of calls of this thread, modulo most_counted, that count().
  COHORT_ANY_SIDE constexpr uint32_t count() const { return high() & (most_counted - 1u); }

  /// The record after the call has returned.
  COHORT_ANY_SIDE constexpr call_record ended() const {
    return call_record(word_ & ~(static_cast<uint64_t>(waiting_bit) << 32));
  }
  /// The record with another count, and with `members` as the low word.
  COHORT_ANY_SIDE constexpr call_record counted(uint32_t count, uint32_t members) const {
    const uint32_t counted_high = (high() & ~(most_counted - 1u)) | (count & (most_counted - 1u));
    return call_record(static_cast<uint64_t>(counted_high) << 32 | members);
  }

 private:
  static constexpr uint32_t waiting_bit = 1u << 15;
  COHORT_ANY_SIDE constexpr uint32_t high() const { return static_cast<uint32_t>(word_ >> 32); }

  uint64_t word_ = 0;  // fields from the top bit on: line 16 bits, waiting 1, scope 3, call 6, count 6, members 32
};

}  // namespace ptx
}  // namespace cohort
