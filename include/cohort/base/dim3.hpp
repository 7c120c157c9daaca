// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three extents or indices. In CUDA source this is CUDA's own ::dim3, which every CUDA compiler declares before the
// first line of the user's source; in plain C++ it is a struct of the same shape.
#pragma once

#include "config.hpp"

namespace cohort {

#if COHORT_CUDA_SOURCE
using ::dim3;
using ::uint3;
#else
struct uint3 {
  unsigned int x, y, z;
};

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
#endif

}  // namespace cohort
