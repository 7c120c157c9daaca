// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of the ranks of a multi-grid, over memory that all GPUs reach. docs/design/arrays.md describes both forms.
//
// Sent: each 16 bytes of a message hold 8 bytes of the array and two flags, so data needs neither fence nor barrier.
// The reader clears a message once it has read it: between launches all messages are zero.
// In steps: blocks of equal rank store 16 bytes at a time, and raise one flag each for a whole step.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/tree.hpp"
#include "../../../base/types.hpp"
#include "../../contract/concept.hpp"
#include "../barrier.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../memory.hpp"
#include "../port.hpp"
#include "array_pack.hpp"
#include "multi_grid.hpp"
#include "poll_limit.hpp"

namespace cohort {
namespace ptx {

// Functions that move elements are not inlined, or a kernel would hold each of them for every number of ranks and both
// forms. The exception are messages between up to four ranks, where a call would cost a part of the latency.
struct rank_arrays {
  static constexpr size_t array_staging_bytes = detail::array_step_bytes;
  static constexpr uint32_t array_lag = 2;
  static constexpr size_t one_shot_bytes = 128 << 10;
  static constexpr bool has_array_messages = true;
  static constexpr size_t longest_sent_array = 2 << 20;

  COHORT_FN static uint32_t begin_array_steps() { return block_of(launch().rank)->array_step; }
  /// Ends a step. One thread for each other rank raises the flag of that rank's block, and waits until that block has
  /// ended the previous step.
  COHORT_DEVICE static __attribute__((noinline)) uint32_t end_array_step(uint32_t step) {
    const uint32_t thread = identity::block_thread_rank(), own = launch().rank;
    detail::multi_grid_block* const mine = block_of(own);
    const bool converged = convergence::is_warp_converged();
    bool completed = true;
    barrier::sync_block_hinted(converged);
    if (thread == 0) mine->array_step = step + 1;
    for (uint32_t rank = thread; rank < launch().count; rank += identity::block_threads()) {
      if (rank == own) continue;
      memory::fence(thread_scope_system);
      memory::store_system(&block_of(rank)->array_progress[own], step + 1);
      if (!wait_for_step(&mine->array_progress[rank], step + 2 - array_lag)) completed = false;
      memory::acquire(thread_scope_system);
    }
    multi_grid::exit_unless(completed, converged);
    return step + 1;
  }

  template <class T>
  COHORT_FN static size_t array_elements(size_t bytes) {
    return bytes / array_pack<T, false>::slot_bytes * array_pack<T, false>::elements;
  }

  /// The largest message: a quarter of a half, so that no half is reused while most_array_operations are under way.
  COHORT_FN static size_t array_message_bytes() { return launch().array_half / 4; }
  template <class T>
  COHORT_FN static size_t array_message_slot(size_t count) {
    return array_pack<T, true>::count(count) * array_pack<T, true>::slot_bytes;
  }
  /// Reserves bytes for messages. The messages of each rank have two halves. When one is full, a barrier of all grids
  /// follows, after which all messages in the other half have been read.
  COHORT_FN static array_slots reserve_array_messages(size_t bytes) {
    const uint32_t half = launch().array_half, needed = static_cast<uint32_t>(bytes);
    uint32_t* const kept = &block_of(launch().rank)->array_position;
    barrier::sync_block();
    uint32_t position = *kept;
    barrier::sync_block();
    const bool is_second = position >= half;
    if ((is_second ? position - half : position) + needed >= half) {
      position = is_second ? 0 : half;
      multi_grid::sync_multi_grid();
    }
    if (identity::block_thread_rank() == 0) *kept = position + needed;
    return {array_staging_bytes + position, size_t{2} * half};
  }
  COHORT_FN static void end_array_messages(bool completed) {
    multi_grid::exit_unless(completed, convergence::is_warp_converged());
  }

  template <class T, class Finish>
  COHORT_DEVICE static __attribute__((noinline)) void copy_array(const T* from, T* to, size_t count, size_t first,
                                                                 Finish& finish, array_share share) {
    using pack = array_pack<T, false>;
    const user_array<pack> source(from, count), target(to, count);
    for_packs<unrolled<pack>()>(wide_packs(source, target), source.packs(), share, [&](const auto& indices) {
      pack packs[detail::remove_cvref_t<decltype(indices)>::count];
      source.load(indices, packs);
      target.store(indices, packs, first, finish);
      return true;
    });
  }

  template <bool Sent, class T>
  COHORT_FN static void put_array(uint32_t to, array_slots slots, const T* from, size_t count, array_share share) {
    if (Sent && to == all_other_ranks) return put_packs<Sent>(to, slots, from, count, share);
    put_packs_in_call<Sent>(to, slots, from, count, share);
  }

  template <bool Sent, class T, class Finish>
  COHORT_DEVICE static __attribute__((noinline)) bool get_array(uint32_t from, array_slots slots, T* to, size_t count,
                                                                size_t first, Finish& finish, array_share share) {
    using pack = array_pack<T, Sent>;
    const user_array<pack> target(to, count);
    char* const slot = staging_of(launch().rank) + slots.of(from, launch().rank);
    return for_packs<unrolled<pack>()>(target.wide_packs(), target.packs(), share, [&](const auto& indices) {
      pack packs[detail::remove_cvref_t<decltype(indices)>::count];
      if (!load_all<1>(packs, indices, [&](uint32_t) { return slot; })) return false;
      target.store(indices, packs, first, finish);
      return true;
    });
  }

  /// Holds the packs of up to 8 ranks in registers.
  template <bool Sent, class T, class Op, class Finish>
  COHORT_FN static bool combine_arrays(array_slots slots, array_slots forward, const T* own, T* to, size_t count,
                                       size_t first, Op& op, Finish& finish, array_share share) {
    using pack = array_pack<T, Sent>;
    const uint32_t ranks = launch().count;
    constexpr uint32_t together = unrolled<pack>();
    if (Sent && ranks == 2)
      return combine_few<pack, 2, together>(slots, forward, own, to, count, first, op, finish, share);
    if (Sent && ranks <= 4) return combine_few<pack, 4, 1>(slots, forward, own, to, count, first, op, finish, share);
    if (ranks <= 2)
      return combine_few_in_call<pack, 2, together>(slots, forward, own, to, count, first, op, finish, share);
    if (ranks <= 8) return combine_few_in_call<pack, 8, 1>(slots, forward, own, to, count, first, op, finish, share);
    return combine_many<pack>(slots, forward, own, to, count, first, op, finish, share);
  }

 private:
  COHORT_FN static const detail::multi_grid_descriptor& launch() { return multi_device_launch(); }
  COHORT_FN static detail::multi_grid_block* block_of(uint32_t rank) {
    return multi_grid::blocks_of(rank) + identity::block_rank();
  }
  COHORT_FN static char* staging_of(uint32_t rank) {
    return reinterpret_cast<char*>(launch().words[rank]) - detail::array_staging_bytes;
  }
  /// `rank` modulo the number of ranks. @pre rank is less than twice that number
  COHORT_FN static uint32_t wrap(uint32_t rank) { return rank < launch().count ? rank : rank - launch().count; }

  /// Waits until a block has ended `steps` steps. Numbers count modulo 2^32.
  COHORT_FN static bool wait_for_step(const uint32_t* progress, uint32_t steps) {
    for (poll_limit limit;;) {
      if (static_cast<int32_t>(memory::load_system(progress) - steps) >= 0) return true;
      if (limit.must_end(launch())) return false;
    }
  }

  /// Packs of small elements are moved several at a time, so the latencies of their loads overlap.
  template <class Pack>
  COHORT_FN static constexpr uint32_t unrolled() {
    return Pack::units == 1 ? 2 : 1;
  }

  /// The packs that are wide in both arrays.
  template <class Array>
  COHORT_FN static size_t wide_packs(const Array& first, const Array& second) {
    return second.wide_packs() == 0 ? 0 : first.wide_packs();
  }
  /// Stores packs into the caller's slots of rank `to`, or of all other ranks.
  template <class Indices, class Pack>
  COHORT_FN static void store_to(uint32_t to, array_slots slots, const Indices& indices, const Pack* packs) {
    const uint32_t own = launch().rank, ranks = launch().count;
    const uint32_t receivers = to == all_other_ranks ? ranks - 1 : 1;
#pragma unroll 4  // issues a short array's stores to four ranks back to back
    for (uint32_t next = 0; next < receivers; ++next) {
      const uint32_t rank = to == all_other_ranks ? wrap(own + 1 + next) : to;
      char* const slot = staging_of(rank) + slots.of(own, rank);
#pragma unroll
      for (uint32_t u = 0; u < Indices::count; ++u) {
        if (indices.has(u)) packs[u].store_in_slot(slot, indices[u]);
      }
    }
  }

  /// Loads the packs of `Count` slots: packs[slot * Indices::count + u]. A null slot is skipped. Messages are polled
  /// together until all have come, and then cleared. False: the launch was ended.
  template <uint32_t Count, class Indices, class Pack, class SlotOf>
  COHORT_FN static bool load_all(Pack* packs, const Indices& indices, const SlotOf& slot_of) {
    for (poll_limit limit;;) {
      bool complete = true;
#pragma unroll
      for (uint32_t i = 0; i < Count; ++i) {
        const char* const slot = slot_of(i);
#pragma unroll
        for (uint32_t u = 0; u < Indices::count; ++u) {
          if (slot != nullptr && indices.has(u) && !packs[i * Indices::count + u].load_from_slot(slot, indices[u]))
            complete = false;
        }
      }
      if (complete) break;
      if (limit.must_end(launch())) return false;
    }
    if constexpr (Pack::is_sent) {
#pragma unroll
      for (uint32_t i = 0; i < Count; ++i) {
        char* const slot = slot_of(i);
#pragma unroll
        for (uint32_t u = 0; u < Indices::count; ++u) {
          if (slot != nullptr && indices.has(u)) Pack::clear_in_slot(slot, indices[u]);
        }
      }
    }
    return true;
  }

  template <bool Sent, class T>
  COHORT_FN static void put_packs(uint32_t to, array_slots slots, const T* from, size_t count, array_share share) {
    using pack = array_pack<T, Sent>;
    const user_array<pack> source(from, count);
    for_packs<unrolled<pack>()>(source.wide_packs(), source.packs(), share, [&](const auto& indices) {
      pack packs[detail::remove_cvref_t<decltype(indices)>::count];
      source.load(indices, packs);
      store_to(to, slots, indices, packs);
      return true;
    });
  }
  template <bool Sent, class T>
  COHORT_DEVICE static __attribute__((noinline)) void put_packs_in_call(uint32_t to, array_slots slots, const T* from,
                                                                        size_t count, array_share share) {
    put_packs<Sent>(to, slots, from, count, share);
  }

  template <class Pack, uint32_t Most, uint32_t Unrolled, class T, class Op, class Finish>
  COHORT_DEVICE static __attribute__((noinline)) bool combine_few_in_call(array_slots slots, array_slots forward,
                                                                          const T* own, T* to, size_t count,
                                                                          size_t first, Op& op, Finish& finish,
                                                                          array_share share) {
    return combine_few<Pack, Most, Unrolled>(slots, forward, own, to, count, first, op, finish, share);
  }
  template <class Pack, uint32_t Most, uint32_t Unrolled, class T, class Op, class Finish>
  COHORT_FN static bool combine_few(array_slots slots, array_slots forward, const T* own, T* to, size_t count,
                                    size_t first, Op& op, Finish& finish, array_share share) {
    const uint32_t mine = launch().rank, ranks = launch().count;
    const user_array<Pack> source(own, count), target(to, count);
    char* const staging = staging_of(mine);
    return for_packs<Unrolled>(wide_packs(source, target), source.packs(), share, [&](const auto& indices) {
      constexpr uint32_t packs_each = detail::remove_cvref_t<decltype(indices)>::count;
      Pack packs[Most * packs_each], of_caller[packs_each];
      source.load(indices, of_caller);
      const bool completed = load_all<Most>(
          packs, indices, [&](uint32_t i) { return i < ranks && i != mine ? staging + slots.of(i, mine) : nullptr; });
      if (!completed) return false;
#pragma unroll
      for (uint32_t i = 0; i < Most * packs_each; ++i) {
        if (i / packs_each == mine) packs[i] = of_caller[i % packs_each];
      }
      Pack results[packs_each];
#pragma unroll
      for (uint32_t u = 0; u < packs_each; ++u) {
        if (!indices.has(u)) continue;
        source.for_each(indices[u], indices.is_wide, [&](uint32_t element) {
          const T all = detail::reduce_few<Most, T>(
              ranks, [&](uint32_t i) { return packs[i * packs_each + u].get(element); }, op);
          results[u].set(element, all);
        });
      }
      if (forward.exist()) store_to(all_other_ranks, forward, indices, results);
      target.store(indices, results, first, finish);
      return true;
    });
  }

  template <class Pack, class T, class Op, class Finish>
  COHORT_DEVICE static __attribute__((noinline)) bool combine_many(array_slots slots, array_slots forward, const T* own,
                                                                   T* to, size_t count, size_t first, Op& op,
                                                                   Finish& finish, array_share share) {
    const uint32_t mine = launch().rank, ranks = launch().count;
    const user_array<Pack> source(own, count), target(to, count);
    return for_packs<1>(0, source.packs(), share, [&](const auto& indices) {
      const auto add = [&](const Pack& left, const Pack& right) {
        Pack both;
        source.for_each(indices[0], false, [&](uint32_t element) {
          T lower = left.get(element), higher = right.get(element);
          both.set(element, op(lower, higher));
        });
        return both;
      };
      detail::running_tree<Pack, decltype(add)> tree(add);
      for (uint32_t rank = 0; rank < ranks; ++rank) {
        Pack next;
        if (rank == mine) {
          source.load(indices, &next);
        } else if (!load_all<1>(&next, indices, [&](uint32_t) { return staging_of(mine) + slots.of(rank, mine); })) {
          return false;
        }
        tree.push(next);
      }
      const Pack result = tree.result_of_some();
      if (forward.exist()) store_to(all_other_ranks, forward, indices, &result);
      target.store(indices, &result, first, finish);
      return true;
    });
  }
};

}  // namespace ptx
}  // namespace cohort
