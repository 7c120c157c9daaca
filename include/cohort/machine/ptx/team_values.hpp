// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value of each warp of a team, as the collectives between warps see them: lane i has that of warp i.
//
// Every warp combines the values by itself, where all warps of the block have 32 lanes. In a block whose last warp is
// smaller, the first warp of the team does it for all, through shared memory.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "identity.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

// pre: sizeof(T) <= 16, so that each warp's share of the team's words holds the values of four warps and more
template <class T>
class team_values {
 public:
  // A barrier before the values are read, and one behind.
  COHORT_FN team_values(uint32_t size, const T& value, bool speaks, const char* what) : size_(size), what_(what) {
    if (speaks) detail::copy_value(cells()[own()].value, value);
    team_barrier::sync_team(size, what);
    const uint32_t lane = identity::lane();
    detail::copy_value(mine_.value, cells()[lane < count() ? lane : 0].value);
    if (!whole()) detail::copy_value(previous_.value, cells()[own() == 0 ? 0 : own() - 1].value);
    team_barrier::sync_team(size, what);
  }

  COHORT_FN uint32_t count() const { return (team_barrier::threads_of(size_) + 31u) / 32u; }
  COHORT_FN uint32_t own() const { return (team_barrier::block_rank() - team_barrier::first_of(size_)) / 32u; }
  COHORT_FN const T& mine() const { return mine_.value; }
  // The value of the warp before the caller's. pre: there is one
  COHORT_FN T previous() const {
    return whole() ? shuffles::value_of(0xffffffffu, mine_.value, own() - 1u) : previous_.value;
  }

  // The caller's warp combines the values.
  COHORT_FN bool combines() const { return whole() || own() == 0; }
  // What the lane `lane` of a warp that combines has as `result`.
  COHORT_FN T result_of(const T& result, uint32_t lane) const {
    if (whole()) return shuffles::value_of(0xffffffffu, result, lane);
    if (own() == 0 && identity::lane() < count()) detail::copy_value(cells()[identity::lane()].value, result);
    team_barrier::sync_team(size_, what_);
    detail::slot<T> received;
    detail::copy_value(received.value, cells()[lane].value);
    team_barrier::sync_team(size_, what_);
    return received.value;
  }

 private:
  // The same for all threads of the block.
  COHORT_FN static bool whole() { return team_barrier::block_size() % 32 == 0; }
  COHORT_FN detail::slot<T>* cells() const {
    return reinterpret_cast<detail::slot<T>*>(team::thread_words() + team_barrier::first_of(size_));
  }

  const uint32_t size_;
  const char* const what_;
  detail::slot<T> mine_, previous_;
};

}  // namespace ptx
}  // namespace cohort
