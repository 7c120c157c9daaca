// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The staging buffer of team collectives: shared memory of the block, one slot for each value.
//
// A collective has five steps: publish slots, barrier, leaders read and write slots, barrier, read slots. Slots written
// before the first barrier are read before the second. Slots written between the barriers are read by threads that all
// reach the first barrier of the next collective before anything overwrites them. So collectives can follow each other
// without further barriers, and those of blocks and tiles can share the slots.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../words.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

/// Shared memory of `Bytes` bytes, the same for all value types of one size.
template <uint32_t Bytes>
COHORT_FN unsigned char* slot_memory() {
  alignas(16) __shared__ unsigned char memory[Bytes];
  return memory;
}

/// The slots of values of type T.
/// @pre sizeof(T) <= 16
template <class T>
struct team_slots {
  static constexpr uint32_t bytes = sizeof(T) <= 4 ? 4 : sizeof(T) <= 8 ? 8 : 16;

  /// First slot of the partials that each warp publishes before the first barrier.
  /// @tparam Values partials of each warp: 1; 2 for values of up to 4 bytes; 4 for those, in blocks of up to four warps
  template <uint32_t Values>
  COHORT_FN static constexpr uint32_t partials() {
    return Values == 1 ? 0 : Values == 2 ? 112 : 176;
  }
  /// First slot of the results: slot w holds what a leader has computed for warp w of the block, between the barriers.
  static constexpr uint32_t results = 32;
  /// First slot of a second result for each warp: the exclusive prefix of its first lane.
  static constexpr uint32_t first_lane_results = 64;
  /// First slot of the totals of the caller team's groups of 8 warps, written between the barriers: four slots of the
  /// block, two of each tile of 512, one of each tile of 256. Teams of different sizes may use theirs at the same time.
  COHORT_FN static uint32_t group_totals(uint32_t size) {
    const uint32_t first = size == 256 ? 104 : size == 512 ? 100 : 96;
    return first + team_barrier::first_thread(size) / 256u;
  }
  static constexpr uint32_t count = bytes == 4 ? 192 : 108;

  COHORT_FN static void write(uint32_t slot, const T& value) {
    const words_of<T> words(value);
    const uint32_t to = address() + slot * bytes;
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + 4u * i), "r"(words.word[i]) : "memory");
    }
  }
  COHORT_FN static T read(uint32_t slot) {
    detail::slot<T> values[1];
    read(values, slot);
    return values[0].value;
  }

  /// Position of value n among 16 that one thread reads by four loads. Values that are combined first lie in different
  /// loads, and each load has such a partner in every other one. So no value can be combined before all loads have
  /// completed, and ptxas does not delay the last loads to save registers.
  COHORT_FN static constexpr uint32_t swizzle(uint32_t n) {
    const uint32_t column = n / 4u, pair = n / 2u % 2u, half = n % 2u;
    const uint32_t distance = column == 1 ? 2u : column == 2 ? 3u : 1u;
    return 4u * ((distance == 1 ? 2u * pair : pair) ^ (half * distance)) + column;
  }
  COHORT_FN static void read_swizzled(detail::slot<T> (&values)[16], uint32_t first) {
    detail::slot<T> found[16];
    read(found, first);
#pragma unroll
    for (uint32_t i = 0; i < 16; ++i) detail::copy_value(values[i].value, found[swizzle(i)].value);
  }

  /// Reads `Count` adjacent slots by loads of up to 16 bytes.
  /// @pre `first` is a multiple of Count
  template <uint32_t Count>
  COHORT_FN static void read(detail::slot<T> (&values)[Count], uint32_t first) {
    constexpr uint32_t count = Count * bytes / 4;
    uint32_t words[count];
    const uint32_t from = address() + first * bytes;
#pragma unroll
    for (uint32_t i = 0; i < count; i += count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1) {
      if constexpr (count % 4 == 0) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[i]), "=r"(words[i + 1]), "=r"(words[i + 2]), "=r"(words[i + 3])
                     : "r"(from + 4u * i)
                     : "memory");
      } else if constexpr (count % 2 == 0) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(words[i]), "=r"(words[i + 1])
                     : "r"(from + 4u * i)
                     : "memory");
      } else {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(words[i]) : "r"(from + 4u * i) : "memory");
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) {
      COHORT_COPY_BYTES(static_cast<void*>(&values[i].value), words + i * (bytes / 4), sizeof(T));
    }
  }

 private:
  COHORT_FN static uint32_t address() {
    return static_cast<uint32_t>(__cvta_generic_to_shared(slot_memory<count * bytes>()));
  }
};

}  // namespace ptx
}  // namespace cohort
