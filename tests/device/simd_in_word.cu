// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed integers in a word, against host code that unpacks them into arrays.
#include "apply.hpp"

typedef unsigned int u32;

static std::vector<u32> first, second;

// `expression` uses the elements x and y as `long`, with the named signedness; the result is truncated to the element.
#define TEST(name, count, is_signed, expression)                                                              \
  struct test##name##count {                                                                                  \
    __device__ static u32 device(u32 a, u32 b) { return call_##name##count(a, b); }                           \
    test##name##count() {                                                                                     \
      const std::vector<u32> results = apply<test##name##count, u32>(first, second);                          \
      for (size_t i = 0; i < results.size(); ++i) {                                                           \
        u32 wanted = 0;                                                                                       \
        for (int k = 0; k < count; ++k) {                                                                     \
          const long x = element(first[i], count, k, is_signed), y = element(second[i], count, k, is_signed); \
          (void)y;                                                                                            \
          const long bits = 32 / count, high = (1L << (is_signed ? bits - 1 : bits)) - 1;                     \
          const long low = is_signed ? -high - 1 : 0;                                                         \
          (void)low;                                                                                          \
          wanted |= static_cast<u32>((expression) & ((1L << bits) - 1)) << (bits * k);                        \
        }                                                                                                     \
        check::equal("__" #name #count, results[i], wanted, first[i], second[i]);                             \
      }                                                                                                       \
    }                                                                                                         \
  };

static long element(u32 word, int count, int k, bool is_signed) {
  unsigned char bytes[4];
  std::memcpy(bytes, &word, 4);
  if (count == 4) return is_signed ? static_cast<signed char>(bytes[k]) : bytes[k];
  unsigned short halves[2];
  std::memcpy(halves, &word, 4);
  return is_signed ? static_cast<short>(halves[k]) : halves[k];
}
static long clamp(long x, long low, long high) { return x < low ? low : x > high ? high : x; }

#define BOTH(name, is_signed, expression)                                   \
  __device__ u32 call_##name##2(u32 a, u32 b) { return __##name##2(a, b); } \
  __device__ u32 call_##name##4(u32 a, u32 b) { return __##name##4(a, b); } \
  TEST(name, 2, is_signed, expression)                                      \
  TEST(name, 4, is_signed, expression)
#define BOTH_1(name, is_signed, expression)                            \
  __device__ u32 call_##name##2(u32 a, u32) { return __##name##2(a); } \
  __device__ u32 call_##name##4(u32 a, u32) { return __##name##4(a); } \
  TEST(name, 2, is_signed, expression)                                 \
  TEST(name, 4, is_signed, expression)
#define COMPARE(name, is_signed, comparison)               \
  BOTH(vcmp##name, is_signed, (x comparison y) ? -1L : 0L) \
  BOTH(vset##name, is_signed, (x comparison y) ? 1L : 0L)

BOTH(vadd, false, x + y)
BOTH(vsub, false, x - y)
BOTH(vaddss, true, clamp(x + y, low, high))
BOTH(vaddus, false, clamp(x + y, low, high))
BOTH(vsubss, true, clamp(x - y, low, high))
BOTH(vsubus, false, clamp(x - y, low, high))
BOTH_1(vneg, true, -x)
BOTH_1(vnegss, true, clamp(-x, low, high))
BOTH_1(vabs, true, std::labs(x))
BOTH_1(vabsss, true, clamp(std::labs(x), low, high))
BOTH(vabsdiffs, true, std::labs(x - y))
BOTH(vabsdiffu, false, std::labs(x - y))
BOTH(vhaddu, false, (x + y) / 2)
BOTH(vavgu, false, (x + y + 1) / 2)
BOTH(vavgs, true, std::lround((x + y) / 2.0))
BOTH(vmaxs, true, x > y ? x : y)
BOTH(vmaxu, false, x > y ? x : y)
BOTH(vmins, true, x > y ? y : x)
BOTH(vminu, false, x > y ? y : x)
COMPARE(eq, true, ==)
COMPARE(ne, true, !=)
COMPARE(ges, true, >=)
COMPARE(geu, false, >=)
COMPARE(gts, true, >)
COMPARE(gtu, false, >)
COMPARE(les, true, <=)
COMPARE(leu, false, <=)
COMPARE(lts, true, <)
COMPARE(ltu, false, <)

template <int Count, bool Signed>
struct differences {
  __device__ static u32 device(u32 a, u32 b) {
    return Count == 2 ? (Signed ? __vsads2(a, b) : __vsadu2(a, b)) : (Signed ? __vsads4(a, b) : __vsadu4(a, b));
  }
  differences() {
    const std::vector<u32> results = apply<differences, u32>(first, second);
    for (size_t i = 0; i < results.size(); ++i) {
      long wanted = 0;
      for (int k = 0; k < Count; ++k)
        wanted += std::labs(element(first[i], Count, k, Signed) - element(second[i], Count, k, Signed));
      check::equal("__vsad", results[i], static_cast<u32>(wanted), first[i], second[i]);
    }
  }
};

#define RUN(name) \
  test##name##2 {}, test##name##4 {}

int main() {
  // Tests every pair of bytes with other bytes beside them, and the bounds of 16-bit elements.
  check::generator random;
  for (u32 x = 0; x < 256; ++x) {
    for (u32 y = 0; y < 256; y += 3) {
      const u32 noise = static_cast<u32>(random());
      first.push_back(x | (noise & 0xffffff00u)), second.push_back(y | static_cast<u32>(random() << 8));
    }
  }
  for (u32 x : {0x80008000u, 0x7fff8000u, 0xffff0001u, 0x00000000u, 0x80807f7fu, 0xff01fe02u})
    for (u32 y : {0x80008000u, 0x7fff7fffu, 0xffffffffu, 0x00010001u, 0x80808080u})
      first.push_back(x), second.push_back(y);

  RUN(vadd), RUN(vsub), RUN(vaddss), RUN(vaddus), RUN(vsubss), RUN(vsubus), RUN(vneg), RUN(vnegss), RUN(vabs);
  RUN(vabsss), RUN(vabsdiffs), RUN(vabsdiffu), RUN(vhaddu), RUN(vavgu), RUN(vavgs);
  RUN(vmaxs), RUN(vmaxu), RUN(vmins), RUN(vminu);
  RUN(vcmpeq), RUN(vcmpne), RUN(vcmpges), RUN(vcmpgeu), RUN(vcmpgts), RUN(vcmpgtu), RUN(vcmples), RUN(vcmpleu);
  RUN(vcmplts), RUN(vcmpltu), RUN(vseteq), RUN(vsetne), RUN(vsetges), RUN(vsetgeu), RUN(vsetgts), RUN(vsetgtu);
  RUN(vsetles), RUN(vsetleu), RUN(vsetlts), RUN(vsetltu);
  differences<2, true>{}, differences<2, false>{}, differences<4, true>{}, differences<4, false>{};
  return check::finish();
}
