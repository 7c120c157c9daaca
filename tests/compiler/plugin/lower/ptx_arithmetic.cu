// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX without side effects, over edge values: bit fields, permutations, funnel shifts, carries, comparisons,
// conversions, floating point, declared registers and guards. The host computes each result independently.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "../check.hpp"

constexpr uint32_t edges[] = {0, 1, 2, 7, 31, 32, 33, 63, 64, 255, 256, 0x7fffffff, 0x80000000, 0x80c3a541, 0xffffffff};
constexpr int count = sizeof edges / sizeof edges[0];

struct fields {
  uint32_t u32, s32, into32, mask_clamp, mask_wrap, zero_clamp, sign_clamp, sign_wrap;
  uint32_t left_wrap, left_clamp, right_wrap, right_clamp, nth;
  uint32_t permuted[7];
  uint64_t u64, s64, into64;
  uint32_t sum[4], difference[2], product[2];
  uint32_t less, minimum, equal_pair;
  int32_t saturated, dot;
  uint16_t narrow;
  int32_t bytes[3];
  uint64_t swapped;
};

__global__ void compute(fields* out, const uint32_t* in) {
  const uint32_t x = in[blockIdx.x], y = in[blockIdx.y], z = in[blockIdx.z];
  const uint64_t wide = static_cast<uint64_t>(x) << 32 | y;
  fields f = {};
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(f.u32) : "r"(x), "r"(y), "r"(z));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(f.s32) : "r"(x), "r"(y), "r"(z));
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(f.u64) : "l"(wide), "r"(y), "r"(z));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(f.s64) : "l"(wide), "r"(y), "r"(z));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(f.into32) : "r"(x), "r"(0x5a5a1234u), "r"(y), "r"(z));
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(f.into64) : "l"(wide), "l"(0x5a5a123455555555ull), "r"(y), "r"(z));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(f.mask_clamp) : "r"(y), "r"(z));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(f.mask_wrap) : "r"(y), "r"(z));
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(f.zero_clamp) : "r"(x), "r"(z));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(f.sign_clamp) : "r"(x), "r"(z));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(f.sign_wrap) : "r"(x), "r"(z));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(f.left_wrap) : "r"(x), "r"(y), "r"(z));
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(f.left_clamp) : "r"(x), "r"(y), "r"(z));
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(f.right_wrap) : "r"(x), "r"(y), "r"(z));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(f.right_clamp) : "r"(x), "r"(y), "r"(z));
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(f.nth) : "r"(x), "r"(y & 31), "r"(z));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(f.permuted[0]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(f.permuted[1]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(f.permuted[2]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(f.permuted[3]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(f.permuted[4]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(f.permuted[5]) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(f.permuted[6]) : "r"(x), "r"(y), "r"(z));
  asm("add.cc.u32 %0, %4, %5; addc.cc.u32 %1, %5, %6; addc.cc.u32 %2, %4, %6; addc.u32 %3, 0, 0;"
      : "=r"(f.sum[0]), "=r"(f.sum[1]), "=r"(f.sum[2]), "=r"(f.sum[3])
      : "r"(x), "r"(y), "r"(z));
  asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %3, %4;"
      : "=r"(f.difference[0]), "=r"(f.difference[1])
      : "r"(x), "r"(y), "r"(z));
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
      : "=r"(f.product[0]), "=r"(f.product[1])
      : "r"(x), "r"(y), "r"(z));
  asm("{ .reg .pred p, q, r; setp.eq.u32 r, %3, 7; setp.lt.or.s32 p|q, %4, %5, r;"
      "  selp.u32 %0, 1, 0, p; @p mov.u32 %1, %4; @!p mov.u32 %1, %5; set.eq.u32.u32 %2, %3, %4;"
      "  not.pred r, r; and.pred p, q, r; @p add.u32 %0, %0, 2; }"
      : "=r"(f.less), "=r"(f.minimum), "=r"(f.equal_pair)
      : "r"(x), "r"(y), "r"(z));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(f.saturated) : "r"(x), "r"(y));
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(f.dot) : "r"(x), "r"(y), "r"(z));
  asm("{ .reg .u8 low; .reg .b32 %%r<2>; mov.b32 %%r1, %1; cvt.u8.u32 low, %%r1; cvt.u16.u8 %0, low; }"
      : "=h"(f.narrow)
      : "r"(x));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(f.bytes[0]) : "r"(x));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(f.bytes[1]) : "r"(x));
  asm("cvt.sat.s32.u32 %0, %1;" : "=r"(f.bytes[2]) : "r"(x));
  asm("{ .reg .b32 a, b; mov.b64 {a, b}, %1; xor.b32 a, a, b; mov.b64 %0, {b, a}; }" : "=l"(f.swapped) : "l"(wide));
  out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = f;
}

// Builds the field bit by bit, by the definition in the PTX ISA.
static uint64_t field(uint64_t value, int bits, unsigned from, unsigned length, bool is_signed) {
  const int position = from & 255, wanted = length & 255;
  const int last = position + wanted - 1 < bits - 1 ? position + wanted - 1 : bits - 1;
  const uint64_t sign = is_signed && wanted != 0 ? value >> last & 1 : 0;
  uint64_t result = 0;
  for (int i = 0; i < bits; ++i) {
    result |= (i < wanted && position + i < bits ? value >> (position + i) & 1 : sign) << i;
  }
  return result;
}

static uint64_t inserted(uint64_t value, uint64_t into, int bits, unsigned at, unsigned length) {
  const int position = at & 255, wanted = length & 255;
  for (int i = 0; i < wanted && position + i < bits; ++i) {
    into = (into & ~(1ull << (position + i))) | (value >> i & 1) << (position + i);
  }
  return into;
}

static uint32_t ones(unsigned from, unsigned length) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) result |= static_cast<uint32_t>(bit >= from && bit - from < length) << bit;
  return result;
}

static uint32_t nth_bit(uint32_t mask, int base, int nth) {
  if (nth == 0) return mask >> base & 1 ? base : ~0u;
  long left = nth > 0 ? nth : -static_cast<long>(nth);
  for (int bit = base; bit >= 0 && bit < 32; bit += nth > 0 ? 1 : -1) {
    if (mask >> bit & 1 && --left == 0) return bit;
  }
  return ~0u;
}

static uint32_t bytes(uint32_t x, uint32_t y, const int (&places)[4]) {
  const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) result |= (both >> (8 * places[i]) & 255) << (8 * i);
  return result;
}

static void test_permutations(const fields& f, uint32_t x, uint32_t y, uint32_t z, int at) {
  // The selections of prmt's modes, as in the PTX ISA's table, lowest byte first.
  static const int table[6][4][4] = {
      {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},  // f4e
      {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},  // b4e
      {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},  // rc8
      {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},  // ecl
      {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},  // ecr
      {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}},  // rc16
  };
  for (int mode = 0; mode < 6; ++mode) expect_equal(f.permuted[mode + 1], bytes(x, y, table[mode][z & 3]), "prmt", at);
  uint32_t result = bytes(x, y, {int(z & 7), int(z >> 4 & 7), int(z >> 8 & 7), int(z >> 12 & 7)});
  for (int i = 0; i < 4; ++i) {
    if (z >> (4 * i + 3) & 1) result = (result & ~(255u << 8 * i)) | (result >> (8 * i + 7) & 1 ? 255u << 8 * i : 0);
  }
  expect_equal(f.permuted[0], result, "prmt", at);
}

static void test(const fields& f, uint32_t x, uint32_t y, uint32_t z, int at) {
  const uint64_t wide = static_cast<uint64_t>(x) << 32 | y, funnel = static_cast<uint64_t>(y) << 32 | x;
  expect_equal(f.u32, static_cast<uint32_t>(field(x, 32, y, z, false)), "bfe.u32", at);
  expect_equal(f.s32, static_cast<uint32_t>(field(x, 32, y, z, true)), "bfe.s32", at);
  expect_equal(f.u64, field(wide, 64, y, z, false), "bfe.u64", at);
  expect_equal(f.s64, field(wide, 64, y, z, true), "bfe.s64", at);
  expect_equal(f.into32, static_cast<uint32_t>(inserted(x, 0x5a5a1234u, 32, y, z)), "bfi.b32", at);
  expect_equal(f.into64, inserted(wide, 0x5a5a123455555555ull, 64, y, z), "bfi.b64", at);
  expect_equal(f.mask_clamp, ones(y, z), "bmsk.clamp", at);
  expect_equal(f.mask_wrap, ones(y & 31, z & 31), "bmsk.wrap", at);
  expect_equal(f.zero_clamp, z >= 32 ? x : x & ones(0, z), "szext.clamp.u32", at);
  expect_equal(f.sign_clamp, static_cast<uint32_t>(field(x, 32, 0, z < 32 ? z : 32, true)), "szext.clamp.s32", at);
  expect_equal(f.sign_wrap, static_cast<uint32_t>(field(x, 32, 0, z & 31, true)), "szext.wrap.s32", at);
  const unsigned clamped = z < 32 ? z : 32;
  expect_equal(f.left_wrap, static_cast<uint32_t>(funnel << (z & 31) >> 32), "shf.l.wrap", at);
  expect_equal(f.left_clamp, static_cast<uint32_t>(funnel << clamped >> 32), "shf.l.clamp", at);
  expect_equal(f.right_wrap, static_cast<uint32_t>(funnel >> (z & 31)), "shf.r.wrap", at);
  expect_equal(f.right_clamp, static_cast<uint32_t>(funnel >> clamped), "shf.r.clamp", at);
  expect_equal(f.nth, nth_bit(x, y & 31, static_cast<int>(z)), "fns", at);
  test_permutations(f, x, y, z, at);
  unsigned __int128 sum = (static_cast<unsigned __int128>(x) << 64 | static_cast<uint64_t>(y) << 32 | x);
  sum += static_cast<unsigned __int128>(z) << 64 | static_cast<uint64_t>(z) << 32 | y;
  for (int i = 0; i < 4; ++i) expect_equal(f.sum[i], static_cast<uint32_t>(sum >> 32 * i), "addc", at);
  const uint64_t difference = (static_cast<uint64_t>(y) << 32 | x) - (static_cast<uint64_t>(z) << 32 | y);
  const uint64_t product = static_cast<uint64_t>(x) * y + z;
  for (int i = 0; i < 2; ++i) {
    expect_equal(f.difference[i], static_cast<uint32_t>(difference >> 32 * i), "subc", at);
    expect_equal(f.product[i], static_cast<uint32_t>(product >> 32 * i), "madc", at);
  }
  const bool is_less = static_cast<int32_t>(y) < static_cast<int32_t>(z), holds = is_less || x == 7;
  expect_equal(f.less, (holds ? 1u : 0u) + (!is_less && x != 7 ? 2u : 0u), "setp and guards", at);
  expect_equal(f.minimum, holds ? y : z, "guarded mov", at);
  expect_equal(f.equal_pair, x == y ? ~0u : 0u, "set", at);
  const int64_t exact = static_cast<int64_t>(static_cast<int32_t>(x)) + static_cast<int32_t>(y);
  expect_equal(f.saturated,
               static_cast<int32_t>(exact > INT32_MAX   ? INT32_MAX
                                    : exact < INT32_MIN ? INT32_MIN
                                                        : exact),
               "add.sat", at);
  uint32_t dot = z;
  for (int i = 0; i < 4; ++i) dot += static_cast<int8_t>(x >> 8 * i) * static_cast<int>(y >> 8 * i & 255);
  expect_equal(static_cast<uint32_t>(f.dot), dot, "dp4a", at);
  expect_equal(f.narrow, static_cast<uint16_t>(x & 255), "cvt.u16.u8", at);
  const int32_t number = static_cast<int32_t>(x);
  expect_equal(f.bytes[0], number > 127 ? 127 : number < -128 ? -128 : number, "cvt.sat.s8", at);
  expect_equal(f.bytes[1], number > 255 ? 255 : number < 0 ? 0 : number, "cvt.sat.u8", at);
  expect_equal(f.bytes[2], x > INT32_MAX ? INT32_MAX : number, "cvt.sat.s32.u32", at);
  expect_equal(f.swapped, static_cast<uint64_t>(x ^ y) << 32 | x, "mov.b64 {}", at);
}

constexpr float numbers[] = {0.0f, -0.0f, 1.5f, -2.5f, 2.5f, 1e-40f, 3e9f, -3e9f, 300.7f, INFINITY, NAN};
constexpr int number_count = sizeof numbers / sizeof numbers[0];

struct float_results {
  float fma, flushed, low, high, strict, saturated, power, root, rounded;
  int32_t nearest, down, up, zero, byte;
  uint32_t unordered;
  double widened;
};

__global__ void compute_floats(float_results* out, const float* in) {
  const float x = in[blockIdx.x], y = in[blockIdx.y];
  float_results f;
  asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f.fma) : "f"(x), "f"(y));
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(f.flushed) : "f"(x), "f"(y));
  asm("min.f32 %0, %1, %2;" : "=f"(f.low) : "f"(x), "f"(y));
  asm("max.f32 %0, %1, %2;" : "=f"(f.high) : "f"(x), "f"(y));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(f.strict) : "f"(x), "f"(y));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(f.saturated) : "f"(x), "f"(y));
  asm("ex2.approx.f32 %0, %1;" : "=f"(f.power) : "f"(x));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(f.root) : "f"(x));
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(f.rounded) : "f"(x));
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(f.nearest) : "f"(x));
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(f.down) : "f"(x));
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(f.up) : "f"(x));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(f.zero) : "f"(x));
  asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(f.byte) : "f"(x));
  asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(f.unordered) : "f"(x), "f"(y));
  asm("cvt.f64.f32 %0, %1;" : "=d"(f.widened) : "f"(x));
  out[blockIdx.y * gridDim.x + blockIdx.x] = f;
}

// True for equal values with equal signs of zero, and for any two NaN.
static bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

static float flush(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

static int32_t to_int(double x, double low, double high) {
  return static_cast<int32_t>(std::isnan(x) ? 0 : x < low ? low : x > high ? high : x);
}

static void test_floats(const float_results& f, float x, float y, int at) {
  auto expect_same = [&](double got, double wanted, const char* what) {
    expect_equal(same(got, wanted), true, what, at);
  };
  const bool has_nan = std::isnan(x) || std::isnan(y), both_zero = x == 0 && y == 0;
  const float low = std::isnan(x) ? y : std::isnan(y) ? x : both_zero ? (std::signbit(x) ? x : y) : x < y ? x : y;
  const float high = std::isnan(x) ? y : std::isnan(y) ? x : both_zero ? (std::signbit(x) ? y : x) : x > y ? x : y;
  const float sum = x + y;
  expect_same(f.fma, std::fmaf(x, y, 1.0f), "fma");
  expect_same(f.flushed, flush(flush(x) + flush(y)), "add.ftz");
  expect_same(f.low, low, "min");
  expect_same(f.high, high, "max");
  expect_same(f.strict, has_nan ? NAN : high, "max.NaN");
  expect_same(f.saturated, !(sum > 0) ? 0.0f : sum > 1 ? 1.0f : sum, "add.sat");
  const float power = std::exp2f(x);
  expect_equal(same(f.power, power) || std::fabs(f.power - power) <= 2e-7f * power, true, "ex2", at);
  expect_same(f.root, std::sqrt(x), "sqrt");
  expect_same(f.rounded, std::nearbyint(x), "cvt.rni.f32");
  expect_equal(f.nearest, to_int(std::nearbyint(x), INT32_MIN, INT32_MAX), "cvt.rni", at);
  expect_equal(f.down, to_int(std::floor(x), INT32_MIN, INT32_MAX), "cvt.rmi", at);
  expect_equal(f.up, to_int(std::ceil(x), INT32_MIN, INT32_MAX), "cvt.rpi", at);
  expect_equal(f.zero, to_int(std::trunc(x), INT32_MIN, INT32_MAX), "cvt.rzi", at);
  expect_equal(f.byte, to_int(std::trunc(x), 0, 255), "cvt.rzi.u8", at);
  expect_equal(f.unordered, has_nan || x < y ? 1u : 0u, "setp.ltu", at);
  expect_same(f.widened, x, "cvt.f64.f32");
}

int main() {
  uint32_t* in;
  float* floats;
  fields* out;
  float_results* float_out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, sizeof edges));
  EXPECT_SUCCESS(cudaMallocManaged(&floats, sizeof numbers));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * count * count * sizeof *out));
  EXPECT_SUCCESS(cudaMallocManaged(&float_out, number_count * number_count * sizeof *float_out));
  std::memcpy(in, edges, sizeof edges);
  std::memcpy(floats, numbers, sizeof numbers);
  compute<<<dim3(count, count, count), 1>>>(out, in);
  compute_floats<<<dim3(number_count, number_count), 1>>>(float_out, floats);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < count * count * count; ++i) {
    test(out[i], edges[i % count], edges[i / count % count], edges[i / count / count], i);
  }
  for (int i = 0; i < number_count * number_count; ++i) {
    test_floats(float_out[i], numbers[i % number_count], numbers[i / number_count], i);
  }
  return result();
}
