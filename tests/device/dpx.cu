// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions for dynamic programming, against host code over arrays of elements.
#include "apply.hpp"

typedef unsigned int u32;

static std::vector<u32> first, second, third;

static std::vector<void (*)()> tests;
static bool list_test(void (*test)()) {
  tests.push_back(test);
  return true;
}

enum class kind { s32, u32, s16x2, u16x2 };

static int count_of(kind k) { return k == kind::s32 || k == kind::u32 ? 1 : 2; }
static long element(u32 word, kind k, int number) {
  switch (k) {
    case kind::s32:
      return static_cast<int>(word);
    case kind::u32:
      return word;
    case kind::s16x2:
      return static_cast<short>(word >> 16 * number);
    default:
      return word >> 16 * number & 0xffff;
  }
}
// The sum, truncated to the element's type.
static long sum(long a, long b, kind k) { return element(static_cast<u32>(a + b), k, 0); }
static u32 join(const long (&elements)[2], kind k) {
  return count_of(k) == 1 ? static_cast<u32>(elements[0])
                          : (static_cast<u32>(elements[0]) & 0xffff) | static_cast<u32>(elements[1]) << 16;
}

// `expression` uses the elements x, y and z as `long`.
#define TEST(name, of, expression)                                                                                    \
  struct test##name##_##of {                                                                                          \
    static constexpr kind k = kind::of;                                                                               \
    __host__ __device__ static u32 call(u32 a, u32 b, u32 c) { return call##name(a, b, c); }                          \
    __device__ static u32 device(u32 a, u32 b, u32 c) { return call(a, b, c); }                                       \
    test##name##_##of() {                                                                                             \
      const std::vector<u32> results = apply<test##name##_##of, u32>(first, second, third);                           \
      for (size_t i = 0; i < results.size(); ++i) {                                                                   \
        long wanted[2] = {};                                                                                          \
        for (int n = 0; n < count_of(k); ++n) {                                                                       \
          const long x = element(first[i], k, n), y = element(second[i], k, n), z = element(third[i], k, n);          \
          (void)z;                                                                                                    \
          wanted[n] = expression;                                                                                     \
        }                                                                                                             \
        check::equal("_" #name, results[i], join(wanted, k), first[i], second[i]);                                    \
        check::equal("_" #name " on the host", call(first[i], second[i], third[i]), results[i], first[i], second[i]); \
      }                                                                                                               \
    }                                                                                                                 \
  };                                                                                                                  \
  static const bool listed##name##_##of = list_test([] { test##name##_##of{}; });
#define THREE(name, of, expression)                                                                           \
  __host__ __device__ static u32 call_##name##_##of(u32 a, u32 b, u32 c) { return __##name##_##of(a, b, c); } \
  TEST(_##name##_##of, of, expression)
#define THREE_RELU(name, of, expression)                                          \
  __host__ __device__ static u32 call_##name##_##of##_relu(u32 a, u32 b, u32 c) { \
    return __##name##_##of##_relu(a, b, c);                                       \
  }                                                                               \
  TEST(_##name##_##of##_relu, of, std::max(expression, 0L))
#define ALL_THREE(name, expression) \
  THREE(name, s32, expression)      \
  THREE(name, u32, expression)      \
  THREE(name, s16x2, expression)    \
  THREE(name, u16x2, expression) THREE_RELU(name, s32, expression) THREE_RELU(name, s16x2, expression)
#define TWO_RELU(name, of, expression)                                                                                 \
  __host__ __device__ static u32 call_##name##_##of##_relu(u32 a, u32 b, u32) { return __##name##_##of##_relu(a, b); } \
  TEST(_##name##_##of##_relu, of, std::max(expression, 0L))
// Where the third operand is odd, the result is the function's predicates.
#define CHOICE_WORD(name, of, expression, chosen)                          \
  __host__ __device__ static u32 call_##name##_##of(u32 a, u32 b, u32 c) { \
    bool predicate = c % 4 == 0;                                           \
    const u32 result = __##name##_##of(a, b, &predicate);                  \
    return c % 2 ? predicate : result;                                     \
  }                                                                        \
  TEST(_##name##_##of, of, third[i] % 2 ? (chosen) : (expression))
#define CHOICE_HALVES(name, of, expression, chosen)                               \
  __host__ __device__ static u32 call_##name##_##of(u32 a, u32 b, u32 c) {        \
    bool high = c % 4 == 0, low = c % 8 == 0;                                     \
    const u32 result = __##name##_##of(a, b, &high, &low);                        \
    return c % 2 ? static_cast<u32>(high) << 16 | static_cast<u32>(low) : result; \
  }                                                                               \
  TEST(_##name##_##of, of, third[i] % 2 ? (chosen) : (expression))
#define ALL_CHOICES(name, expression, chosen) \
  CHOICE_WORD(name, s32, expression, chosen)  \
  CHOICE_WORD(name, u32, expression, chosen)  \
  CHOICE_HALVES(name, s16x2, expression, chosen) CHOICE_HALVES(name, u16x2, expression, chosen)

ALL_THREE(viaddmax, std::max(sum(x, y, k), z))
ALL_THREE(viaddmin, std::min(sum(x, y, k), z))
ALL_THREE(vimax3, std::max(std::max(x, y), z))
ALL_THREE(vimin3, std::min(std::min(x, y), z))
TWO_RELU(vimax, s32, std::max(x, y))
TWO_RELU(vimax, s16x2, std::max(x, y))
TWO_RELU(vimin, s32, std::min(x, y))
TWO_RELU(vimin, s16x2, std::min(x, y))
ALL_CHOICES(vibmax, std::max(x, y), x >= y)
ALL_CHOICES(vibmin, std::min(x, y), x <= y)

// Words at the bounds of each type, and equal elements.
static void fill_operands() {
  check::generator random;
  const u32 bounds[] = {0u,          1u,          0x7fffu,     0x8000u,     0xffffu,
                        0x7fffffffu, 0x80000000u, 0xffffffffu, 0x80007fffu, 0x7fff8000u};
  for (const u32 a : bounds) {
    for (const u32 b : bounds) {
      for (const u32 c : bounds) first.push_back(a), second.push_back(b), third.push_back(c);
    }
  }
  for (int i = 0; i < 20000; ++i) {
    const u32 word = static_cast<u32>(random());
    first.push_back(word), second.push_back(i % 7 ? static_cast<u32>(random()) : word);
    third.push_back(static_cast<u32>(random()));
  }
}

int main() {
  fill_operands();
  for (void (*test)() : tests) test();
  return check::finish();
}
