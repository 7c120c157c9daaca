// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that the blocks of a multi-grid send to each other without its barrier. docs/design/multi-gpu.md describes the
// exchange.
//
// Each 64-bit word of a message holds 32 bits of the value and the number of the exchange. A reader polls a word until
// it has the number, so the data needs no fence and no flag. Exchanges alternate between two places for each message. A
// block ends exchange n after all blocks have read exchange n - 1, so the next exchange may reuse the place of exchange
// n - 1.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../barrier.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../port.hpp"
#include "../words.hpp"
#include "multi_grid.hpp"
#include "multi_grid_counter.hpp"
#include "poll_limit.hpp"

namespace cohort {
namespace ptx {

struct multi_grid_messages {
  static constexpr bool has_multi_grid_messages = true;
  static constexpr size_t multi_grid_message_bytes = 4 * detail::multi_grid_message::most_words;

  /// The number of the exchange that the block begins.
  COHORT_FN static uint32_t begin_exchange() {
    multi_grid::check();
    return own_block().exchanges + 1u;
  }
  /// Called by all threads of the block after a barrier of it: posts the value of thread `from`. With Orders the
  /// barrier of all grids orders memory. It runs beside the messages: the last thread arrives here and waits in
  /// end_exchange().
  /// @return the thread's token for end_exchange()
  //
  // A fence waits for the accesses of the whole multiprocessor. So the post comes after the arrival, and no thread
  // polls before the fences of the arrival; in the first block, on which all others wait, only the first of them.
  template <bool Orders, class T>
  COHORT_FN static uint32_t post_to_grid(uint32_t number, const T& value, uint32_t from) {
    const uint32_t rank = identity::block_thread_rank();
    uint32_t token = 0;
    if constexpr (!Orders) {
      if (rank == 0) own_block().exchanges = number;
      if (rank == from) post(own_block().messages[number % 2], number, value);
    } else {
      const detail::multi_grid_descriptor& launch = multi_grid::launch();
      const bool arrives = rank == identity::block_threads() - 1, is_awaited = identity::is_first_block();
      const uint32_t zero = threadIdx.x + 1u - blockDim.x;
      multi_grid_counter::arrival begun = {};
      if (arrives) begun = multi_grid_counter::begin_arrival(launch, zero);
      if (rank == from) post(own_block().messages[number % 2], number, value);
      if (arrives && !is_awaited) token = multi_grid_counter::end_arrival(launch, begun, zero);
      barrier::sync_block();
      if (arrives && is_awaited) token = multi_grid_counter::end_arrival(launch, begun, zero);
      if (arrives) own_block().exchanges = number;
    }
    return token;
  }
  template <class T>
  COHORT_FN static bool read_block(uint32_t number, uint32_t block, T& value) {
    return read(multi_grid::blocks_of(multi_grid::launch().rank)[block].messages[number % 2], number, value);
  }

  template <class T>
  COHORT_FN static void post_to_all(uint32_t number, uint32_t grid, const T& value) {
    const detail::multi_grid_descriptor& launch = multi_grid::launch();
    post(launch.words[grid]->messages[number % 2][launch.rank], number, value);
  }
  template <class T>
  COHORT_FN static void post_to_next(uint32_t number, const T& value) {
    const detail::multi_grid_descriptor& launch = multi_grid::launch();
    if (launch.rank + 1 < launch.count) post(launch.words[launch.rank + 1]->previous[number % 2], number, value);
  }
  template <class T>
  COHORT_FN static bool read_previous(uint32_t number, T& value) {
    const detail::multi_grid_descriptor& launch = multi_grid::launch();
    return read(launch.words[launch.rank]->previous[number % 2], number, value);
  }
  /// Each thread reads some grids' values into shared memory. The block's barrier shows them to all threads.
  template <bool Orders, class T>
  COHORT_FN static const detail::slot<T>* end_exchange(uint32_t number, uint32_t token, bool completed) {
    const detail::multi_grid_descriptor& launch = multi_grid::launch();
    detail::slot<T>* const values = grid_values<T>();
    const bool converged = convergence::is_warp_converged();
#pragma unroll 1
    for (uint32_t grid = identity::block_thread_rank(); grid < launch.count; grid += identity::block_threads()) {
      if (!read(launch.words[launch.rank]->messages[number % 2][grid], number, values[grid].value)) completed = false;
    }
    if constexpr (Orders) {
      if (identity::block_thread_rank() == identity::block_threads() - 1 && !multi_grid_counter::wait(launch, token))
        completed = false;
    }
    multi_grid::exit_unless(completed, converged);
    return values;
  }

 private:
  COHORT_FN static detail::multi_grid_block& own_block() {
    return multi_grid::blocks_of(multi_grid::launch().rank)[identity::block_rank()];
  }

  /// Shared memory for one value of each grid.
  template <class T>
  COHORT_FN static detail::slot<T>* grid_values() {
    alignas(16) __shared__ unsigned char memory[max_devices * sizeof(detail::slot<T>)];
    return reinterpret_cast<detail::slot<T>*>(memory);
  }

  template <class T>
  COHORT_FN static void post(detail::multi_grid_message& to, uint32_t number, const T& value) {
    static_assert(sizeof(T) <= multi_grid_message_bytes, "a message has 64 bytes at most");
    const words_of<T> mine(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(&to.words[i])),
                   "l"(static_cast<uint64_t>(number) << 32 | mine.word[i])
                   : "memory");
    }
  }

  /// Waits for the message of exchange `number`. Returns false if the host has ended the launch instead.
  template <class T>
  COHORT_FN static bool read(const detail::multi_grid_message& from, uint32_t number, T& value) {
    constexpr uint32_t count = words_of<T>::count;
    uint32_t words[count];
    for (poll_limit limit;;) {
      bool complete = true;
#pragma unroll
      for (uint32_t i = 0; i < count; ++i) {
        uint64_t found;
        asm volatile("ld.relaxed.sys.global.u64 %0, [%1];"
                     : "=l"(found)
                     : "l"(__cvta_generic_to_global(&from.words[i]))
                     : "memory");
        words[i] = static_cast<uint32_t>(found);
        complete = complete && static_cast<uint32_t>(found >> 32) == number;
      }
      if (complete) break;
      if (limit.must_end(multi_grid::launch())) return false;
    }
    COHORT_COPY_BYTES(static_cast<void*>(&value), words, sizeof(T));
    return true;
  }
};

}  // namespace ptx
}  // namespace cohort
