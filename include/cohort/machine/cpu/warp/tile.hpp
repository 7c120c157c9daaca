// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles inside a warp. The mask of a tile comes from cohort_tile_lanes(), and the size selects the code of a gang.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../contract/reference_lanes.hpp"
#include "../lane_tree.hpp"
#include "../lane_values.hpp"
#include "../port.hpp"
#include "../position.hpp"
#include "../reduce.hpp"
#include "../scan.hpp"
#include "shuffle.hpp"

namespace cohort {
namespace cpu {

struct tile {
 private:
  struct lanes : position, shuffles {};
  using reference = detail::reference_tile<lanes>;

 public:
  static constexpr bool has_tile = true;

  template <uint32_t Size>
  COHORT_FN static uint32_t tile_mask(uint32_t /*participating*/) {
    return cohort_tile_lanes(Size);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile(uint32_t participating, const T& value, uint32_t rank, const char* op_name) {
    return reference::shuffle_tile<Size>(tile_mask<Size>(participating), value, rank, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_down(uint32_t participating, const T& value, uint32_t delta, const char* op_name) {
    return reference::shuffle_tile_down<Size>(tile_mask<Size>(participating), value, delta, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_up(uint32_t participating, const T& value, uint32_t delta, const char* op_name) {
    return reference::shuffle_tile_up<Size>(tile_mask<Size>(participating), value, delta, op_name);
  }
  template <uint32_t Size, class T>
  COHORT_FN static T shuffle_tile_xor(uint32_t participating, const T& value, uint32_t ranks, const char* op_name) {
    return reference::shuffle_tile_xor<Size>(tile_mask<Size>(participating), value, ranks, op_name);
  }

  template <uint32_t Size, class T, class Op>
  COHORT_FN static T reduce_tile(uint32_t participating, const T& value, Op& op, const char* op_name) {
    if constexpr (has_lane_tree<T, Op>) {
      if (cohort_gang_lanes() == all_lanes) return lane_tree<Size>::reduce(value, op);
    }
    return reduce::reduce_lanes(tile_mask<Size>(participating), value, op, op_name);
  }
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T inclusive_scan_tile(uint32_t participating, const T& value, Op& op, const char* op_name) {
    if constexpr (has_lane_tree<T, Op>) {
      if (cohort_gang_lanes() == all_lanes) return lane_tree<Size>::inclusive_scan(value, op);
    }
    return scan::inclusive_scan_lanes(tile_mask<Size>(participating), value, op, op_name);
  }
  template <uint32_t Size, class T, class Op>
  COHORT_FN static T exclusive_scan_tile(uint32_t participating, const T& value, const T& first, Op& op,
                                         const char* op_name) {
    if constexpr (has_lane_tree<T, Op>) {
      if (cohort_gang_lanes() == all_lanes) return lane_tree<Size>::exclusive_scan(value, first, op);
    }
    return scan::exclusive_scan_lanes(tile_mask<Size>(participating), value, first, op, op_name);
  }
};

}  // namespace cpu
}  // namespace cohort
