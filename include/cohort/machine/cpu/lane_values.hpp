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

// Where a thread's value lies while the thread waits. Small values travel in the block's exchange area and not on as
// many stacks. Each size of 4, 8, 16 and 32 bytes has an area of its own there, in the order of ranks in the block, and
// smaller values lie in the next larger places: so the place of a thread is no other thread's place for any group and
// any size, and who runs ahead does not touch what another has not picked up. `packed`: nothing is between neighbours.
enum class placement { packed, padded, on_stack };

template <class T>
inline constexpr size_t slot_bytes = sizeof(T) <= 4    ? 4
                                     : sizeof(T) <= 8  ? 8
                                     : sizeof(T) <= 16 ? 16
                                                       : 32;
template <class T>
inline constexpr placement partial_placement = sizeof(T) <= 32 ? placement::padded : placement::on_stack;
template <class T>
inline constexpr placement full_placement = sizeof(T) == slot_bytes<T> ? placement::packed : partial_placement<T>;

// Where the area of such places begins, in bytes for each thread of the block.
template <class T>
inline constexpr size_t area_begin = slot_bytes<T> == 32   ? 0
                                     : slot_bytes<T> == 16 ? 32
                                     : slot_bytes<T> == 8  ? 48
                                                           : 56;
static_assert(56 + 4 <= cohort_exchange_bytes, "the areas fit");

// An operator without members has no state that could differ: the address of the value is all that is passed.
template <class Op, bool Exclusive>
inline constexpr bool passes_value_alone = __is_empty(Op) && !Exclusive;

// The values of the threads that wait, by lane or by rank in the team.
template <class T, class Op, placement Where, bool Exclusive>
struct waiting_values {
  static constexpr size_t stride = slot_bytes<T>;
  void* const* operands;
  char* values;

  // `some` is a thread that takes part.
  COHORT_FN waiting_values(void* const* all, uint32_t some) : operands(all), values(nullptr) {
    if constexpr (Where != placement::on_stack) values = reinterpret_cast<char*>(value_of(some)) - stride * some;
  }
  COHORT_FN T& operator[](uint32_t index) const {
    if constexpr (Where == placement::on_stack) {
      return *value_of(index);
    } else {
      return *reinterpret_cast<T*>(values + stride * index);
    }
  }
  COHORT_FN waiting_values from(uint32_t index) const {
    waiting_values moved = *this;
    moved.operands += index;
    if constexpr (Where != placement::on_stack) moved.values += stride * index;
    return moved;
  }
  COHORT_FN Op& op(uint32_t some) const {
    if constexpr (passes_value_alone<Op, Exclusive>) {
      return *static_cast<Op*>(operands[some]);
    } else {
      return *operand_of<combined<T, Op>>(operands, some).op;
    }
  }
  COHORT_FN const T& first(uint32_t lowest) const { return *operand_of<combined<T, Op>>(operands, lowest).first; }

 private:
  COHORT_FN T* value_of(uint32_t index) const {
    if constexpr (passes_value_alone<Op, Exclusive>) {
      return static_cast<T*>(operands[index]);
    } else {
      return operand_of<combined<T, Op>>(operands, index).value;
    }
  }
};

// The caller's value while it waits.
template <class T, class Op, placement Where, bool Exclusive>
class own_value {
 public:
  COHORT_FN own_value(const T& value, Op& op, const T* first) : operand_{storage(), &op, first} {
    detail::copy_value(*operand_.value, value);
  }
  own_value(const own_value&) = delete;

  COHORT_FN void* operand() {
    if constexpr (passes_value_alone<Op, Exclusive>) {
      return operand_.value;
    } else {
      return &operand_;
    }
  }
  COHORT_FN T result() const { return *operand_.value; }

 private:
  COHORT_FN T* storage() {
    if constexpr (Where == placement::on_stack) {
      return &room_.value;
    } else {
      const size_t threads = cohort_block_dim(0) * cohort_block_dim(1) * cohort_block_dim(2);
      return reinterpret_cast<T*>(cohort_exchange() + area_begin<T> * threads + slot_bytes<T> * cohort_thread_rank());
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
  // The values as base/tree.hpp takes them.
  COHORT_FN T* by_rank() { return &values[0].value; }
  // Hands the value of `rank` back to where it was taken from.
  COHORT_FN void give_back(uint32_t rank, T& value) { detail::copy_value(value, values[rank].value); }
};

template <class T>
struct lane_values<T, false> {
  T* values[32];

  COHORT_FN void take(uint32_t rank, T& value) { values[rank] = &value; }
  COHORT_FN T& operator[](uint32_t rank) { return *values[rank]; }

  struct indirect {
    T** values;
    COHORT_FN T& operator[](uint32_t rank) const { return *values[rank]; }
    COHORT_FN indirect operator+(uint32_t count) const { return {values + count}; }
  };
  COHORT_FN indirect by_rank() { return {values}; }
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

// None of the team's threads has returned.
COHORT_FN bool all_present(uint32_t count, void* const* operands) {
  bool all = true;
  for (uint32_t rank = 0; rank < count; ++rank) all &= operands[rank] != nullptr;
  return all;
}

// The first thread of the team that takes part. pre: there is one
COHORT_FN uint32_t first_present(void* const* operands) {
  uint32_t rank = 0;
  while (operands[rank] == nullptr) ++rank;
  return rank;
}

}  // namespace cpu
}  // namespace cohort
