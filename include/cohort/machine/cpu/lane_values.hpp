// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access of a resolve function to the values of the threads that wait: iteration over lanes, and storage while values
// are combined. Small values are copied into an array, which the compiler can keep in registers; large ones stay in
// place.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

inline constexpr uint32_t all_lanes = 0xffffffffu;

// Calls body(lane) for each lane of `lanes`, in ascending order. The loop over a full warp has no branch for absent
// lanes.
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

// The operand of a reduction or a scan. The result replaces the value.
template <class T, class Op>
struct combined {
  T* value;
  Op* op;
  const T* first;  // the result of rank 0 in an exclusive scan
};

// The storage of a thread's value during a rendezvous. Values of up to 32 bytes are in the block's exchange area, where
// a resolve function reads them faster than from many stacks. The area has a part for each slot size of 4, 8, 16 and 32
// bytes, with one slot for each thread in the order of ranks. A thread owns its slots for every group and every size of
// the value: a thread that runs ahead does not overwrite a value that another has not read yet.
//   packed    the value fills its slot: values of neighbours are adjacent
//   padded    the value is smaller than its slot, or not all threads take part
//   on_stack  the value stays on the thread's stack
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

// Offset of the slots for T in the exchange area, per thread of the block: n threads have them from n * area_begin on.
template <class T>
inline constexpr size_t area_begin = slot_bytes<T> == 32   ? 0
                                     : slot_bytes<T> == 16 ? 32
                                     : slot_bytes<T> == 8  ? 48
                                                           : 56;
static_assert(56 + 4 <= cohort_exchange_bytes, "the exchange area has room for all parts");

// True if the operand is only the address of the value: the operator has no state.
template <class Op, bool Exclusive>
inline constexpr bool passes_value_alone = __is_empty(Op) && !Exclusive;

// The values of the threads that wait, indexed by lane or by rank in the team.
template <class T, class Op, placement Where, bool Exclusive>
struct waiting_values {
  static constexpr size_t stride = slot_bytes<T>;
  void* const* operands;
  char* values;

  // The values of `all`. pre: the thread with index `some` takes part
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

// The caller's value and operand during a rendezvous.
template <class T, class Op, placement Where, bool Exclusive>
class own_value {
 public:
  COHORT_FN own_value(const T& value, Op& op, const T* first) : operand_{storage(), &op, first} {
    // g++ moves a value of more than 16 bytes over the stack for memcpy, and keeps it in registers for an assignment.
    if constexpr (sizeof(T) > 16 && __is_trivially_assignable(T&, const T&)) {
      *operand_.value = value;
    } else {
      detail::copy_value(*operand_.value, value);
    }
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

// The values of up to 32 lanes or warps while they are combined, indexed by rank.
template <class T, bool Small = (sizeof(T) <= 32)>
struct lane_values {
  detail::slot<T> values[32];

  COHORT_FN void take(uint32_t rank, T& value) { detail::copy_value(values[rank].value, value); }
  COHORT_FN T& operator[](uint32_t rank) { return values[rank].value; }
  // The values in rank order, as a pointer for base/tree.hpp.
  COHORT_FN T* by_rank() { return &values[0].value; }
  // Stores the value of `rank` where take() read it.
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

// Returns the lanes of the team's warp `warp` that take part.
COHORT_FN uint32_t lanes_of_warp(uint32_t warp, uint32_t count, void* const* operands) {
  const uint32_t first = 32 * warp;
  const uint32_t end = count - first < 32 ? count - first : 32;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < end; ++lane) lanes |= (operands[first + lane] != nullptr ? 1u : 0u) << lane;
  return lanes;
}

// Returns whether no thread of the team has returned.
COHORT_FN bool all_present(uint32_t count, void* const* operands) {
  // Only a null pointer has its highest bit set after a decrement, so no compares are needed.
  uintptr_t decremented = 0;
  for (uint32_t rank = 0; rank < count; ++rank) decremented |= reinterpret_cast<uintptr_t>(operands[rank]) - 1;
  return decremented >> (8 * sizeof decremented - 1) == 0;
}

// Returns the lowest rank that takes part. pre: at least one thread takes part
COHORT_FN uint32_t first_present(void* const* operands) {
  uint32_t rank = 0;
  while (operands[rank] == nullptr) ++rank;
  return rank;
}

}  // namespace cpu
}  // namespace cohort
