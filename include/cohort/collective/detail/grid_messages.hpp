// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives over the blocks of a multi-grid on a machine whose blocks send each other values (has_multi_grid_messages
// in machine/contract/concept.hpp). Each block posts its value to its grid. The first block of a grid reads all of
// them, combines them, and posts the result to all grids, whose blocks wait for one value of each grid. So each link
// carries one value. When a block ends the exchange, all blocks have arrived, so no barrier is needed beside it.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "../../group/mapping.hpp"
#include "../../machine/this_machine.hpp"
#include "optional_value.hpp"

namespace cohort {
namespace detail {

// True if values of type T are exchanged by messages.
template <class Set, class T, class Machine = this_machine>
COHORT_ANY_SIDE constexpr bool sends_messages() {
  if constexpr (Set::has_messages) {
    return sizeof(T) <= Machine::multi_grid_message_bytes;
  } else {
    return false;
  }
}
template <class Set, class T>
inline constexpr bool sends_messages_v = sends_messages<Set, T>();

// The last blocks of a grid, as the first thread of the next grid needs them: an exclusive scan returns to that thread
// the inclusive scan of this grid's last rank.
template <class T>
struct end_of_grid {
  slot<T> before;  // the reduction of all blocks except the last; undefined if there is only one
  slot<T> last;    // the value of the last block
};

// One exchange of the calling thread's block. All threads of all blocks construct it before a barrier of the block.
template <class Set, class Machine = this_machine>
class grid_messages {
 public:
  COHORT_FN explicit grid_messages(const char* op_name) : op_name_(op_name), number_(Machine::begin_exchange()) {}

  // Returns the reduction over all threads. If the operator has an identity element and the block has a thread for each
  // block of its grid, a loop contains the block's reduction once: see block_exchange::reduce().
  template <class T, class Op>
  COHORT_FN T reduce(const T& value, Op& op) {
    if constexpr (has_identity_element_v<Op, T>) {
      if (grid_num_blocks() <= block_size()) {
        T mine = value;
        for (bool of_blocks = false;; of_blocks = true) {
          const T total = Machine::reduce_team(whole_block, mine, op, op_name_);
          if (of_blocks) {
            post_to_all(total);
            break;
          }
          post(total, publisher());
          if (grid_block_rank() != 0) break;
          mine = read_own<Op, T>();
        }
        return combine_grids<T>(op);
      }
    }
    return combine(Machine::reduce_team(whole_block, value, op, op_name_), op);
  }

  // Returns the reduction of the values of all blocks. `total` is the block's value, which all of its threads have.
  template <class T, class Op>
  COHORT_FN T combine(const T& total, Op&& op) {
    post(total, publisher());
    if (grid_block_rank() == 0) post_to_all(gather<T>(static_cast<uint32_t>(grid_num_blocks()), op));
    return combine_grids<T>(op);
  }

  template <class T, class Op>
  COHORT_FN T inclusive_scan(const T& value, Op& op) {
    const T mine = Machine::inclusive_scan_team(whole_block, value, op, op_name_);
    post(mine, block_size() - 1);
    const uint32_t rank = static_cast<uint32_t>(grid_block_rank());
    const T found = gather<T>(rank == 0 ? static_cast<uint32_t>(grid_num_blocks()) : rank, op);
    if (rank == 0) post_to_all(found);
    const slot<T>* const grids = end<T>();
    optional_value<T> lower = reduce_grids(Machine::multi_grid_rank(), op, [&](uint32_t i) { return grids[i].value; });
    if (rank != 0) lower = join(lower, optional_value<T>::of(found), op);
    return join(lower, optional_value<T>::of(mine), op).value.value;
  }

  // Exclusive scan. The first thread of a block returns the inclusive scan of the previous block's last rank. The
  // block's own exclusive scan, and the first thread's reductions, are computed while values of other blocks and grids
  // are in flight.
  template <class T, class Op>
  COHORT_FN T exclusive_scan(const T& value, const T& first, Op& op) {
    const T mine = Machine::inclusive_scan_team(whole_block, value, op, op_name_);
    post(mine, block_size() - 1);
    slot<T> highest;
    copy_value(highest.value, Machine::exclusive_scan_team(whole_block, value, first, op, op_name_));
    const uint32_t blocks = static_cast<uint32_t>(grid_num_blocks()), rank = static_cast<uint32_t>(grid_block_rank());
    const uint32_t grid = Machine::multi_grid_rank();
    const bool is_first = block_thread_rank() == 0, begins_grid = is_first && rank == 0;
    slot<T> all;  // the reduction of the lower blocks of the grid
    end_of_grid<T> previous;
    combine_lower(mine, all, previous, op);
    if (begins_grid && grid != 0) read_end(previous);

    const slot<T>* const grids = end<T>();
    if (begins_grid && grid == 0) return first;
    const optional_value<T> lower =
        reduce_grids(begins_grid ? grid - 1 : grid, op, [&](uint32_t i) { return grids[i].value; });
    optional_value<T> middle = optional_value<T>::none();
    middle.present = begins_grid ? blocks != 1 : is_first ? rank != 1 : rank != 0;
    if (middle.present) copy_value(middle.value.value, is_first ? previous.before.value : all.value);
    if (is_first) copy_value(highest.value, previous.last.value);
    return join(join(lower, middle, op), optional_value<T>::of(highest.value), op).value.value;
  }

  // Returns the value of thread `thread` of block `source`, counted over all grids; a value of zeros if there is none.
  template <class T>
  COHORT_FN T broadcast(const T& value, uint64_t source, uint32_t thread) {
    const uint64_t blocks = grid_num_blocks(), rank = grid_block_rank(), grid = Machine::multi_grid_rank();
    Machine::sync_block();
    post(value, source == grid * blocks + rank ? thread : 0);
    if (rank == 0) {
      slot<T> found, sent;
      bool sends = false;
      for (uint64_t block = block_thread_rank(); block < blocks; block += block_size()) {
        read(static_cast<uint32_t>(block), found.value);
        if (block != source % blocks) continue;
        copy_value(sent.value, found.value);
        sends = true;
      }
      Machine::sync_block();  // all blocks of the grid have posted
      if (sends) {
        for (uint32_t to = 0; to < Machine::multi_grid_count(); ++to) Machine::post_to_all(number_, to, sent.value);
      }
    }
    const slot<T>* const grids = end<T>();
    slot<T> result;
    if (source < blocks * Machine::multi_grid_count()) {
      copy_value(result.value, grids[source / blocks].value);
    } else {
      clear_value(result.value);
    }
    return result.value;
  }

 private:
  // Posts the value of the block, which thread `from` holds. pre: a barrier of the block precedes
  template <class T>
  COHORT_FN void post(const T& value, uint32_t from) {
    token_ = Machine::template post_to_grid<Set::orders_memory>(number_, value, from);
  }
  // The rank of the thread that posts a value which all threads have. The last thread also arrives at the barrier
  // beside the messages.
  COHORT_FN static uint32_t publisher() { return Set::orders_memory ? block_size() - 1 : 0; }
  // Posts the grid's value to all grids. pre: all threads of the block hold the value
  template <class T>
  COHORT_FN void post_to_all(const T& value) {
    for (uint32_t to = block_thread_rank(); to < Machine::multi_grid_count(); to += block_size()) {
      Machine::post_to_all(number_, to, value);
    }
  }
  template <class T>
  COHORT_FN void read(uint32_t block, T& value) {
    if (!Machine::read_block(number_, block, value)) completed_ = false;
  }
  template <class T>
  COHORT_FN void read_end(end_of_grid<T>& value) {
    if (!Machine::read_previous(number_, value)) completed_ = false;
  }
  // Waits for the values of all grids. All threads of the block may then read them.
  template <class T>
  COHORT_FN const slot<T>* end() {
    return Machine::template end_exchange<Set::orders_memory, T>(number_, token_, completed_);
  }
  // The value of the block whose rank in the grid is the thread's in its block, or the identity element.
  template <class Op, class T>
  COHORT_FN T read_own(uint32_t count = static_cast<uint32_t>(grid_num_blocks())) {
    T value = identity_element<Op, T>();
    if (block_thread_rank() < count) read(block_thread_rank(), value);
    return value;
  }

  // Returns the reduction of the values of blocks 0 .. count - 1 of this grid to all threads. Each thread reduces a
  // power of two of adjacent blocks, and the block's own reduction combines the results: together the written tree.
  template <class T, class Op>
  COHORT_DEVICE T gather(uint32_t count, Op& op) {
    if constexpr (has_identity_element_v<remove_reference_t<Op>, T>) {
      if (count <= block_size())
        return Machine::reduce_team(whole_block, read_own<remove_reference_t<Op>, T>(count), op, op_name_);
    }
    constexpr uint32_t few = 4;
    uint32_t share = 1;
    while (share * block_size() < count) share *= 2;
    const bool alone = count <= few;
    uint32_t block = alone ? 0 : share * block_thread_rank();
    const uint32_t end = alone || block + share > count ? count : block + share;
    running_tree<optional_value<T>, join_op<T, Op>> tree(join_op<T, Op>{&op});
    for (; block < end; ++block) {
      optional_value<T> found = optional_value<T>::none();
      read(block, found.value.value);
      found.present = true;
      tree.push(found);
    }
    if (alone) return tree.result().value.value;
    const join_op<T, Op> joined{&op};
    return Machine::reduce_team(whole_block, tree.result(), joined, op_name_).value.value;
  }

  // For an exclusive scan: computes the reduction of all lower blocks of the grid and, in `previous`, that reduction
  // without the previous block, and the value of that block. Posts the values for other grids as soon as they are
  // computed. `mine` is the block's inclusive scan.
  template <class T, class Op>
  COHORT_DEVICE void combine_lower(const T& mine, slot<T>& all, end_of_grid<T>& previous, Op& op) {
    const uint32_t blocks = static_cast<uint32_t>(grid_num_blocks()), rank = static_cast<uint32_t>(grid_block_rank());
    const uint32_t count = rank == 0 ? blocks : rank;
    if constexpr (has_identity_element_v<Op, T>) {
      if (count <= block_size()) {
        T part = read_own<Op, T>(count);
        for (bool is_all = true;; is_all = false) {
          const T found = Machine::reduce_team(whole_block, part, op, op_name_);
          if (!is_all) return copy_value(previous.before.value, found);
          copy_value(all.value, found);
          post_lower(found, mine);
          if (rank == 0) return;
          copy_value(previous.last.value, Machine::shuffle_team(whole_block, part, rank - 1, op_name_));
          if (rank == 1) return;
          if (block_thread_rank() == rank - 1) part = identity_element<Op, T>();
        }
      }
    }
    copy_value(all.value, gather<T>(count, op));
    post_lower(all.value, mine);
    if (rank > 1) copy_value(previous.before.value, gather<T>(rank - 1, op));
    if (rank != 0 && block_thread_rank() == 0) read(rank - 1, previous.last.value);
  }
  // Posts the values of an exclusive scan for other grids, if this is the first or the last block of its grid. `lower`
  // is the reduction of the lower blocks, in the first block that of all blocks.
  template <class T>
  COHORT_FN void post_lower(const T& lower, const T& mine) {
    const uint64_t rank = grid_block_rank();
    if (rank == 0) post_to_all(lower);
    if (rank != grid_num_blocks() - 1 || block_thread_rank() != block_size() - 1) return;
    end_of_grid<T> sent;
    copy_value(sent.before.value, lower);
    copy_value(sent.last.value, mine);
    Machine::post_to_next(number_, sent);
  }

  // Ends the exchange, and returns the reduction of the values of all grids.
  template <class T, class Op>
  COHORT_FN T combine_grids(Op& op) {
    const slot<T>* const grids = end<T>();
    return reduce_grids(Machine::multi_grid_count(), op, [&](uint32_t i) { return grids[i].value; }).value.value;
  }
  // Returns the reduction of the values of grids 0 .. count - 1. The values of up to 8 grids stay in registers, and
  // those of up to 2 need no loop.
  template <class Op, class ValueOf>
  COHORT_FN auto reduce_grids(uint32_t count, Op& op, ValueOf value_of) {
    using T = decltype(value_of(0u));
    using value = optional_value<T>;
    if (count == 1) return value::of(value_of(0));
    if (count == 2) return join(value::of(value_of(0)), value::of(value_of(1)), op);
    if (count > 8) return reduce_many_grids(count, op, value_of);
    value all = value::none();
#if COHORT_ON_GPU
#pragma unroll 1
#endif
    for (uint32_t first = 0; first < count; first += 4) {
      all = join(all, value::of(reduce_four_grids(first, count, op, value_of)), op);
    }
    return all;
  }
  template <class Op, class ValueOf>
  COHORT_DEVICE auto reduce_many_grids(uint32_t count, Op& op, ValueOf value_of) {
    using T = decltype(value_of(0u));
    using value = optional_value<T>;
    running_tree<value, join_op<T, Op>> tree(join_op<T, Op>{&op});
    for (uint32_t first = 0; first < count; first += 4) {
      tree.push(value::of(reduce_four_grids(first, count, op, value_of)));
    }
    return tree.result();
  }
  // Returns the reduction of the values of grids first .. first + 3 that are below `count`. The loads depend on no
  // branch, so their latencies overlap. For a missing grid they read the value of the last one.
  template <class Op, class ValueOf>
  COHORT_FN auto reduce_four_grids(uint32_t first, uint32_t count, Op& op, ValueOf value_of) {
    using T = decltype(value_of(0u));
    const uint32_t after = count - 1 - first;
    const auto value_at = [&](uint32_t i) { return value_of(first + (i < after ? i : after)); };
    const auto append = [&](T& left, T right) {
      const T both = op(left, right);
      copy_value(left, both);
    };
    T lower = value_of(first), second = value_at(1), higher = value_at(2), fourth = value_at(3);
    if (after >= 1) append(lower, second);
    if (after >= 3) append(higher, fourth);
    if (after >= 2) append(lower, higher);
    return lower;
  }

  const char* op_name_;
  const uint32_t number_;
  uint32_t token_ = 0;  // the thread's token for the end of the exchange
  bool completed_ = true;
};

}  // namespace detail
}  // namespace cohort
