// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes and matches of groups inside one warp: the base of tiles of up to 32 threads and of coalesced groups, which
// convert ranks to lanes and add the shuffles. Every function is a collective: all threads of the group that have not
// returned call it, and all get the result.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "thread_group.hpp"

namespace cohort {
namespace detail {

// A value for match_any and match_all, which compare bits: its bytes in a word of 4 or 8 bytes, the others 0.
template <class T>
struct match_word {
  static_assert(is_integral_v<T> || is_floating_v<T>,
                "match_any and match_all compare integers and floating-point numbers of up to 8 bytes only");
  using type = typename conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
  COHORT_FN static type of(T value) {
    type word = 0;
    COHORT_COPY_BYTES(&word, &value, sizeof(T));
    return word;
  }
};

// A copy of the caller's value, for a shuffle.
template <class T>
COHORT_FN remove_cvref_t<T> shuffle_operand(T&& value) {
  static_assert(is_trivially_copyable_v<remove_cvref_t<T>>,
                "a shuffle copies the bytes of a value to another thread: its type must be trivially copyable");
  return value;
}

// Self provides `is_single` (the group is one thread, known at compile time), mask() (the lanes, as the machine's
// operations take them), to_ranks(lanes) and ballot_ranks(predicate, op_name).
template <class Self>
class lane_group : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_block;

  /// 1 if the predicate is not zero in at least one thread, else 0.
  COHORT_FN int any(int predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(any, lanes, lanes_);
    return vote(predicate != 0, "any") != 0 ? 1 : 0;
  }
  /// 1 if the predicate is not zero in all existing threads, else 0.
  COHORT_FN int all(int predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(all, lanes, lanes_);
    return vote(predicate == 0, "all") == 0 ? 1 : 0;
  }
  /// Bit r is set if the predicate of rank r is not zero.
  COHORT_FN unsigned int ballot(int predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(ballot, lanes, lanes_);
    if constexpr (Self::is_single) return predicate != 0 ? 1 : 0;
    return self().ballot_ranks(predicate != 0, "ballot");
  }

  /// Bit r is set if rank r has the caller's value, bit by bit.
  template <class T>
  COHORT_FN unsigned int match_any(T value COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(match_any, lanes, lanes_);
    const auto word = match_word<T>::of(value);
    if constexpr (Self::is_single) return 1;
    return self().to_ranks(this_machine::match_any(self().mask(), word, "match_any"));
  }

  /// Whether all threads have equal values, bit by bit.
  /// @param[out] predicate 1 if all values are equal, else 0.
  /// @return The ranks of the participating threads if all values are equal, else 0.
  template <class T>
  COHORT_FN unsigned int match_all(T value, int& predicate COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(match_all, lanes, lanes_);
    const auto word = match_word<T>::of(value);
    if constexpr (Self::is_single) {
      predicate = 1;
      return 1;
    } else {
      const uint32_t same = this_machine::match_all(self().mask(), word, "match_all");
      predicate = same != 0 ? 1 : 0;
      return self().to_ranks(same);
    }
  }

 protected:
  COHORT_FN lane_group(lane_mask lanes, uint32_t size, uint32_t meta_rank, uint32_t meta_size)
      : thread_group(lanes, size, meta_rank, meta_size) {}

 private:
  COHORT_FN const Self& self() const { return static_cast<const Self&>(*this); }

  COHORT_FN uint32_t vote(bool predicate, const char* op_name) const {
    if constexpr (Self::is_single) return predicate ? 1 : 0;
    return this_machine::ballot(self().mask(), predicate, op_name);
  }
};

}  // namespace detail
}  // namespace cohort
