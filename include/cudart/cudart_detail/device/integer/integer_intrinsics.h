// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions: bit counts, high halves of products, averages, funnel shifts, byte permutation, dot products.
#pragma once

#include "../../../vector_types.h"
#include "../macros.h"

COHORT_DEVICE_FUNCTION int __popc(unsigned int x) { return __builtin_popcount(x); }
COHORT_DEVICE_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
COHORT_DEVICE_FUNCTION int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32; }
COHORT_DEVICE_FUNCTION int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
COHORT_DEVICE_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
COHORT_DEVICE_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
COHORT_DEVICE_FUNCTION unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
COHORT_DEVICE_FUNCTION unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

COHORT_DEVICE_FUNCTION int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
COHORT_DEVICE_FUNCTION unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
COHORT_DEVICE_FUNCTION long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
COHORT_DEVICE_FUNCTION unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
COHORT_DEVICE_FUNCTION int mulhi(int x, int y) { return __mulhi(x, y); }
COHORT_DEVICE_FUNCTION unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
COHORT_DEVICE_FUNCTION unsigned int mulhi(int x, unsigned int y) { return __umulhi(static_cast<unsigned int>(x), y); }
COHORT_DEVICE_FUNCTION unsigned int mulhi(unsigned int x, int y) { return __umulhi(x, static_cast<unsigned int>(y)); }
COHORT_DEVICE_FUNCTION long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
COHORT_DEVICE_FUNCTION unsigned long long mul64hi(unsigned long long x, unsigned long long y) {
  return __umul64hi(x, y);
}
COHORT_DEVICE_FUNCTION unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
COHORT_DEVICE_FUNCTION unsigned long long umul64hi(unsigned long long x, unsigned long long y) {
  return __umul64hi(x, y);
}

// Products of the low 24 bits; the result is the low 32 bits.
COHORT_DEVICE_FUNCTION int __mul24(int x, int y) {
  const int a = static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8;
  const int b = static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8;
  return static_cast<int>(static_cast<long long>(a) * b);
}
COHORT_DEVICE_FUNCTION unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xFFFFFFu) * (y & 0xFFFFFFu);
}
COHORT_DEVICE_FUNCTION int mul24(int x, int y) { return __mul24(x, y); }
COHORT_DEVICE_FUNCTION unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }

// |x - y| + z.
COHORT_DEVICE_FUNCTION unsigned int __sad(int x, int y, unsigned int z) {
  const long long difference = static_cast<long long>(x) - y;
  return static_cast<unsigned int>(difference < 0 ? -difference : difference) + z;
}
COHORT_DEVICE_FUNCTION unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}

// Averages without overflow; the `r` forms round up.
COHORT_DEVICE_FUNCTION int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
COHORT_DEVICE_FUNCTION int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
COHORT_DEVICE_FUNCTION unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
COHORT_DEVICE_FUNCTION unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Shifts the 64 bits high:low, and returns the upper (left) or lower (right) 32 bits. The plain forms take the shift
// modulo 32, the `c` forms at most 32.
COHORT_DEVICE_FUNCTION unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
COHORT_DEVICE_FUNCTION unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
COHORT_DEVICE_FUNCTION unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
COHORT_DEVICE_FUNCTION unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

COHORT_DEVICE_FUNCTION unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
COHORT_DEVICE_FUNCTION unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
COHORT_DEVICE_FUNCTION unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// Selects four of the eight bytes of x (0 to 3) and y (4 to 7), each by three bits. The fourth bit of a selector has no
// effect, unlike in PTX's prmt.
COHORT_DEVICE_FUNCTION unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selectors) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int selector = selectors >> (4 * i) & 7u;
    result |= (static_cast<unsigned int>(bytes >> (8 * selector)) & 255u) << (8 * i);
  }
  return result;
}

// Position of the n-th set bit of `mask`, counted from bit `base`: upward for n > 0, downward for n < 0. For n = 0 it
// is `base` if that bit is set. All ones if there is no such bit.
COHORT_DEVICE_FUNCTION unsigned int __fns(unsigned int mask, unsigned int base, int nth) {
  if (base > 31u) return 0xFFFFFFFFu;
  if (nth == 0) return mask >> base & 1u ? base : 0xFFFFFFFFu;
  const int step = nth > 0 ? 1 : -1;
  unsigned int left = nth > 0 ? static_cast<unsigned int>(nth) : 0u - static_cast<unsigned int>(nth);
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1u) && --left == 0) return static_cast<unsigned int>(bit);
  return 0xFFFFFFFFu;
}

// Dot products of the bytes of a and b (dp4a), or of the halves of a with two bytes of b (dp2a), added to c.
#define COHORT_DOT_PRODUCTS(integer, byte, half)                                                                    \
  COHORT_DEVICE_FUNCTION integer __dp4a(integer a, integer b, integer c) {                                          \
    unsigned int sum = static_cast<unsigned int>(c);                                                                \
    for (int i = 0; i < 32; i += 8)                                                                                 \
      sum += static_cast<unsigned int>(static_cast<byte>(a >> i) * static_cast<byte>(b >> i));                      \
    return static_cast<integer>(sum);                                                                               \
  }                                                                                                                 \
  COHORT_DEVICE_FUNCTION integer __dp2a_lo(integer a, integer b, integer c) {                                       \
    return static_cast<integer>(static_cast<unsigned int>(static_cast<half>(a) * static_cast<byte>(b)) +            \
                                static_cast<unsigned int>(static_cast<half>(a >> 16) * static_cast<byte>(b >> 8)) + \
                                static_cast<unsigned int>(c));                                                      \
  }                                                                                                                 \
  COHORT_DEVICE_FUNCTION integer __dp2a_hi(integer a, integer b, integer c) { return __dp2a_lo(a, b >> 16, c); }

COHORT_DOT_PRODUCTS(int, signed char, short)
COHORT_DOT_PRODUCTS(unsigned int, unsigned char, unsigned short)
#undef COHORT_DOT_PRODUCTS

COHORT_DEVICE_FUNCTION int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
COHORT_DEVICE_FUNCTION unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
COHORT_DEVICE_FUNCTION int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
COHORT_DEVICE_FUNCTION int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
COHORT_DEVICE_FUNCTION unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_lo(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
COHORT_DEVICE_FUNCTION unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_hi(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
