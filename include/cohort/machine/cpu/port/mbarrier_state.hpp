// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of an mbarrier: one 64-bit word, which holds all of its state. cuda::barrier, cuda::pipeline, the
// __mbarrier_ functions and the mbarrier instructions of PTX share it.
//
//   bits 0-19    arrivals that the current phase still needs
//   bits 20-39   arrivals that each phase needs
//   bits 40-41   number of the current phase, modulo 4; its lowest bit is the parity
//   bit  42      set from the initialisation to the invalidation
//   bits 43-63   bytes that the current phase still needs, with sign: more may be complete than are expected so far
//
// The bytes are on top, so that additions to them carry into no other field.
#pragma once

#include <stdint.h>

#include <cohort/base/config.hpp>

namespace cohort::cpu {

struct mbarrier_state {
  static constexpr uint64_t most_arrivals = (uint64_t{1} << 20) - 1;
  static constexpr uint64_t most_bytes = (uint64_t{1} << 20) - 1;
  /// One unit of each field. The first two may be subtracted from a word, and the last one added, atomically.
  static constexpr uint64_t arrival = 1, expected_arrival = uint64_t{1} << 20, byte = uint64_t{1} << 43;
  static constexpr unsigned phase_shift = 40;
  static constexpr uint64_t phases = 4, valid = uint64_t{1} << 42;

  uint64_t word;

  /// The state in which `expected` arrivals complete phase number `phase`.
  static COHORT_ANY_SIDE constexpr mbarrier_state of_phase(uint64_t phase, uint64_t expected) {
    return {valid | (phase % phases) << phase_shift | expected * (expected_arrival | arrival)};
  }

  COHORT_ANY_SIDE constexpr bool is_valid() const { return (word & valid) != 0; }
  COHORT_ANY_SIDE constexpr uint64_t pending() const { return word & most_arrivals; }
  COHORT_ANY_SIDE constexpr uint64_t expected() const { return word / expected_arrival & most_arrivals; }
  COHORT_ANY_SIDE constexpr uint64_t phase() const { return (word >> phase_shift) % phases; }
  COHORT_ANY_SIDE constexpr int64_t bytes() const { return static_cast<int64_t>(word) >> 43; }

  COHORT_ANY_SIDE constexpr bool is_complete() const { return pending() == 0 && bytes() == 0; }
  /// The state at the begin of the next phase.
  COHORT_ANY_SIDE constexpr mbarrier_state next_phase() const { return of_phase(phase() + 1, expected()); }
};

}  // namespace cohort::cpu
