// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange of values between the threads of a team: counts, shuffles, and one value of each warp.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../identity.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../words.hpp"
#include "leader_phase.hpp"
#include "team_barrier.hpp"
#include "warp_pair_channel.hpp"

namespace cohort {
namespace ptx {

struct team_exchange {
  static constexpr bool has_team_count = true;
  static constexpr bool has_team_shuffle = true;

  /// The number of the team's threads whose `predicate` is true.
  COHORT_FN static uint32_t count_team(uint32_t size, bool predicate, const char* op_name) {
    if (team_barrier::is_full_warp_pair(size)) return count_full_pair(predicate);
    if (team_barrier::is_warp_pair(size)) return count_partial_pair(size, predicate, op_name);
    return team_barrier::sync_team_count(size, predicate);
  }

  /// Value of the team's thread `source`; zero bytes if the team has no such thread.
  template <class T>
  COHORT_FN static T shuffle_team(uint32_t size, const T& value, uint32_t source, const char* /*op_name*/) {
    const uint32_t first = team_barrier::first_thread(size);
    const bool exists = source < team_barrier::team_threads(size);
    if constexpr (words_of<T>::count <= 4) {
      if (size == 64) {
        const auto exchange = [&] {
          return exchange_threads(size, warp_pair_channel::pair_words(), value, first + source, exists);
        };
        if (!team_barrier::is_full_warp_pair(size)) return exchange();
        const warp_pair_channel pair;
        const uint32_t number = pair.next_exchange();
        const uint32_t rank = source % 64u;  // a source beyond the tile is handled at the end
        const auto near_of = [&] { return shuffles::value_of(0xffffffffu, value, rank); };
        T result = pair.shuffle(value, near_of, rank, number, exchange);
        if (source >= 64u) detail::clear_value(result);
        return result;
      }
    }
    return exchange_threads(size, thread_words(), value, first + source, exists);
  }

  /// Copies the value of each warp's publisher to values[w]; returns the mask of the team's warps.
  /// @pre exactly one thread of each warp of the team publishes
  template <class T>
  COHORT_FN static uint32_t exchange_warps(uint32_t size, const T& value, bool publishes, detail::slot<T>* values,
                                           const char* /*op_name*/) {
    const uint32_t rank = identity::block_thread_rank();
    const uint32_t first = team_barrier::first_thread(size);
    const uint32_t warps = (team_barrier::team_threads(size) + 31u) / 32u;
    uint32_t* words = thread_words();
    words_of<T> mine(value);
    const auto chunk = [&](uint32_t i) { return words + first + i * 32u; };  // the 32 words of warp i
    for (uint32_t begin = 0; begin < words_of<T>::count; begin += 32) {
      const uint32_t left = words_of<T>::count - begin;
      const uint32_t count = left < 32 ? left : 32;
      if (publishes) {
        for (uint32_t i = 0; i < count; ++i) chunk((rank - first) / 32u)[i] = mine.word[begin + i];
      }
      const leader_phase phase(sync_team_of{size});
      for (uint32_t warp = 0; warp < warps; ++warp) {
        const uint32_t bytes = static_cast<uint32_t>(sizeof(T)) - begin * 4u;
        COHORT_COPY_BYTES(reinterpret_cast<char*>(&values[warp]) + begin * 4u, chunk(warp),
                          bytes < 128u ? bytes : 128u);
      }
    }
    return detail::low_bits(warps);
  }

 private:
  /// One word for each thread of the block. Teams of different sizes may use the words at the same time: a thread takes
  /// part in one exchange at a time and writes only words of its own team.
  COHORT_FN static uint32_t* thread_words() {
    alignas(16) __shared__ uint32_t words[1024];
    return words;
  }

  /// Value of the block's thread `from`; zero bytes if not `exists`.
  /// @param words one for each thread of the block
  template <class T>
  COHORT_FN static T exchange_threads(uint32_t size, uint32_t* words, const T& value, uint32_t from, bool exists) {
    words_of<T> mine(value);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      words[identity::block_thread_rank()] = mine.word[i];
      const leader_phase phase(sync_team_of{size});
      mine.word[i] = exists ? words[from] : 0u;
    }
    return mine.value();
  }

  COHORT_FN static uint32_t count_full_pair(bool predicate) {
    const warp_pair_channel pair;
    const uint32_t number = pair.next_exchange();
    const uint32_t mine = detail::popcount(vote::ballot(0xffffffffu, predicate, "count"));
    return mine + pair.swap(mine, number);
  }
  COHORT_FN static uint32_t count_partial_pair(uint32_t size, bool predicate, const char* op_name) {
    const uint32_t rank = identity::block_thread_rank();
    uint32_t* first = thread_words() + team_barrier::first_thread(size);
    const uint32_t mine = detail::popcount(vote::ballot(0xffffffffu, predicate, op_name));
    if (rank % 32u == 0) thread_words()[rank] = mine;
    const leader_phase phase(sync_team_of{size});
    const uint32_t upper = team_barrier::team_threads(size) > 32u ? first[32] : 0u;
    return first[0] + upper;
  }
};

}  // namespace ptx
}  // namespace cohort
