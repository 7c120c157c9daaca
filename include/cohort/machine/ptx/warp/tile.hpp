// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks and shuffles of tiles of up to 32 threads. The tile size is a template argument, so masks are constants where
// possible, and shuffle distances are immediates.
//
// The mask of a partial tile also names lanes beyond the end of the block. The hardware treats them as lanes that have
// returned.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "../shuffle.hpp"

namespace cohort {
namespace ptx {

struct tile {
  static constexpr bool has_tile = true;

  /// Mask of the caller's tile, for the primitives.
  template <uint32_t Size>
  COHORT_FN static uint32_t full_tile_mask() {
    if constexpr (Size == 32) {
      return 0xffffffffu;
    } else {
      return detail::low_bits(Size) << (identity::lane() & ~(Size - 1u));
    }
  }
  template <uint32_t Size>
  COHORT_FN static uint32_t tile_mask(uint32_t /*participating*/) {
    return full_tile_mask<Size>();
  }

  /// Value of rank `rank` modulo `Size`; undefined if the end of the block cuts that lane off, as in CUDA.
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile(uint32_t /*participating*/, const T& value, uint32_t rank, const char* /*op_name*/) {
    return shuffles::value_of<Size>(full_tile_mask<Size>(), value, rank);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_down(uint32_t /*participating*/, const T& value, uint32_t delta,
                                       const char* /*op_name*/) {
    return shuffles::value_above<Size>(full_tile_mask<Size>(), value, delta);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_up(uint32_t /*participating*/, const T& value, uint32_t delta,
                                     const char* /*op_name*/) {
    return shuffles::value_below<Size>(full_tile_mask<Size>(), value, delta < Size ? delta : 0);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_xor(uint32_t /*participating*/, const T& value, uint32_t ranks,
                                      const char* /*op_name*/) {
    return shuffles::value_across(full_tile_mask<Size>(), value, ranks < Size ? ranks : 0);
  }
};

}  // namespace ptx
}  // namespace cohort
