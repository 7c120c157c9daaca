// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One exchange of arrays between the ranks of a multi-grid. Each rank puts elements into slots of the others, which
// combine them element by element in the written order over ranks. docs/design/arrays.md describes the forms.
//
//   one shot    each rank puts its whole array to all others, and each combines all of it
//   two shots   rank r combines part r of the array, and puts the result to all others
//
// A small array may travel as messages: all of it at once, divided among the threads of the grid. Otherwise each block
// has a range of the array and a part of the staging buffers, and moves the range in chunks, step by step.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../../group/mapping.hpp"
#include "../../machine/this_machine.hpp"

namespace cohort {
namespace detail {

enum class array_kind { all_reduce, reduce_scatter, all_gather, broadcast };

// The epilogue of an exchange without one.
struct unchanged {
  template <class T>
  COHORT_FN T operator()(size_t, const T& value) const {
    return value;
  }
};
// The operator of an exchange that combines nothing.
struct no_operator {};

template <array_kind Kind, class T, class Op, class Finish, class Machine = this_machine>
class array_exchange {
 public:
  // `count` is the number of elements that the ranks' arrays have at least: of each result of reduce_scatter, of each
  // operand otherwise. `root` is the source of a broadcast.
  COHORT_FN array_exchange(T* to, const T* from, size_t count, const Op& op, const Finish& finish, uint32_t root)
      : to_(to),
        from_(from),
        count_(count),
        op_(op),
        finish_(finish),
        rank_(Machine::multi_grid_rank()),
        ranks_(Machine::multi_grid_count()),
        root_(root) {}

  // Sends the operands if they fit into messages. Longer arrays are sent in steps by end(), because the threads that
  // run the steps cannot do other work in between.
  COHORT_FN void begin() {
    if (ranks_ == 0) {
      Machine::fail(
          "a collective of arrays in a launch that is neither over several devices nor over a world; launch the kernel "
          "with cohort::launch_multi_device or cohort::launch_world");
    }
    if constexpr (Machine::has_array_messages) {
      if (count_ == 0 || ranks_ == 1 || count_ * sizeof(T) > Machine::longest_sent_array) return;
      transfer all = whole_array();
      const size_t slot = Machine::template array_message_slot<T>(all.part);
      const size_t slots = all.two_shots ? 2 * slot : slot;
      if (slots > Machine::array_message_bytes()) return;
      all.in = Machine::reserve_array_messages(slots);
      sent_ = all.in;
      put<true>(all, share_of_grid());
    }
  }

  COHORT_FN void end() {
    if (count_ == 0) return;
    if (ranks_ == 1) return Machine::copy_array(from_, to_, count_, 0, finish_, share_of_grid());
    if constexpr (Machine::has_array_messages) {
      if (sent_.exist()) return end_messages();
    }
    run_steps();
  }

 private:
  static constexpr bool combines = Kind == array_kind::all_reduce || Kind == array_kind::reduce_scatter;

  // Transfer of elements first .. first + count - 1 through slots. Two shots: each rank reduces one part of them first.
  struct transfer {
    size_t first, count, part;
    bool two_shots;
    array_slots in, out;
  };

  // Adjacent warps' shares lie in different blocks, so even a short array occupies many multiprocessors.
  COHORT_FN static array_share share_of_grid() {
    const uint32_t thread = block_thread_rank(), threads = block_size();
    const uint32_t block = static_cast<uint32_t>(grid_block_rank()), blocks = static_cast<uint32_t>(grid_num_blocks());
    if (threads % warp_size != 0) return {block * threads + thread, blocks * threads};
    return {(thread / warp_size * blocks + block) * warp_size + thread % warp_size, blocks * threads};
  }

  // Two ranks move as many bytes in one shot as in two.
  COHORT_FN bool takes_two_shots() const {
    return Kind == array_kind::all_reduce && ranks_ > 2 && count_ * sizeof(T) > Machine::one_shot_bytes;
  }
  COHORT_FN transfer whole_array() const {
    transfer all = {0, count_, count_, takes_two_shots(), array_slots::none(), array_slots::none()};
    if (all.two_shots) all.part = round_up_to_unit((count_ + ranks_ - 1) / ranks_);
    return all;
  }
  // Ranges begin at multiples of 64 elements, so vector accesses stay aligned.
  COHORT_FN static size_t round_up_to_unit(size_t elements) { return (elements + 63) / 64 * 64; }

  // Elements of part `rank` of a transfer, as far as the array has them.
  COHORT_FN static size_t part_count(const transfer& t, uint32_t rank) {
    const size_t begin = t.part * rank;
    return begin >= t.count ? 0 : t.count - begin < t.part ? t.count - begin : t.part;
  }

  template <bool Sent>
  COHORT_FN void put(const transfer& t, array_share share) {
    if (Kind == array_kind::broadcast && rank_ != root_) return;
    if (Kind == array_kind::reduce_scatter || t.two_shots) {
      for (uint32_t next = 1; next < ranks_; ++next) {  // ranks begin with different receivers
        const uint32_t rank = (rank_ + next) % ranks_;
        const T* const from = from_ + t.first + (t.two_shots ? t.part : count_) * rank;
        Machine::template put_array<Sent>(rank, t.in, from, t.two_shots ? part_count(t, rank) : t.count, share);
      }
    } else {
      Machine::template put_array<Sent>(all_other_ranks, t.in, from_ + t.first, t.count, share);
    }
  }

  template <bool Sent>
  COHORT_FN bool combine(const transfer& t, array_share share) {
    if constexpr (combines) {
      const size_t own_part = t.two_shots ? t.first + t.part * rank_ : t.first;
      const T* const own = from_ + own_part + (Kind == array_kind::reduce_scatter ? count_ * rank_ : 0);
      return Machine::template combine_arrays<Sent>(t.in, t.two_shots ? t.out : array_slots::none(), own,
                                                    to_ + own_part, t.two_shots ? part_count(t, rank_) : t.count,
                                                    own_part, op_, finish_, share);
    } else {
      bool completed = true;
      for (uint32_t rank = 0; rank < ranks_; ++rank) {
        if (Kind == array_kind::broadcast && rank != root_) continue;
        T* const to = to_ + t.first + (Kind == array_kind::all_gather ? count_ * rank : 0);
        if (rank == rank_) {
          if (to != from_ + t.first) Machine::copy_array(from_ + t.first, to, t.count, t.first, finish_, share);
        } else if (!Machine::template get_array<Sent>(rank, t.in, to, t.count, t.first, finish_, share)) {
          completed = false;
        }
      }
      return completed;
    }
  }

  // Copies the parts that the other ranks have combined.
  template <bool Sent>
  COHORT_FN bool get(const transfer& t, array_share share) {
    bool completed = true;
    for (uint32_t next = 1; next < ranks_; ++next) {
      const uint32_t rank = (rank_ + next) % ranks_;
      const size_t begin = t.first + t.part * rank;
      if (!Machine::template get_array<Sent>(rank, t.out, to_ + begin, part_count(t, rank), begin, finish_, share))
        completed = false;
    }
    return completed;
  }

  COHORT_FN void end_messages() {
    transfer all = whole_array();
    all.in = sent_;
    all.out = {sent_.begin + Machine::template array_message_slot<T>(all.part), sent_.stride};
    bool completed = combine<true>(all, share_of_grid());
    if (all.two_shots && !get<true>(all, share_of_grid())) completed = false;
    Machine::end_array_messages(completed);
  }

  // In step s chunk s is put, chunk s - lag combined, and the results of chunk s - 2 * lag copied. A block without a
  // range takes part in the steps, because their number is equal in all blocks.
  COHORT_FN void run_steps() {
    constexpr uint32_t lag = Machine::array_lag;
    const uint64_t blocks = grid_num_blocks(), block = grid_block_rank();
    const size_t others = ranks_ - 1;
    constexpr size_t kinds = 2;  // operands and results
    const size_t slots = 2 * lag * kinds * others;
    const size_t fit = Machine::array_staging_bytes / (slots * most_array_element_bytes);
    if (fit == 0) {
      Machine::fail(
          "a collective of arrays over more ranks than the staging buffer has room for: at most 1 KiB of it is used "
          "for each rank, operand and step");
    }
    const size_t active = blocks < fit ? static_cast<size_t>(blocks) : fit;
    const size_t region = Machine::array_staging_bytes / active / slot_alignment * slot_alignment;
    const size_t slot = region / slots / slot_alignment * slot_alignment;
    size_t part = Machine::template array_elements<T>(slot);
    if (part > 64) part = part / 64 * 64;
    const bool two_shots = takes_two_shots();
    const size_t chunk = two_shots ? part * ranks_ : part;
    const size_t each = round_up_to_unit((count_ + active - 1) / active);
    const size_t begin = block < active && each * block < count_ ? static_cast<size_t>(each * block) : count_;
    const size_t end = count_ - begin < each ? count_ : begin + each;
    const size_t chunks = (each + chunk - 1) / chunk;

    const auto chunk_of = [&](size_t number, uint32_t operands, uint32_t results) {
      const size_t first = begin + number * chunk < end ? begin + number * chunk : end;
      const auto slots_of = [&](uint32_t step, size_t kind) {
        const size_t place = (step % (2 * lag)) * kinds + kind;
        return array_slots{region * static_cast<size_t>(block) + place * others * slot, slot};
      };
      return transfer{first,
                      end - first < chunk ? end - first : chunk,
                      part,
                      two_shots,
                      slots_of(operands, 0),
                      slots_of(results, 1)};
    };
    // Threads that run at the same time divide the work: some keep the link busy while the others combine.
    const uint32_t threads = block_size(), thread = block_thread_rank();
    const uint32_t putting = Machine::threads_take_turns || threads < 64 ? threads : threads / 64 * 32;
    const bool divides = putting != threads, puts = thread < putting, combines_now = !divides || !puts;
    const array_share put_share = {thread, putting};
    const array_share combine_share = divides ? array_share{thread - putting, threads - putting} : put_share;
    uint32_t step = Machine::begin_array_steps();
    const size_t steps = chunks + (two_shots ? 2 * lag : lag);
    for (size_t s = 0; s < steps; ++s) {
      if (s != 0) step = Machine::end_array_step(step);
      if (puts && s < chunks) put<false>(chunk_of(s, step, step), put_share);
      if (!combines_now) continue;
      if (s >= lag && s - lag < chunks) combine<false>(chunk_of(s - lag, step - lag, step), combine_share);
      if (two_shots && s >= 2 * lag) get<false>(chunk_of(s - 2 * lag, step, step - lag), combine_share);
    }
  }
  static constexpr size_t slot_alignment = 64;

  T* const to_;
  const T* const from_;
  const size_t count_;
  Op op_;
  Finish finish_;
  const uint32_t rank_, ranks_, root_;
  array_slots sent_ = array_slots::none();  // the slots of the messages that begin() has put
};

}  // namespace detail
}  // namespace cohort
