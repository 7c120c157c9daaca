// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives over blocks on a machine whose threads take turns (threads_take_turns in machine/concept.hpp). After a
// wait of the block, the first thread to come does what one thread must do, and keeps the result for the others. So a
// collective waits twice: once for the block and once for all blocks.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../machine/this_machine.hpp"
#include "block_exchange.hpp"

namespace cohort {
namespace detail {

// The start of the memory that the threads of a block share.
struct turn_header {
  uint32_t begun;  // collectives in which a thread has published the block's value
  uint32_t kept;   // the value of `begun` when the result below was kept
  uint32_t padding[2];
};
inline constexpr size_t most_turn_bytes = turn_bytes - sizeof(turn_header);

// The values of type T fit into the memory that the threads share, and into a slot.
template <class Set, class T>
inline constexpr bool takes_turns_v =
    this_machine::threads_take_turns && Set::is_kept && sizeof(T) <= chunk_bytes && sizeof(T) <= most_turn_bytes;

// One collective of the calling thread's block. Made before the block's wait, which all of its threads call.
template <class Machine = this_machine>
class turns {
 public:
  COHORT_FN turns() : header_(static_cast<turn_header*>(Machine::turn_memory())), number_(header_->begun + 1) {}

  // Returns the reduction over all blocks of the set. `total` is the block's value, which all of its threads have.
  template <class Set, class T, class Op>
  COHORT_FN T combine(const Set& set, const T& total, Op& op, const char* op_name) const {
    if (header_->begun != number_) {
      header_->begun = number_;
      block_exchange<Set>(set, op_name).publish_alone(total);
    }
    set.sync();
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

 private:
  COHORT_FN char* kept_value() const {
    return static_cast<char*>(__builtin_assume_aligned(reinterpret_cast<char*>(header_ + 1), 16));
  }

  turn_header* header_;
  uint32_t number_;
};

}  // namespace detail
}  // namespace cohort
