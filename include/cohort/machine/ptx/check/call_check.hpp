// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// call_check: checks one call of a collective while it is in scope (COHORT_GPU_CHECK).
//
// The threads of a block compare their calls, then the blocks do; the collective itself follows. A call inside a
// checked call belongs to it and is not checked.
#pragma once

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "block_table.hpp"
#include "call_record.hpp"
#include "thread_calls.hpp"

namespace cohort {
namespace ptx {

/// Checks a call from its construction to its destruction.
/// @tparam Set compares the calls of blocks: applies(call), begin(call, file), end(call)
template <class Set>
class call_check {
 public:
  /// Begins the check of a call.
  /// @param at the line of the call
  COHORT_FN call_check(checked_call call, call_group group, const call_line& at)
      : has_begun_(begin(call_record(call, group, at.line), at.file)) {}
  call_check(const call_check&) = delete;
  call_check& operator=(const call_check&) = delete;
  /// Ends the check of the call.
  COHORT_FN ~call_check() {
    if (has_begun_) end();
  }

 private:
  /// Begins the check of a call. Returns false if the call needs no end: the thread is in a checked call, or only
  /// arrives.
  COHORT_DEVICE static __attribute__((noinline)) bool begin(const call_record& mine, const char* file) {
    if (thread_calls::is_in_call()) return false;
    const bool only_arrives = mine.scope() == call_scope::cluster && mine.call() == checked_call::barrier_arrive;
    if (!only_arrives) thread_calls::begin(mine, file);
    if (identity::block_thread_rank() == 0 && Set::applies(mine)) {
      block_table::file() = file;
      Set::begin(mine, file);
    }
    return !only_arrives;
  }

  COHORT_DEVICE static __attribute__((noinline)) void end() {
    const uint32_t thread = identity::block_thread_rank();
    const call_record mine = block_table::load(thread);
    if (thread == 0 && Set::applies(mine)) Set::end(mine);
    thread_calls::end();
  }

  const bool has_begun_;
};

/// Does not compare the calls of blocks: for machines whose barriers above the block report misuse themselves.
struct no_block_calls {
  COHORT_FN static bool applies(const call_record&) { return false; }
  COHORT_FN static void begin(const call_record&, const char*) {}
  COHORT_FN static void end(const call_record&) {}
};

}  // namespace ptx
}  // namespace cohort
