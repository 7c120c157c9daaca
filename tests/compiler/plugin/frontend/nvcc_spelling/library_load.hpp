// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header of a library, with constraints for 16-bit registers of PTX.
#pragma once

inline __device__ unsigned short load_word(const unsigned short* p) {
  unsigned short value;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(value) : "l"(p));
  return value;
}

// This PTX has no statement that would name a register's type. Even a template that is never instantiated needs valid
// constraints.
template <int = 0>
__device__ void store_masked(void* to, unsigned from, unsigned size, unsigned short mask) {
  asm("{\n\tcp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], %2, %3;\n\t}"
      :
      : "l"(to), "r"(from), "r"(size), "h"(mask)
      : "memory");
}
