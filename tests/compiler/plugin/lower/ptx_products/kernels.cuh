// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for each product of products.inc: each warp loads its registers, multiplies and stores D.
#pragma once

#include <cstdint>

// All products number their operands alike: D is 0 to 7, A 8 to 15, B 16 to 19, C 20 to 27, the metadata 28.
#define D2 "{%0, %1}"
#define D4 "{%0, %1, %2, %3}"
#define D8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define A1 "{%8}"
#define A2 "{%8, %9}"
#define A4 "{%8, %9, %10, %11}"
#define A8 "{%8, %9, %10, %11, %12, %13, %14, %15}"
#define B1 "{%16}"
#define B2 "{%16, %17}"
#define B4 "{%16, %17, %18, %19}"
#define C2 "{%20, %21}"
#define C4 "{%20, %21, %22, %23}"
#define C8 "{%20, %21, %22, %23, %24, %25, %26, %27}"

template <class Word>
struct operands {
  const Word *a, *b, *c;
  const uint32_t* metadata;
  Word* d;
};

#define KERNEL(name, word, code, opcode, d_count, a_count, b_count, c_count, tail)                                 \
  __global__ void name(operands<word> of) {                                                                        \
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    word a[8] = {}, b[4] = {}, c[8] = {}, d[8] = {};                                                               \
    for (int i = 0; i < a_count; ++i) a[i] = of.a[thread * a_count + i];                                           \
    for (int i = 0; i < b_count; ++i) b[i] = of.b[thread * b_count + i];                                           \
    for (int i = 0; i < c_count; ++i) c[i] = of.c[thread * c_count + i];                                           \
    asm volatile(opcode " " D##d_count ", " A##a_count ", " B##b_count ", " C##c_count tail ";"                    \
                 : "=" code(d[0]), "=" code(d[1]), "=" code(d[2]), "=" code(d[3]), "=" code(d[4]), "=" code(d[5]), \
                   "=" code(d[6]), "=" code(d[7])                                                                  \
                 : code(a[0]), code(a[1]), code(a[2]), code(a[3]), code(a[4]), code(a[5]), code(a[6]), code(a[7]), \
                   code(b[0]), code(b[1]), code(b[2]), code(b[3]), code(c[0]), code(c[1]), code(c[2]), code(c[3]), \
                   code(c[4]), code(c[5]), code(c[6]), code(c[7]), "r"(of.metadata[thread]));                      \
    for (int i = 0; i < d_count; ++i) of.d[thread * d_count + i] = d[i];                                           \
  }
#define PRODUCT(name, opcode, d, a, b, c, type_a, type_b, type_c, ...) \
  KERNEL(name, uint32_t, "r", opcode, d, a, b, c, "")
#define SPARSE(name, opcode, d, a, b, c, type_a, type_b, type_c, chosen, selector, ...) \
  KERNEL(name, uint32_t, "r", opcode, d, a, b, c, ", %28, " selector)
#define PRODUCT64(name, opcode, d, a, b, c, type_a, type_b, type_c, ...) \
  KERNEL(name, uint64_t, "l", opcode, d, a, b, c, "")
#include "products.inc"
