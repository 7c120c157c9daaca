// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three extents or indices. In CUDA sources these are CUDA's own ::dim3 and ::uint3, which every CUDA compiler declares
// before the first line of the source. In plain C++ they are structs of the same layout.
#pragma once

#include "config.hpp"

namespace cohort {

#if COHORT_CUDA_SOURCE
using ::dim3;
using ::uint3;
#else
/// An index with three components (CUDA's uint3).
struct uint3 {
  unsigned int x;  ///< the component that changes fastest
  unsigned int y;  ///< the second component
  unsigned int z;  ///< the component that changes slowest
};

/// The extent of a grid, block or cluster (CUDA's dim3). Components that are not given are 1.
struct dim3 {
  unsigned int x;  ///< the extent of the component that changes fastest
  unsigned int y;  ///< the extent of the second component
  unsigned int z;  ///< the extent of the component that changes slowest
  /// An extent of up to three components.
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  /// The extent with the components of an index.
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  /// The three components as an index.
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
#endif

}  // namespace cohort
