// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One collective over the blocks of a set. Each block publishes a value in its slot, a barrier follows, and the threads
// read the slots that they need. Rounds alternate between two slots of each block, so the next collective needs no
// barrier before it. If the memory of the slots does not outlive the blocks (Set::is_kept is false), each collective
// begins with round 0 and ends with a barrier, after which no thread reads its slots.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "../../machine/this_machine.hpp"
#include "block_set.hpp"
#include "optional_value.hpp"

namespace cohort {
namespace detail {

// A slot begins with the number of the round that wrote it. A block whose threads have all returned writes nothing, and
// its slot keeps an older number: it counts as empty.
inline constexpr size_t slot_header_bytes = 8;
inline constexpr size_t chunk_bytes = slot_bytes - slot_header_bytes;

template <class Set>
class block_exchange {
 public:
  // Begins the collective.
  COHORT_FN block_exchange(const Set& set, const char* op_name)
      : set_(set), op_name_(op_name), rank_(set.rank()), count_(set.count()), round_(first_round(set)) {}
  block_exchange(const block_exchange&) = delete;
  block_exchange& operator=(const block_exchange&) = delete;
  COHORT_FN ~block_exchange() {
    if constexpr (!Set::is_kept) set_.sync();
  }

  // Finds the first and the last participating thread of the block, which all other functions of this class except
  // publish_alone() and read_alone() need. The exchange in this step also ensures that all threads have read the round
  // before advance() changes it.
  COHORT_FN void find_threads() {
    const uint32_t mine = block_thread_rank();
    is_full_ = this_machine::count_team(whole_block, true, op_name_) == block_size();
    first_ = 0;
    uint32_t last = block_size() - 1;
    if (!is_full_) {
      const participants all = find_participants(mine);
      first_ = all.first;
      last = all.last;
    }
    is_first_ = mine == first_;
    is_last_ = mine == last;
  }
  COHORT_FN bool is_first_thread() const { return is_first_; }
  COHORT_FN bool is_last_thread() const { return is_last_; }
  COHORT_FN uint64_t rank() const { return rank_; }
  COHORT_FN uint64_t count() const { return count_; }

  // Called by one thread of the block, before the set's barrier: publishes the block's value.
  template <class T>
  COHORT_FN void publish_alone(const T& value) {
    static_assert(Set::is_kept && sizeof(T) <= chunk_bytes, "one slot keeps the value until the next round but one");
    set_.round() = round_ + 1;
    write_chunks(value, 0, 1, rank_);
  }
  // Called by a thread of the block after the set's barrier: returns the reduction of the values of all blocks.
  template <class T, class Op>
  COHORT_FN optional_value<T> read_alone(Op& op) const {
    return prefix<T>(count_, op);
  }

  // Returns the reduction over all threads of all blocks. If the operator has an identity element and the block has a
  // thread for each block, the loop runs twice: over the block's threads, then over the blocks' values. The code then
  // contains the reduction once. On a GPU, fetching the instructions of a second copy takes longer than executing them.
  template <class T, class Op>
  COHORT_FN T reduce(const T& value, Op& op) {
    if constexpr (has_identity_element_v<Op, T>) {
      if (is_full_ && count_ <= block_size() && count_ == set_.blocks_per_grid()) {
        T mine = value;
        for (bool of_blocks = false;; of_blocks = true) {
          const T total = this_machine::reduce_team(whole_block, mine, op, op_name_);
          if (of_blocks) return total;
          publish(total, is_first_);
          mine = identity_element<Op, T>();
          if (block_thread_rank() < count_) {
            const optional_value<T> found = read<T>(block_thread_rank());
            if (found.present) mine = found.value.value;
          }
        }
      }
    }
    const T total = this_machine::reduce_team(whole_block, value, op, op_name_);
    return combine(total, is_first_, count_, op).value.value;
  }

  // Returns the reduction of the values of blocks 0 .. end - 1 to all threads. The publisher gives its block's value.
  template <class T, class Op>
  COHORT_FN optional_value<T> combine(const T& value, bool is_publisher, uint64_t end, Op& op) {
    if constexpr (sizeof(T) <= chunk_bytes) {
      publish(value, is_publisher);
      return prefix<T>(end, op);
    } else {
      return stream(value, is_publisher, end, op).prefix;
    }
  }

  // Returns the reductions of the lower blocks' values that an exclusive scan needs, to all threads.
  template <class T, class Op>
  COHORT_FN lower_blocks<T> combine_lower(const T& value, bool is_publisher, Op& op) {
    if constexpr (sizeof(T) <= chunk_bytes) {
      publish(value, is_publisher);
      lower_blocks<T> lower;
      lower.prefix = prefix<T>(rank_, op);
      if (rank_ == 0) return lower;
      const optional_value<T> neighbour = read<T>(rank_ - 1);
      lower.previous = neighbour.present ? join(prefix<T>(rank_ - 1, op), neighbour, op) : lower.prefix;
      return lower;
    } else {
      return stream(value, is_publisher, rank_, op);
    }
  }

  // Returns the publisher's value to all threads; a value of zeros if no thread is the publisher.
  template <class T>
  COHORT_DEVICE T broadcast(const T& value, bool is_publisher) {
    constexpr uint64_t chunks = (sizeof(T) + chunk_bytes - 1) / chunk_bytes;
    slot<T> assembled;
    clear_value(assembled.value);
    open_all_slots();
    advance((chunks + count_ - 1) / count_);
    for (uint64_t done = 0; done < chunks; done += count_) {
      const uint64_t end = chunks - done < count_ ? chunks : done + count_;
      if (is_publisher) write_chunks(value, done, end, 0);
      end_round();
      if (!read_chunks(assembled.value, done, end, 0)) clear_value(assembled.value);
    }
    return assembled.value;
  }

 private:
  struct participants {
    uint32_t first, last;
  };
  COHORT_DEVICE participants find_participants(uint32_t mine) const {
    const auto both = [](const participants& lower, const participants& higher) {
      return participants{lower.first, higher.last};
    };
    return this_machine::reduce_team(whole_block, participants{mine, mine}, both, op_name_);
  }

  COHORT_FN static uint32_t first_round(const Set& set) {
    if constexpr (Set::is_kept) {
      return set.round();
    } else {
      return 0;
    }
  }
  // Called by all threads: the first one stores the number of rounds after this collective, which takes `rounds`.
  COHORT_FN void advance(uint64_t rounds) {
    if constexpr (Set::is_kept) {
      if (is_first_) set_.round() = round_ + static_cast<uint32_t>(rounds);
    }
  }
  // Called before a block writes to slots of other blocks, or reads a slot that may not have been written. If the
  // slots' memory is not kept, marks the block's own slots as empty and waits until all blocks have done so.
  COHORT_FN void open_all_slots() {
    if constexpr (!Set::is_kept) {
      if (is_first_) {
        const uint32_t unwritten = 0;
        for (uint32_t parity = 0; parity < 2; ++parity) {
          COHORT_COPY_BYTES(set_.slot(parity, rank_), &unwritten, sizeof unwritten);
        }
      }
      set_.sync();
    }
  }
  // Ends a round. Its slots may be read until the round after the next one begins.
  COHORT_FN void end_round() {
    set_.sync();
    ++round_;
  }

  // Writes chunks from .. end - 1 of the value to the slots of the blocks first_slot, first_slot + 1, ...
  template <class T>
  COHORT_DEVICE void write_chunks(const T& value, uint64_t from, uint64_t end, uint64_t first_slot) const {
    const uint32_t stamp = round_ + 1;
    for (uint64_t chunk = from; chunk < end; ++chunk) {
      const size_t begin = static_cast<size_t>(chunk) * chunk_bytes;
      const auto write = [&](void* slot) {
        char* to = aligned(slot);
        COHORT_COPY_BYTES(to, &stamp, sizeof stamp);
        COHORT_COPY_BYTES(to + slot_header_bytes, reinterpret_cast<const char*>(&value) + begin, length_of<T>(begin));
      };
      const uint64_t block = first_slot + chunk - from;
      if constexpr (Set::has_put) {
        alignas(16) char image[slot_bytes];
        write(image);
        set_.put(round_ % 2, block, image, slot_header_bytes + length_of<T>(begin));
      } else if constexpr (Set::has_copies) {
        for (uint32_t copy = 0; copy < set_.copies(); ++copy) write(set_.slot_of_copy(copy, round_ % 2, block));
      } else {
        write(set_.slot(round_ % 2, block));
      }
    }
  }
  // Reads chunks from .. end - 1 of the value. Returns false if the round that ended last did not write them.
  template <class T>
  COHORT_DEVICE bool read_chunks(T& value, uint64_t from, uint64_t end, uint64_t first_slot) const {
    for (uint64_t chunk = from; chunk < end; ++chunk) {
      const char* source = aligned(set_.slot((round_ - 1) % 2, first_slot + chunk - from));
      uint32_t stamp;
      COHORT_COPY_BYTES(&stamp, source, sizeof stamp);
      if (stamp != round_) return false;
      const size_t begin = static_cast<size_t>(chunk) * chunk_bytes;
      COHORT_COPY_BYTES(reinterpret_cast<char*>(&value) + begin, source + slot_header_bytes, length_of<T>(begin));
    }
    return true;
  }
  // The alignment lets the compiler copy words instead of bytes.
  COHORT_FN static char* aligned(void* slot) { return static_cast<char*>(__builtin_assume_aligned(slot, 16)); }
  template <class T>
  COHORT_FN static constexpr size_t length_of(size_t begin) {
    return sizeof(T) - begin < chunk_bytes ? sizeof(T) - begin : chunk_bytes;
  }

  template <class T>
  COHORT_FN void publish(const T& value, bool is_publisher) {
    advance(1);
    if (is_publisher) write_chunks(value, 0, 1, rank_);
    end_round();
  }
  template <class T>
  COHORT_FN optional_value<T> read(uint64_t block) const {
    optional_value<T> found = optional_value<T>::none();
    found.present = read_chunks(found.value.value, 0, 1, block);
    return found;
  }

  // Returns the reduction of blocks 0 .. end - 1 in the written order: first each grid's blocks, then the grids.
  // pre: the blocks have published their values
  template <class T, class Op>
  COHORT_DEVICE optional_value<T> prefix(uint64_t end, Op& op) const {
    const uint64_t blocks_per_grid = set_.blocks_per_grid();
    if (end <= blocks_per_grid) return gather<T>(0, end, op);
    running_tree<optional_value<T>, join_op<T, Op>> grids(join_op<T, Op>{&op});
    uint64_t begin = 0;
    for (; end - begin >= blocks_per_grid; begin += blocks_per_grid) grids.push(gather<T>(begin, blocks_per_grid, op));
    return join(grids.result(), gather<T>(begin, end - begin, op), op);
  }

  // Returns the reduction of the values of `count` blocks, beginning with block `first`. Each thread reduces a power of
  // two of adjacent blocks, and the block's own reduction combines the results: together the written tree. A block with
  // returned threads cannot do this; each of its threads reduces all values.
  template <class T, class Op>
  COHORT_DEVICE optional_value<T> gather(uint64_t first, uint64_t count, Op& op) const {
    constexpr uint64_t few = 4;
    const bool alone = count <= few || !is_full_;
    uint64_t share = 1;
    while (share * block_size() < count) share *= 2;
    uint64_t begin = alone ? 0 : share * block_thread_rank();
    const uint64_t end = alone || begin + share > count ? count : begin + share;
    running_tree<optional_value<T>, join_op<T, Op>> tree(join_op<T, Op>{&op});
    for (; begin < end; ++begin) tree.push(read<T>(first + begin));
    if (alone) return tree.result();
    const join_op<T, Op> joined{&op};
    return this_machine::reduce_team(whole_block, tree.result(), joined, op_name_);
  }

  // Reduces values that are larger than a slot. Each round carries the chunks of as many blocks' values as there are
  // slots for; the first thread of each block assembles the values and combines them one after another.
  template <class T, class Op>
  COHORT_DEVICE lower_blocks<T> stream(const T& value, bool is_publisher, uint64_t end, Op& op) {
    constexpr uint64_t chunks = (sizeof(T) + chunk_bytes - 1) / chunk_bytes;
    const uint64_t at_once = chunks < count_ ? count_ / chunks : 1;
    const uint64_t rounds_each = (chunks + count_ - 1) / count_;
    open_all_slots();
    advance((count_ + at_once - 1) / at_once * rounds_each);
    lower_blocks<T> lower;
    running_tree<optional_value<T>, join_op<T, Op>> grids(join_op<T, Op>{&op});
    running_tree<optional_value<T>, join_op<T, Op>> blocks(join_op<T, Op>{&op});
    optional_value<T> assembled = optional_value<T>::none();
    for (uint64_t first = 0; first < count_; first += at_once) {
      const bool mine = is_publisher && rank_ >= first && rank_ - first < at_once;
      for (uint64_t done = 0; done < chunks; done += count_) {
        const uint64_t until = chunks - done < count_ ? chunks : done + count_;
        if (mine) write_chunks(value, done, until, (rank_ - first) * chunks);
        end_round();
        if (!is_first_) continue;
        for (uint64_t block = first; block < end && block - first < at_once; ++block) {
          const bool complete = read_chunks(assembled.value.value, done, until, (block - first) * chunks);
          assembled.present = complete && (done == 0 || assembled.present);
          if (until != chunks) continue;
          if (block + 1 == end) lower.previous = join(join(grids.result(), blocks.result(), op), assembled, op);
          blocks.push(assembled);
          if ((block + 1) % set_.blocks_per_grid() != 0) continue;
          grids.push(blocks.result());
          blocks.clear();
        }
      }
    }
    lower.prefix = join(grids.result(), blocks.result(), op);
    if (!(end != 0 && assembled.present)) lower.previous = lower.prefix;
    return this_machine::shuffle_team(whole_block, lower, first_, op_name_);
  }

  const Set set_;
  const char* op_name_;
  uint64_t rank_, count_;
  uint32_t round_;
  uint32_t first_ = 0;
  bool is_first_ = false, is_last_ = false, is_full_ = false;
};

}  // namespace detail
}  // namespace cohort
