// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange of values in a team, through shared memory of the block: a word of each thread at a time.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../words.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

struct team {
  static constexpr bool has_team_count = true;
  static constexpr bool has_team_shuffle = true;

  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* what) {
    if (team_barrier::is_whole_pair(size)) return count_pair(predicate);
    if (team_barrier::is_pair(size)) return count_cut_pair(size, predicate, what);
    return team_barrier::sync_team_count(size, predicate);
  }

  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* what) {
    const uint32_t first = team_barrier::first_of(size);
    const bool exists = source < team_barrier::threads_of(size);
    if constexpr (words_of<T>::count <= 4) {
      if (team_barrier::is_whole_pair(size)) {
        const pair_of_warps pair = team_barrier::pair();
        const uint32_t number = pair.next_exchange();
        const uint32_t rank = source % 64u;  // who asks for nobody is told below
        const T mine = shuffles::value_of(0xffffffffu, value, rank);
        T received = pair.swap_if_same(
            mine, rank, number,
            [&](const T& other) { return choose((rank / 32u != 0) == pair.is_upper(), mine, other); },
            [&] { return exchange_threads(size, value, first + source, exists, what); });
        if (source >= 64u) detail::clear_value(received);
        return received;
      }
    }
    return exchange_threads(size, value, first + source, exists, what);
  }

  template <class T>
  COHORT_FN static uint32_t exchange_warps(uint32_t size, const T& value, bool speaks, detail::slot<T>* values,
                                           const char* what) {
    const uint32_t rank = team_barrier::block_rank();
    const uint32_t first = team_barrier::first_of(size);
    const uint32_t warps = (team_barrier::threads_of(size) + 31u) / 32u;
    uint32_t* words = thread_words();
    words_of<T> mine(value);
    const auto piece = [&](uint32_t i) { return words + first + i * 32u; };  // of warp i: 32 words
    for (uint32_t begin = 0; begin < words_of<T>::count; begin += 32) {
      const uint32_t left = words_of<T>::count - begin;
      const uint32_t count = left < 32 ? left : 32;
      if (speaks) {
        for (uint32_t i = 0; i < count; ++i) piece((rank - first) / 32u)[i] = mine.word[begin + i];
      }
      team_barrier::sync_team(size, what);
      for (uint32_t warp = 0; warp < warps; ++warp) {
        const uint32_t bytes = static_cast<uint32_t>(sizeof(T)) - begin * 4u;
        COHORT_COPY_BYTES(reinterpret_cast<char*>(&values[warp]) + begin * 4u, piece(warp),
                          bytes < 128u ? bytes : 128u);
      }
      team_barrier::sync_team(size, what);
    }
    return detail::low_bits(warps);
  }

  // One word for each thread of the block. Teams of different sizes may use it at once: a thread is in one exchange at
  // a time, and writes only where the words of its own team are.
  COHORT_FN static uint32_t* thread_words() {
    alignas(16) __shared__ uint32_t words[1024];
    return words;
  }

 private:
  // The value of the block's thread `from`; zero bytes if it does not exist.
  template <class T>
  COHORT_FN static T exchange_threads(uint32_t size, const T& value, uint32_t from, bool exists, const char* what) {
    uint32_t* words = thread_words();
    words_of<T> mine(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      words[team_barrier::block_rank()] = mine.word[i];
      team_barrier::sync_team(size, what);
      mine.word[i] = exists ? words[from] : 0u;
      team_barrier::sync_team(size, what);
    }
    return mine.value();
  }

  COHORT_FN static uint32_t count_pair(bool predicate) {
    const pair_of_warps pair = team_barrier::pair();
    const uint32_t number = pair.next_exchange();
    const uint32_t mine = detail::popcount(vote::ballot(0xffffffffu, predicate, "count"));
    return mine + pair.swap(mine, number);
  }
  COHORT_FN static uint32_t count_cut_pair(uint32_t size, bool predicate, const char* what) {
    const uint32_t rank = team_barrier::block_rank();
    uint32_t* first = thread_words() + team_barrier::first_of(size);
    const uint32_t mine = detail::popcount(vote::ballot(0xffffffffu, predicate, what));
    if (rank % 32u == 0) thread_words()[rank] = mine;
    team_barrier::sync_team(size, what);
    const uint32_t upper = team_barrier::threads_of(size) > 32u ? first[32] : 0u;
    const uint32_t count = first[0] + upper;
    team_barrier::sync_team(size, what);
    return count;
  }
};

}  // namespace ptx
}  // namespace cohort
