// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the warps of a team leave values for each other: shared memory of the block, one cell for a value.
//
// A collective is: the warps write, a barrier, some read and write again, a barrier, all read. What is written before
// the first barrier is read before the second one, and what is written between them is read by threads that all come to
// the first barrier of whatever overwrites it. So collectives may follow each other without one more barrier, and those
// of blocks and of tiles may use the same cells.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "team_barrier.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

// pre: sizeof(T) <= 16
template <class T>
struct team_cells {
  static constexpr uint32_t bytes = sizeof(T) <= 4 ? 4 : sizeof(T) <= 8 ? 8 : 16;

  // Cell w: what warp w of the block gives, before the first barrier.
  static constexpr uint32_t given = 0;
  // Cell w: what warp w of the block gets, between the barriers; and a second one.
  static constexpr uint32_t received = 32;
  static constexpr uint32_t also_received = 64;
  // What pieces of a team give, between the barriers: up to 4 pieces of the block, 4 of each tile of 512, 2 of each of
  // 256. Tiles of different sizes and the block may be at it at once.
  COHORT_FN static uint32_t pieces(uint32_t size) {
    const uint32_t before = size == 0 ? 96 : size == 512 ? 100 : 108;
    return before + team_barrier::first_of(size) / 128u;
  }
  // Four cells of each warp in a block of four, before the first barrier.
  static constexpr uint32_t quarters = 116;
  static constexpr uint32_t count = 132;

  COHORT_FN static void write(uint32_t cell, const T& value) {
    words_of<T> words(value);
    uint32_t* to = reinterpret_cast<uint32_t*>(memory() + cell * bytes);
#pragma unroll
    for (uint32_t i = 0; i < words_of<T>::count; ++i) to[i] = words.word[i];
  }
  COHORT_FN static T read(uint32_t cell) {
    detail::slot<T> values[1];
    read(values, cell);
    return values[0].value;
  }
  // Count neighbours at once. pre: `cell` is a multiple of Count
  template <uint32_t Count>
  COHORT_FN static void read(detail::slot<T> (&values)[Count], uint32_t cell) {
    const unsigned char* from = memory() + cell * bytes;
    alignas(16) unsigned char copies[Count * bytes];
    if constexpr (Count * bytes % 16 == 0) {
      copy<uint4>(copies, from);
    } else if constexpr (Count * bytes % 8 == 0) {
      copy<uint2>(copies, from);
    } else {
      copy<uint32_t>(copies, from);
    }
#pragma unroll
    for (uint32_t i = 0; i < Count; ++i) {
      COHORT_COPY_BYTES(static_cast<void*>(&values[i].value), copies + i * bytes, sizeof(T));
    }
  }

 private:
  template <class Unit, uint32_t Bytes>
  COHORT_FN static void copy(unsigned char (&to)[Bytes], const unsigned char* from) {
    Unit units[Bytes / sizeof(Unit)];
#pragma unroll
    for (uint32_t i = 0; i < Bytes / sizeof(Unit); ++i) units[i] = reinterpret_cast<const Unit*>(from)[i];
    COHORT_COPY_BYTES(to, units, Bytes);
  }
  COHORT_FN static unsigned char* memory() { return memory_of<bytes>(); }

  template <uint32_t Bytes>
  COHORT_FN static unsigned char* memory_of() {
    __shared__ alignas(16) unsigned char memory[count * Bytes];
    return memory;
  }
};

}  // namespace ptx
}  // namespace cohort
