// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that may read and write the memory of a pool or of a mapping.
#pragma once

#include <cstdint>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Sets of devices, one bit for each device.
struct access_rights {
  uint64_t readers = 0;
  uint64_t writers = 0;  // writers may read too

  cudaMemAccessFlags of(int device) const {
    const uint64_t bit = uint64_t{1} << device;
    if (writers & bit) return cudaMemAccessFlagsProtReadWrite;
    return readers & bit ? cudaMemAccessFlagsProtRead : cudaMemAccessFlagsProtNone;
  }
  // Changes the rights of one device. pre: is_right() is true for the flags
  void change(const cudaMemAccessDesc& wanted) {
    const uint64_t bit = uint64_t{1} << wanted.location.id;
    readers = wanted.flags != cudaMemAccessFlagsProtNone ? readers | bit : readers & ~bit;
    writers = wanted.flags == cudaMemAccessFlagsProtReadWrite ? writers | bit : writers & ~bit;
  }
};

inline bool is_right(cudaMemAccessFlags flags) {
  return flags == cudaMemAccessFlagsProtNone || flags == cudaMemAccessFlagsProtRead ||
         flags == cudaMemAccessFlagsProtReadWrite;
}

}  // namespace cohort::runtime
