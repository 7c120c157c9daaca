// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives over blocks on a machine whose threads take turns (threads_take_turns in machine/contract/concept.hpp).
// The thread that completes the block's reduction publishes the value, and the first thread that leaves the barrier of
// all blocks combines the values and keeps the result for the others.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../machine/this_machine.hpp"
#include "block_exchange.hpp"

namespace cohort {
namespace detail {

// The start of the memory that the threads of a block share.
struct turn_header {
  uint32_t begun;       // collectives in which a thread has published the block's value
  uint32_t kept;        // the value of `begun` when the result after the header was stored
  const void* set;      // the blocks of the collective in progress; points into the frame of a thread that waits in it
  const char* op_name;  // name of the collective in progress
  uint64_t padding;
};
inline constexpr size_t most_turn_bytes = turn_bytes - sizeof(turn_header);

// True if values of type T fit into the memory that the threads share, and into a slot.
template <class Set, class T>
inline constexpr bool takes_turns_v =
    this_machine::threads_take_turns && Set::is_kept && sizeof(T) <= chunk_bytes && sizeof(T) <= most_turn_bytes;

// One collective of the calling thread's block. All threads construct it before the block's wait.
template <class Machine = this_machine>
class turns {
 public:
  COHORT_FN turns() : header_(static_cast<turn_header*>(Machine::turn_memory())), number_(header_->begun + 1) {}

  // Returns the reduction over all threads of all blocks of the set.
  template <class Set, class T, class Op>
  COHORT_FN T reduce(const Set& set, const T& value, Op& op, const char* op_name) const {
    begin(set, op_name);
    if constexpr (Machine::has_reduce_and_sync) {
      Machine::template reduce_block_and_sync<publisher<Set>>(Set::kind, value, op, op_name);
    } else {
      end(set, Machine::reduce_team(whole_block, value, op, op_name));
    }
    return combine<T>(set, op, op_name);
  }

  // Returns the number of threads of all blocks whose predicate is true.
  template <class T, class Set>
  COHORT_FN T count(const Set& set, bool predicate, const char* op_name) const {
    plus<T> add;
    begin(set, op_name);
    if constexpr (Machine::has_reduce_and_sync) {
      Machine::template reduce_block_and_sync<publisher<Set>>(Set::kind, static_cast<T>(predicate), add, op_name);
    } else {
      end(set, static_cast<T>(Machine::count_team(whole_block, predicate, op_name)));
    }
    return combine<T>(set, add, op_name);
  }

 private:
  template <class Set>
  COHORT_FN void begin(const Set& set, const char* op_name) const {
    header_->set = &set;
    header_->op_name = op_name;
  }
  // Waits for all blocks. All threads of the block have its value `total`; the first one publishes it.
  template <class Set, class T>
  COHORT_FN void end(const Set& set, const T& total) const {
    if (header_->begun != number_) publisher<Set>::call(total);
    set.sync();
  }

  // Publishes the value of the block; called by one of its threads.
  template <class Set>
  struct publisher {
    template <class T>
    COHORT_FN static void call(const T& total) {
      turn_header* const header = static_cast<turn_header*>(Machine::turn_memory());
      ++header->begun;
      block_exchange<Set>(*static_cast<const Set*>(header->set), header->op_name).publish_alone(total);
    }
  };

  // Returns the reduction of the values that all blocks have published.
  template <class T, class Set, class Op>
  COHORT_FN T combine(const Set& set, Op& op, const char* op_name) const {
    slot<T> result;
    if (header_->kept != number_) {
      copy_value(result.value, block_exchange<Set>(set, op_name).template read_alone<T>(op).value.value);
      COHORT_COPY_BYTES(kept_value(), &result.value, sizeof(T));
      header_->kept = number_;
    } else {
      COHORT_COPY_BYTES(static_cast<void*>(&result.value), kept_value(), sizeof(T));
    }
    return result.value;
  }

  COHORT_FN char* kept_value() const {
    return static_cast<char*>(__builtin_assume_aligned(reinterpret_cast<char*>(header_ + 1), 16));
  }

  turn_header* header_;
  uint32_t number_;
};

}  // namespace detail
}  // namespace cohort
