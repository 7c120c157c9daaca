// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators whose results show the order of their operands.
#pragma once

#include <cuda_runtime.h>

namespace conformance {

// Neither associative nor commutative: the result depends on the whole tree.
struct trace {
  __host__ __device__ unsigned int operator()(unsigned int a, unsigned int b) const {
    return (a * 2654435761u) ^ (b * 40503u + 77u);
  }
};

// The function x -> slope * x + offset. Composition is exactly associative and not commutative.
struct affine {
  unsigned int slope, offset;

  __host__ __device__ static affine of(unsigned int n) { return {n * 2654435761u | 1u, n * 40503u + 7u}; }
  struct then {
    __host__ __device__ affine operator()(const affine& first, const affine& second) const {
      return {first.slope * second.slope, second.slope * first.offset + second.offset};
    }
  };
  __host__ __device__ friend bool operator==(const affine& a, const affine& b) {
    return a.slope == b.slope && a.offset == b.offset;
  }
};

// Six affine functions: 48 bytes.
struct affine_wide {
  affine part[6];

  __host__ __device__ static affine_wide of(unsigned int n) {
    affine_wide all;
    for (unsigned int i = 0; i < 6; ++i) all.part[i] = affine::of(n + i);
    return all;
  }
  struct then {
    __host__ __device__ affine_wide operator()(const affine_wide& first, const affine_wide& second) const {
      affine_wide all;
      for (unsigned int i = 0; i < 6; ++i) all.part[i] = affine::then()(first.part[i], second.part[i]);
      return all;
    }
  };
  __host__ __device__ friend bool operator==(const affine_wide& a, const affine_wide& b) {
    for (unsigned int i = 0; i < 6; ++i) {
      if (!(a.part[i] == b.part[i])) return false;
    }
    return true;
  }
};

}  // namespace conformance
