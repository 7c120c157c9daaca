// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header of a library, with a constraint for a 16-bit register of PTX.
#pragma once

inline __device__ unsigned short load_word(const unsigned short* p) {
  unsigned short value;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(value) : "l"(p));
  return value;
}
