// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions against host code that works bit by bit and byte by byte.
#include <algorithm>

#include "apply.hpp"

typedef unsigned int u32;
typedef unsigned long long u64;

static const std::vector<u32> words = check::integer_inputs<u32>(3000);
static const std::vector<u64> longs = check::integer_inputs<u64>(3000);

// Defines a test: the device expression and the host's computation, for one, two or three arguments.
#define TEST(name, result, parameters, device_expression, host_body, ...)    \
  struct name {                                                              \
    __device__ static result device parameters { return device_expression; } \
    static result host parameters host_body                                  \
  };                                                                         \
  static void run_##name() { run<name, result>(#name, __VA_ARGS__); }

template <class Test, class Result, class... T>
void run(const char* name, const std::vector<T>&... inputs) {
  const std::vector<Result> results = apply<Test, Result>(inputs...);
  for (size_t i = 0; i < results.size(); ++i) check::equal(name, results[i], Test::host(inputs[i]...), inputs[i]...);
}

// The test vectors, rotated: pairs and triples consist of different values.
template <class T>
static std::vector<T> turned(const std::vector<T>& v, size_t by) {
  std::vector<T> result;
  for (size_t i = 0; i < v.size(); ++i) result.push_back(v[(i * by + by / 2) % v.size()]);
  return result;
}
static const std::vector<u32> words2 = turned(words, 7), words3 = turned(words, 11);
static const std::vector<u64> longs2 = turned(longs, 7);

template <class T>
static int count_bits(T x) {
  int n = 0;
  for (; x != 0; x &= x - 1) ++n;
  return n;
}
template <class T>
static int leading_zeros(T x) {
  int n = static_cast<int>(sizeof(T)) * 8;
  for (; x != 0; x >>= 1) --n;
  return n;
}
template <class T>
static int first_bit(T x) {
  for (int i = 0; i < static_cast<int>(sizeof(T)) * 8; ++i)
    if (x >> i & 1) return i + 1;
  return 0;
}
template <class T>
static T reversed(T x) {
  T result = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i) result = static_cast<T>(result << 1 | (x >> i & 1));
  return result;
}
static u64 high_product(u64 x, u64 y) {
  const u64 xl = static_cast<u32>(x), xh = x >> 32, yl = static_cast<u32>(y), yh = y >> 32;
  const u64 middle = xh * yl + (xl * yl >> 32);
  const u64 middle2 = xl * yh + static_cast<u32>(middle);
  return xh * yh + (middle >> 32) + (middle2 >> 32);
}
static int sign_of_byte(u32 x, int i) { return static_cast<int8_t>(x >> (8 * i)); }
static int sign_of_half(u32 x, int i) { return static_cast<int16_t>(x >> (16 * i)); }

TEST(popc, int, (u32 x), __popc(x), { return count_bits(x); }, words)
TEST(popcll, int, (u64 x), __popcll(x), { return count_bits(x); }, longs)
TEST(clz, int, (u32 x), __clz(static_cast<int>(x)), { return leading_zeros(x); }, words)
TEST(clzll, int, (u64 x), __clzll(static_cast<long long>(x)), { return leading_zeros(x); }, longs)
TEST(ffs_, int, (u32 x), __ffs(static_cast<int>(x)), { return first_bit(x); }, words)
TEST(ffsll_, int, (u64 x), __ffsll(static_cast<long long>(x)), { return first_bit(x); }, longs)
TEST(brev, u32, (u32 x), __brev(x), { return reversed(x); }, words)
TEST(brevll, u64, (u64 x), __brevll(x), { return reversed(x); }, longs)

TEST(umulhi_, u32, (u32 x, u32 y), __umulhi(x, y), { return static_cast<u32>(u64(x) * y >> 32); }, words, words2)
TEST(
    mulhi_, int, (u32 x, u32 y), __mulhi(static_cast<int>(x), static_cast<int>(y)),
    { return static_cast<int>(static_cast<int64_t>(static_cast<int>(x)) * static_cast<int>(y) >> 32); }, words, words2)
TEST(umul64hi_, u64, (u64 x, u64 y), __umul64hi(x, y), { return high_product(x, y); }, longs, longs2)
TEST(
    mul64hi_, long long, (u64 x, u64 y), __mul64hi(static_cast<long long>(x), static_cast<long long>(y)),
    {
      u64 high = high_product(x, y);
      if (x >> 63) high -= y;
      if (y >> 63) high -= x;
      return static_cast<long long>(high);
    },
    longs, longs2)
TEST(
    umul24_, u32, (u32 x, u32 y), __umul24(x, y), { return static_cast<u32>(u64(x % (1u << 24)) * (y % (1u << 24))); },
    words, words2)
TEST(
    mul24_, int, (u32 x, u32 y), __mul24(static_cast<int>(x), static_cast<int>(y)),
    {
      const int64_t a = x % (1u << 24) - (x & 1u << 23 ? int64_t(1) << 24 : 0);
      const int64_t b = y % (1u << 24) - (y & 1u << 23 ? int64_t(1) << 24 : 0);
      return static_cast<int>(a * b);
    },
    words, words2)
TEST(usad, u32, (u32 x, u32 y, u32 z), __usad(x, y, z), { return (x > y ? x - y : y - x) + z; }, words, words2, words3)
TEST(
    sad, u32, (u32 x, u32 y, u32 z), __sad(static_cast<int>(x), static_cast<int>(y), z),
    { return static_cast<u32>(std::llabs(static_cast<int64_t>(static_cast<int>(x)) - static_cast<int>(y))) + z; },
    words, words2, words3)
TEST(uhadd, u32, (u32 x, u32 y), __uhadd(x, y), { return static_cast<u32>((u64(x) + y) / 2); }, words, words2)
TEST(urhadd, u32, (u32 x, u32 y), __urhadd(x, y), { return static_cast<u32>((u64(x) + y + 1) / 2); }, words, words2)
TEST(
    hadd, int, (u32 x, u32 y), __hadd(static_cast<int>(x), static_cast<int>(y)),
    { return static_cast<int>(std::floor((static_cast<double>(static_cast<int>(x)) + static_cast<int>(y)) / 2)); },
    words, words2)
TEST(
    rhadd, int, (u32 x, u32 y), __rhadd(static_cast<int>(x), static_cast<int>(y)),
    { return static_cast<int>(std::floor((static_cast<double>(static_cast<int>(x)) + static_cast<int>(y) + 1) / 2)); },
    words, words2)

static u32 shift_left(u32 low, u32 high, u32 shift) {
  for (u32 i = 0; i < shift; ++i) high = high << 1 | low >> 31, low <<= 1;
  return high;
}
static u32 shift_right(u32 low, u32 high, u32 shift) {
  for (u32 i = 0; i < shift; ++i) low = low >> 1 | high << 31, high >>= 1;
  return low;
}
TEST(
    funnelshift_l, u32, (u32 x, u32 y, u32 s), __funnelshift_l(x, y, s), { return shift_left(x, y, s % 32); }, words,
    words2, words3)
TEST(
    funnelshift_r, u32, (u32 x, u32 y, u32 s), __funnelshift_r(x, y, s), { return shift_right(x, y, s % 32); }, words,
    words2, words3)
TEST(
    funnelshift_lc, u32, (u32 x, u32 y, u32 s), __funnelshift_lc(x, y, s),
    { return shift_left(x, y, s < 32 ? s : 32); }, words, words2, words3)
TEST(
    funnelshift_rc, u32, (u32 x, u32 y, u32 s), __funnelshift_rc(x, y, s),
    { return shift_right(x, y, s < 32 ? s : 32); }, words, words2, words3)

static u32 permuted(u32 x, u32 y, u32 selectors) {
  const unsigned char* bytes[2] = {reinterpret_cast<unsigned char*>(&x), reinterpret_cast<unsigned char*>(&y)};
  unsigned char result[4];
  for (int i = 0; i < 4; ++i) {
    const u32 selector = selectors >> (4 * i) & 7;
    result[i] = bytes[selector / 4][selector % 4];
  }
  u32 word;
  std::memcpy(&word, result, 4);
  return word;
}
TEST(byte_perm, u32, (u32 x, u32 y, u32 s), __byte_perm(x, y, s), { return permuted(x, y, s); }, words, words2, words3)

TEST(
    fns, u32, (u32 mask, u32 base, u32 n), __fns(mask, base % 32, static_cast<int>(n % 67) - 33),
    {
      const int offset = static_cast<int>(n % 67) - 33;
      base %= 32;
      std::vector<u32> found;  // the set bits in the direction of n, from base on
      if (offset == 0) return mask >> base & 1 ? base : ~0u;
      for (u32 bit = base; bit < 32; bit += offset > 0 ? 1u : ~0u)
        if (mask >> bit & 1) found.push_back(bit);
      const size_t place = static_cast<size_t>(std::abs(offset)) - 1;
      return place < found.size() ? found[place] : ~0u;
    },
    words, words2, words3)

TEST(
    dp4a, int, (u32 a, u32 b, u32 c), __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)),
    {
      int64_t sum = static_cast<int>(c);
      for (int i = 0; i < 4; ++i) sum += sign_of_byte(a, i) * sign_of_byte(b, i);
      return static_cast<int>(sum);
    },
    words, words2, words3)
TEST(
    dp4a_unsigned, u32, (u32 a, u32 b, u32 c), __dp4a(a, b, c),
    {
      u32 sum = c;
      for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
      return sum;
    },
    words, words2, words3)
TEST(
    dp4a_vector, int, (u32 a, u32 b, u32 c),
    __dp4a(*reinterpret_cast<char4*>(&a), *reinterpret_cast<char4*>(&b), static_cast<int>(c)),
    { return dp4a::host(a, b, c); }, words, words2, words3)
TEST(
    dp2a_lo, int, (u32 a, u32 b, u32 c), __dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)),
    {
      return static_cast<int>(static_cast<int64_t>(static_cast<int>(c)) + sign_of_half(a, 0) * sign_of_byte(b, 0) +
                              sign_of_half(a, 1) * sign_of_byte(b, 1));
    },
    words, words2, words3)
TEST(
    dp2a_hi, int, (u32 a, u32 b, u32 c), __dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)),
    {
      return static_cast<int>(static_cast<int64_t>(static_cast<int>(c)) + sign_of_half(a, 0) * sign_of_byte(b, 2) +
                              sign_of_half(a, 1) * sign_of_byte(b, 3));
    },
    words, words2, words3)
TEST(
    dp2a_hi_unsigned, u32, (u32 a, u32 b, u32 c), __dp2a_hi(a, b, c),
    { return c + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24); }, words, words2, words3)

TEST(
    casts, u64, (u64 x),
    static_cast<u64>(
        __double_as_longlong(__hiloint2double(__double2hiint(__longlong_as_double(static_cast<long long>(x))),
                                              __double2loint(__longlong_as_double(static_cast<long long>(x)))))),
    { return x; }, longs)
TEST(
    casts_float, u32, (u32 x),
    __float_as_uint(__uint_as_float(x)) ^ static_cast<u32>(__float_as_int(__int_as_float(static_cast<int>(x)))) ^
        __float_as_uint(static_cast<float>(x)),
    {
      const float f = static_cast<float>(x);
      u32 bits;
      std::memcpy(&bits, &f, 4);
      return bits;
    },
    words)

// min and max of mixed types follow C++'s conversions.
static long long extremes(u32 a, u32 b) {
  const u32 low = a < b ? a : b, high = a < b ? b : a;
  const u64 difference = u64(b) - a, difference2 = u64(a) - b;
  const int64_t other = -5 - static_cast<int64_t>(b);
  const u64 sum = low + 3 * u64(high) + 5 * (a < difference ? a : difference) +
                  7 * (difference2 > b ? difference2 : b) +
                  11 * static_cast<u64>(static_cast<int64_t>(std::min(static_cast<int>(a), static_cast<int>(b)))) +
                  13 * static_cast<u64>(static_cast<int64_t>(a) > other ? static_cast<int64_t>(a) : other);
  return static_cast<long long>(sum);
}
TEST(
    mixed_extremes, long long, (u32 a, u32 b),
    (min(static_cast<int>(a), b) + 3LL * max(a, static_cast<int>(b)) +
     5LL * static_cast<long long>(min(static_cast<size_t>(a), static_cast<size_t>(b) - a)) +
     static_cast<long long>(7 * max(static_cast<long>(a) - b, static_cast<size_t>(b))) +
     11LL * min(static_cast<int>(a), static_cast<int>(b)) + 13 * max(static_cast<long long>(a), -5LL - b)),
    { return extremes(a, b); }, words, words2)

int main() {
  run_popc(), run_popcll(), run_clz(), run_clzll(), run_ffs_(), run_ffsll_(), run_brev(), run_brevll();
  run_umulhi_(), run_mulhi_(), run_umul64hi_(), run_mul64hi_(), run_umul24_(), run_mul24_(), run_usad(), run_sad();
  run_uhadd(), run_urhadd(), run_hadd(), run_rhadd();
  run_funnelshift_l(), run_funnelshift_r(), run_funnelshift_lc(), run_funnelshift_rc(), run_byte_perm(), run_fns();
  run_dp4a(), run_dp4a_unsigned(), run_dp4a_vector(), run_dp2a_lo(), run_dp2a_hi(), run_dp2a_hi_unsigned();
  run_casts(), run_casts_float(), run_mixed_extremes();
  return check::finish();
}
