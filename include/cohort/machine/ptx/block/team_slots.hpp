// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the warps of a team leave values for each other: shared memory of the block, one cell for a value.
//
// A collective is: the warps write, a barrier, some read and write again, a barrier, all read. What is written before
// the first barrier is read before the second one, and what is written between them is read by threads that all come to
// the first barrier of whatever overwrites it. So collectives may follow each other without one more barrier, and those
// of blocks and of tiles may use the same cells.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../words.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

// One piece of shared memory for all types of a size.
template <uint32_t Bytes>
COHORT_FN unsigned char* cell_memory() {
  alignas(16) __shared__ unsigned char memory[Bytes];
  return memory;
}

// pre: sizeof(T) <= 16
template <class T>
struct team_cells {
  static constexpr uint32_t bytes = sizeof(T) <= 4 ? 4 : sizeof(T) <= 8 ? 8 : 16;

  // What the warps of the block give, so many cells each, before the first barrier. Two for values of up to 4 bytes;
  // four for those, and of four warps.
  template <uint32_t Values>
  COHORT_FN static constexpr uint32_t given() {
    return Values == 1 ? 0 : Values == 2 ? 112 : 176;
  }
  // Cell w: what warp w of the block gets, between the barriers; and a second one.
  static constexpr uint32_t received = 32;
  static constexpr uint32_t also_received = 64;
  // What eight warps of a team have together, between the barriers: four of the block, two of each tile of 512, one of
  // each tile of 256. Tiles of different sizes and the block may be at it at once.
  COHORT_FN static uint32_t octets(uint32_t size) {
    const uint32_t before = size == 256 ? 104 : size == 512 ? 100 : 96;
    return before + team_barrier::first_of(size) / 256u;
  }
  static constexpr uint32_t count = bytes == 4 ? 192 : 108;

  COHORT_FN static void write(uint32_t cell, const T& value) {
    const words_of<T> words(value);
    const uint32_t to = address() + cell * bytes;
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + 4u * i), "r"(words.word[i]) : "memory");
    }
  }
  COHORT_FN static T read(uint32_t cell) {
    detail::slot<T> values[1];
    read(values, cell);
    return values[0].value;
  }
  // Where the n-th of sixteen values lies that a thread reads at once. Neighbours, which are combined first, are in
  // different quarters, and each quarter has neighbours in all others: then nothing can be combined away before all are
  // read, and ptxas does not keep the last loads back to save registers.
  COHORT_FN static constexpr uint32_t spread(uint32_t n) {
    const uint32_t slot = n / 4u, pair = n / 2u % 2u, half = n % 2u;
    const uint32_t apart = slot == 1 ? 2u : slot == 2 ? 3u : 1u;
    return 4u * ((apart == 1 ? 2u * pair : pair) ^ (half * apart)) + slot;
  }
  COHORT_FN static void read_spread(detail::slot<T> (&values)[16], uint32_t cell) {
    detail::slot<T> found[16];
    read(found, cell);
#pragma unroll
    for (uint32_t i = 0; i < 16; ++i) detail::copy_value(values[i].value, found[spread(i)].value);
  }
  // Count neighbours at once. pre: `cell` is a multiple of Count
  template <uint32_t Count>
  COHORT_FN static void read(detail::slot<T> (&values)[Count], uint32_t cell) {
    constexpr uint32_t count = Count * bytes / 4;
    uint32_t words[count];
    const uint32_t from = address() + cell * bytes;
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
    return static_cast<uint32_t>(__cvta_generic_to_shared(cell_memory<count * bytes>()));
  }
};

}  // namespace ptx
}  // namespace cohort
