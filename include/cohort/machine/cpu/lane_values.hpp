// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a resolve function walks over the lanes that take part, where it finds their values, and where it keeps them
// while it combines them: small values in an array, which the compiler can hold in registers; large ones stay where
// they are.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

// Before a loop over values that are large enough to be combined one by one: gathering parts of several values into one
// vector costs more than it brings.
#if defined(__clang__)
#define COHORT_ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define COHORT_ONE_BY_ONE
#endif

inline constexpr uint32_t all_lanes = 0xffffffffu;

// Calls body(lane) for each lane of `lanes`, in order. A full warp is a loop without a test.
template <class Body>
COHORT_FN void for_each_lane(uint32_t lanes, Body body) {
  if (lanes == all_lanes) {
    for (uint32_t lane = 0; lane < 32; ++lane) body(lane);
  } else {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1u) body(static_cast<uint32_t>(__builtin_ctz(rest)));
  }
}

template <class Body>
COHORT_FN void for_each_lane_downwards(uint32_t lanes, Body body) {
  for (uint32_t rest = lanes; rest != 0;) {
    const uint32_t lane = 31u - static_cast<uint32_t>(__builtin_clz(rest));
    rest &= ~(1u << lane);
    body(lane);
  }
}

template <class Operand>
COHORT_FN Operand& operand_of(void* const* operands, uint32_t lane) {
  return *static_cast<Operand*>(operands[lane]);
}

// What a thread passes to a reduction or a scan. The result replaces the value.
template <class T, class Op>
struct combined {
  T* value;
  Op* op;
  const T* first;  // of an exclusive scan: what rank 0 gets
};

// Small values travel in the block's exchange area, where they lie close together and not on as many stacks.
template <class T>
inline constexpr bool travels_in_exchange = sizeof(T) <= cohort_exchange_bytes;

// The values of the threads that wait, by lane or by rank in the team.
template <class T, class Op, bool InExchange = travels_in_exchange<T>>
struct waiting_values {
  char* pieces;

  // `some` is a thread that takes part.
  COHORT_FN static waiting_values of(void* const* operands, uint32_t some) {
    char* const value = reinterpret_cast<char*>(operand_of<combined<T, Op>>(operands, some).value);
    return waiting_values{value - cohort_exchange_bytes * some};
  }
  COHORT_FN T& operator[](uint32_t place) const {
    return *reinterpret_cast<T*>(pieces + static_cast<size_t>(cohort_exchange_bytes) * place);
  }
  COHORT_FN waiting_values from(uint32_t place) const { return waiting_values{pieces + cohort_exchange_bytes * place}; }
};

template <class T, class Op>
struct waiting_values<T, Op, false> {
  void* const* operands;

  COHORT_FN static waiting_values of(void* const* all, uint32_t /*some*/) { return waiting_values{all}; }
  COHORT_FN T& operator[](uint32_t place) const { return *operand_of<combined<T, Op>>(operands, place).value; }
  COHORT_FN waiting_values from(uint32_t place) const { return waiting_values{operands + place}; }
};

// The caller's value while it waits: in its own piece of the exchange area, or on its own stack.
template <class T, class Op>
class own_value {
 public:
  COHORT_FN own_value(const T& value, Op& op, const T* first) : operand_{place(), &op, first} {
    detail::copy_value(*operand_.value, value);
  }
  own_value(const own_value&) = delete;

  COHORT_FN void* operand() { return &operand_; }
  COHORT_FN T result() const { return *operand_.value; }

 private:
  COHORT_FN T* place() {
    if constexpr (travels_in_exchange<T>) {
      const uint32_t rank =
          (cohort_thread_index(2) * cohort_block_dim(1) + cohort_thread_index(1)) * cohort_block_dim(0) +
          cohort_thread_index(0);
      return reinterpret_cast<T*>(cohort_exchange() + cohort_exchange_bytes * rank);
    } else {
      return &room_.value;
    }
  }

  detail::slot<T> room_;
  combined<T, Op> operand_;
};

// The values of up to 32 lanes or warps while they are combined, by rank.
template <class T, bool Small = (sizeof(T) <= 32)>
struct lane_values {
  detail::slot<T> values[32];

  COHORT_FN void take(uint32_t rank, T& value) { detail::copy_value(values[rank].value, value); }
  COHORT_FN T& operator[](uint32_t rank) { return values[rank].value; }
  // Hands the value of `rank` back to where it was taken from.
  COHORT_FN void give_back(uint32_t rank, T& value) { detail::copy_value(value, values[rank].value); }
};

template <class T>
struct lane_values<T, false> {
  T* values[32];

  COHORT_FN void take(uint32_t rank, T& value) { values[rank] = &value; }
  COHORT_FN T& operator[](uint32_t rank) { return *values[rank]; }
  COHORT_FN void give_back(uint32_t /*rank*/, T& /*value*/) {}
};

// The threads of the team's warp `warp` that take part, as lanes.
COHORT_FN uint32_t lanes_of_warp(uint32_t warp, uint32_t count, void* const* operands) {
  const uint32_t first = 32 * warp;
  const uint32_t end = count - first < 32 ? count - first : 32;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < end; ++lane) lanes |= (operands[first + lane] != nullptr ? 1u : 0u) << lane;
  return lanes;
}

// The first thread of the team that takes part. pre: there is one
COHORT_FN uint32_t first_present(void* const* operands) {
  uint32_t rank = 0;
  while (operands[rank] == nullptr) ++rank;
  return rank;
}

}  // namespace cpu
}  // namespace cohort
