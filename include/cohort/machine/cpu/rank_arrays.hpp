// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of the ranks of a multi-grid. A step is a phase of the barrier of all grids. Each thread moves adjacent
// elements, which become long copies and vector instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "../contract/concept.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct rank_arrays {
  static constexpr size_t array_staging_bytes = cohort_array_staging_bytes;
  static constexpr uint32_t array_lag = 1;
  static constexpr size_t one_shot_bytes = 4096;
  static constexpr bool has_array_messages = false;

  COHORT_FN static uint32_t begin_array_steps() { return cohort_multi_grid_phase(); }
  COHORT_FN static uint32_t end_array_step(uint32_t step) {
    cohort_wait_multi_grid();
    return step + 1;
  }
  template <class T>
  COHORT_FN static size_t array_elements(size_t bytes) {
    return bytes / sizeof(T);
  }

  template <class T, class Finish>
  COHORT_DEVICE static void copy_array(const T* from, T* to, size_t count, size_t first, Finish& finish,
                                       array_share share) {
    const range mine = range_of<T>(count, share);
    for (size_t i = mine.begin; i < mine.end; ++i) store(to + i, finish(first + i, from[i]));
  }

  template <bool Sent, class T>
  COHORT_DEVICE static void put_array(uint32_t to, array_slots slots, const T* from, size_t count, array_share share) {
    static_assert(!Sent, "this machine has no messages of arrays");
    const range mine = range_of<T>(count, share);
    if (mine.begin < mine.end) put_range(to, slots, from + mine.begin, mine);
  }

  template <bool Sent, class T, class Finish>
  COHORT_DEVICE static bool get_array(uint32_t from, array_slots slots, T* to, size_t count, size_t first,
                                      Finish& finish, array_share share) {
    static_assert(!Sent, "this machine has no messages of arrays");
    copy_array(own_staging().slot_of<T>(from, slots), to, count, first, finish, share);
    return true;
  }

  // Results go through a small buffer. The compiler sees that its stores change no operand, and vectorises the loop.
  template <bool Sent, class T, class Op, class Finish>
  COHORT_DEVICE static bool combine_arrays(array_slots slots, array_slots forward, const T* own, T* to, size_t count,
                                           size_t first, Op& op, Finish& finish, array_share share) {
    static_assert(!Sent, "this machine has no messages of arrays");
    constexpr size_t most = sizeof(T) < buffer_bytes ? buffer_bytes / sizeof(T) : 1;
    const range mine = range_of<T>(count, share);
    const staging_buffer staging = own_staging();
    detail::slot<T> results[most];
    for (range part = mine; part.begin < mine.end; part.begin = part.end) {
      part.end = mine.end - part.begin < most ? mine.end : part.begin + most;
      combine_range(staging, slots, own, part, results, op);
      if (forward.exist()) put_range(all_other_ranks, forward, &results[0].value, part);
      for (size_t i = part.begin; i < part.end; ++i) store(to + i, finish(first + i, results[i - part.begin].value));
    }
    return true;
  }

 private:
  static constexpr size_t buffer_bytes = 2048;

  struct range {
    size_t begin, end;
  };

  // The adjacent elements that the caller moves: a multiple of a cache line, unless the array ends earlier.
  template <class T>
  COHORT_FN static range range_of(size_t count, array_share share) {
    constexpr size_t line = sizeof(T) < 64 ? 64 / sizeof(T) : 1;
    const size_t lines = (count + line - 1) / line;
    const size_t each = (lines + share.count - 1) / share.count * line;
    const size_t begin = each * share.rank;
    if (begin >= count) return {count, count};
    return {begin, count - begin < each ? count : begin + each};
  }

  // The staging buffer of the calling grid's rank. Made outside of loops: it takes two calls of the engine.
  struct staging_buffer {
    const char* start;
    uint32_t owner;

    template <class T>
    COHORT_FN const T* slot_of(uint32_t from, array_slots slots) const {
      return reinterpret_cast<const T*>(start + slots.of(from, owner));
    }
  };
  COHORT_FN static staging_buffer own_staging() {
    const uint32_t owner = cohort_multi_grid_rank();
    return {cohort_array_staging(owner), owner};
  }

  // Copies the elements of a range to the same range of the slots of rank `to`.
  template <class T>
  COHORT_DEVICE static void put_range(uint32_t to, array_slots slots, const T* from, const range& part) {
    const uint32_t own = cohort_multi_grid_rank();
    const uint32_t begin = to == all_other_ranks ? 0 : to;
    const uint32_t end = to == all_other_ranks ? cohort_multi_grid_count() : to + 1;
    const size_t bytes = (part.end - part.begin) * sizeof(T);
    for (uint32_t rank = begin; rank < end; ++rank) {
      if (rank == own) continue;
      const size_t offset = slots.of(own, rank) + part.begin * sizeof(T);
      if (char* const staging = cohort_array_staging(rank)) {
        COHORT_COPY_BYTES(staging + offset, from, bytes);
      } else {
        cohort_array_put(rank, offset, from, bytes);
      }
    }
  }

  template <class T>
  COHORT_FN static void store(T* to, const T& value) {
    detail::copy_value(*to, value);
  }

  // Combines the elements of a range of all ranks.
  template <class T, class Op>
  COHORT_DEVICE static void combine_range(const staging_buffer& staging, array_slots slots, const T* own,
                                          const range& part, detail::slot<T>* results, Op& op) {
    const uint32_t count = cohort_multi_grid_count(), mine = staging.owner;
    if (count > most_in_registers) return combine_many(staging, slots, own, part, results, op);
    const T* arrays[most_in_registers];
    for (uint32_t i = 0; i < most_in_registers; ++i) {
      const uint32_t rank = i < count ? i : mine;
      arrays[i] = (rank == mine ? own : staging.slot_of<T>(rank, slots)) + part.begin;
    }
    if (count <= 2) return combine_few<2>(arrays, count, part, results, op);
    if (count <= 4) return combine_few<4>(arrays, count, part, results, op);
    combine_few<most_in_registers>(arrays, count, part, results, op);
  }
  template <uint32_t Most, class T, class Op>
  COHORT_DEVICE static void combine_few(const T* const* arrays, uint32_t count, const range& part,
                                        detail::slot<T>* results, Op& op) {
    const T* from[Most];
    for (uint32_t i = 0; i < Most; ++i) from[i] = arrays[i];
    const size_t elements = part.end - part.begin;
    if (Most == 2) {  // makes the number of ranks constant
      for (size_t i = 0; i < elements; ++i) {
        T lower = from[0][i], higher = from[1][i];
        store(&results[i].value, op(lower, higher));
      }
    } else {
      for (size_t i = 0; i < elements; ++i) {
        const T all = detail::reduce_few<Most, T>(count, [&](uint32_t rank) -> const T& { return from[rank][i]; }, op);
        store(&results[i].value, all);
      }
    }
  }
  template <class T, class Op>
  COHORT_DEVICE static void combine_many(const staging_buffer& staging, array_slots slots, const T* own,
                                         const range& part, detail::slot<T>* results, Op& op) {
    const uint32_t count = cohort_multi_grid_count();
    for (size_t i = part.begin; i < part.end; ++i) {
      detail::running_tree<T, Op&> tree(op);
      for (uint32_t rank = 0; rank < count; ++rank) {
        tree.push(rank == staging.owner ? own[i] : staging.slot_of<T>(rank, slots)[i]);
      }
      store(&results[i - part.begin].value, tree.result_of_some());
    }
  }

  static constexpr uint32_t most_in_registers = 8;
};

}  // namespace cpu
}  // namespace cohort
