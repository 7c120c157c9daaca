// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX for integers, over edge values: products of 24 bits, quotients, saturation, dot products, pairs of 16
// bits, video instructions and packed conversions, after the definitions of the PTX ISA in 64-bit arithmetic of the
// host; and tests of state spaces, additions to vectors in memory, and hints.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../check.hpp"

constexpr uint32_t edges[] = {0,          1,          2,          7,          31,         33,
                              127,        128,        255,        256,        0x7fff,     0x8000,
                              0xffff,     0x7fffff,   0x800000,   0xffffff,   0x01000000, 0x7fffffff,
                              0x80000000, 0x80c3a541, 0x7f80ff01, 0xfffffffe, 0xffffffff};
constexpr int count = sizeof edges / sizeof edges[0];

struct results {
  int32_t quotient, remainder, low24, high24, sum24, saturated24, saturated, dot_low, dot_high;
  uint32_t unsigned_quotient, unsigned_remainder, unsigned_low24, unsigned_high24, shift, signed_shift;
  int64_t quotient64;
  int16_t quotient16, remainder16;
  int32_t relu_min, relu_max;
  uint32_t pair_sum, pair_min, pair_max, pair_relu;
  uint32_t added2, added4, subtracted4, averages4, averages2, differences4, differences_sum, minima2, maxima4, set4,
      set2;
  uint32_t byte_sum, half_difference, merged, maximum_of_three, minimum_of_three, shifted_left, shifted_right, compared;
  uint32_t packed16, packed8, packed4, packed2;
};

__global__ void compute(results* out, const uint32_t* in) {
  const uint32_t x = in[blockIdx.x], y = in[blockIdx.y], z = in[blockIdx.z];
  const int64_t wide_x = static_cast<int64_t>(static_cast<uint64_t>(x) << 32 | z), wide_y = static_cast<int32_t>(y);
  const uint16_t short_x = static_cast<uint16_t>(x), short_y = static_cast<uint16_t>(y);
  results r = {};
  if (y != 0) {
    if (x != 0x80000000 || y != 0xffffffff) {
      asm("div.s32 %0, %1, %2;" : "=r"(r.quotient) : "r"(x), "r"(y));
      asm("rem.s32 %0, %1, %2;" : "=r"(r.remainder) : "r"(x), "r"(y));
      asm("div.s64 %0, %1, %2;" : "=l"(r.quotient64) : "l"(wide_x), "l"(wide_y));
    }
    asm("div.u32 %0, %1, %2;" : "=r"(r.unsigned_quotient) : "r"(x), "r"(y));
    asm("rem.u32 %0, %1, %2;" : "=r"(r.unsigned_remainder) : "r"(x), "r"(y));
  }
  if (short_y != 0) {
    asm("div.s16 %0, %1, %2;" : "=h"(r.quotient16) : "h"(short_x), "h"(short_y));
    asm("rem.s16 %0, %1, %2;" : "=h"(r.remainder16) : "h"(short_x), "h"(short_y));
  }
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r.low24) : "r"(x), "r"(y));
  asm("mul24.hi.s32 %0, %1, %2;" : "=r"(r.high24) : "r"(x), "r"(y));
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r.unsigned_low24) : "r"(x), "r"(y));
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r.unsigned_high24) : "r"(x), "r"(y));
  asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(r.sum24) : "r"(x), "r"(y), "r"(z));
  asm("mad24.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r.saturated24) : "r"(x), "r"(y), "r"(z));
  asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r.saturated) : "r"(x), "r"(y), "r"(z));
  asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r.dot_low) : "r"(x), "r"(y), "r"(z));
  asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(r.dot_high) : "r"(x), "r"(y), "r"(z));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r.shift) : "r"(x));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r.signed_shift) : "r"(x));
  asm("min.relu.s32 %0, %1, %2;" : "=r"(r.relu_min) : "r"(x), "r"(y));
  asm("max.relu.s32 %0, %1, %2;" : "=r"(r.relu_max) : "r"(x), "r"(y));
  asm("add.u16x2 %0, %1, %2;" : "=r"(r.pair_sum) : "r"(x), "r"(y));
  asm("min.u16x2 %0, %1, %2;" : "=r"(r.pair_min) : "r"(x), "r"(y));
  asm("max.s16x2 %0, %1, %2;" : "=r"(r.pair_max) : "r"(x), "r"(y));
  asm("min.relu.s16x2 %0, %1, %2;" : "=r"(r.pair_relu) : "r"(x), "r"(y));
  asm("vadd2.s32.s32.u32.sat %0, %1, %2, %3;" : "=r"(r.added2) : "r"(x), "r"(y), "r"(z));
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r.added4) : "r"(x), "r"(y), "r"(z));
  asm("vsub4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r.subtracted4) : "r"(x), "r"(y), "r"(z));
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r.averages4) : "r"(x), "r"(y), "r"(z));
  asm("vavrg2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r.averages2) : "r"(x), "r"(y), "r"(z));
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r.differences4) : "r"(x), "r"(y), "r"(z));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r.differences_sum) : "r"(x), "r"(y), "r"(z));
  asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r.minima2) : "r"(x), "r"(y), "r"(z));
  asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r.maxima4) : "r"(x), "r"(y), "r"(z));
  asm("vset4.u32.u32.gt %0, %1, %2, %3;" : "=r"(r.set4) : "r"(x), "r"(y), "r"(z));
  asm("vset2.s32.s32.le.add %0, %1, %2, %3;" : "=r"(r.set2) : "r"(x), "r"(y), "r"(z));
  asm("vadd.s32.u32.s32.sat %0, %1.b3, %2.h1;" : "=r"(r.byte_sum) : "r"(x), "r"(y));
  asm("vabsdiff.u32.s32.s32.add %0, %1.h0, %2.b1, %3;" : "=r"(r.half_difference) : "r"(x), "r"(y), "r"(z));
  asm("vsub.u32.u32.u32 %0.b2, %1, %2, %3;" : "=r"(r.merged) : "r"(x), "r"(y), "r"(z));
  asm("vmax.s32.s32.s32.max %0, %1, %2, %3;" : "=r"(r.maximum_of_three) : "r"(x), "r"(y), "r"(z));
  asm("vmin.u32.u32.u32.min %0, %1, %2, %3;" : "=r"(r.minimum_of_three) : "r"(x), "r"(y), "r"(z));
  asm("vshl.u32.u32.u32.clamp %0, %1, %2;" : "=r"(r.shifted_left) : "r"(x), "r"(y));
  asm("vshr.s32.s32.u32.wrap.add %0, %1, %2, %3;" : "=r"(r.shifted_right) : "r"(x), "r"(y), "r"(z));
  asm("vset.s32.u32.lt %0, %1, %2;" : "=r"(r.compared) : "r"(x), "r"(y));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r.packed16) : "r"(x), "r"(y));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(r.packed8) : "r"(x), "r"(y), "r"(z));
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(r.packed4) : "r"(x), "r"(y), "r"(z));
  asm("cvt.pack.sat.u2.s32.b32 %0, %1, %2, %3;" : "=r"(r.packed2) : "r"(x), "r"(y), "r"(z));
  out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = r;
}

static int64_t clamp(int64_t value, int bits, bool is_signed) {
  const int64_t largest = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp<int64_t>(value, is_signed ? -largest - 1 : 0, largest);
}

static int64_t part(uint32_t word, int from, int bits, bool is_signed) {
  const int64_t value = word >> from & ((uint64_t{1} << bits) - 1);
  return is_signed && value >> (bits - 1) ? value - (int64_t{1} << bits) : value;
}

// Applies `f` to each part of both words and joins the results.
template <class F>
static uint32_t each(uint32_t x, uint32_t y, int parts, bool x_signed, bool y_signed, F f) {
  uint32_t result = 0;
  const int bits = 32 / parts;
  for (int i = 0; i < parts; ++i) {
    const int64_t value = f(part(x, i * bits, bits, x_signed), part(y, i * bits, bits, y_signed));
    result |= static_cast<uint32_t>(value & ((int64_t{1} << bits) - 1)) << i * bits;
  }
  return result;
}

static int64_t low24(uint32_t x, bool is_signed) { return part(x, 0, 24, is_signed); }

static uint32_t pack(int bits, bool is_signed, int32_t upper, int32_t lower, uint32_t rest) {
  const uint32_t mask = (1u << bits) - 1;
  const uint32_t pair = (static_cast<uint32_t>(clamp(upper, bits, is_signed)) & mask) << bits |
                        (static_cast<uint32_t>(clamp(lower, bits, is_signed)) & mask);
  return bits == 16 ? pair : rest << 2 * bits | pair;
}

static void test_arithmetic(const results& r, uint32_t x, uint32_t y, uint32_t z, int at) {
  const int64_t sx = static_cast<int32_t>(x), sy = static_cast<int32_t>(y), sz = static_cast<int32_t>(z);
  if (y != 0) {
    if (x != 0x80000000 || y != 0xffffffff) {
      expect_equal(r.quotient, sx / sy, "div.s32", at);
      expect_equal(r.remainder, sx % sy, "rem.s32", at);
      expect_equal(r.quotient64, static_cast<int64_t>(static_cast<uint64_t>(x) << 32 | z) / sy, "div.s64", at);
    }
    expect_equal(r.unsigned_quotient, x / y, "div.u32", at);
    expect_equal(r.unsigned_remainder, x % y, "rem.u32", at);
  }
  const auto hx = static_cast<int16_t>(x), hy = static_cast<int16_t>(y);
  if (hy != 0) {
    expect_equal(r.quotient16, static_cast<int16_t>(hx / hy), "div.s16", at);
    expect_equal(r.remainder16, static_cast<int16_t>(hx % hy), "rem.s16", at);
  }
  const int64_t product24 = low24(x, true) * low24(y, true), unsigned24 = low24(x, false) * low24(y, false);
  expect_equal(r.low24, static_cast<int32_t>(product24), "mul24.lo.s32", at);
  expect_equal(r.high24, static_cast<int32_t>(product24 >> 16), "mul24.hi.s32", at);
  expect_equal(r.unsigned_low24, static_cast<uint32_t>(unsigned24), "mul24.lo.u32", at);
  expect_equal(r.unsigned_high24, static_cast<uint32_t>(unsigned24 >> 16), "mul24.hi.u32", at);
  expect_equal(r.sum24, static_cast<int32_t>(product24 + sz), "mad24.lo", at);
  expect_equal(r.saturated24, clamp(static_cast<int32_t>(product24 >> 16) + sz, 32, true), "mad24.hi.sat", at);
  expect_equal(r.saturated, clamp((sx * sy >> 32) + sz, 32, true), "mad.hi.sat", at);
  const int64_t low = part(x, 0, 16, true) * part(y, 0, 8, false) + part(x, 16, 16, true) * part(y, 8, 8, false);
  const int64_t high = part(x, 0, 16, false) * part(y, 16, 8, true) + part(x, 16, 16, false) * part(y, 24, 8, true);
  expect_equal(r.dot_low, static_cast<int32_t>(low + sz), "dp2a.lo", at);
  expect_equal(r.dot_high, static_cast<int32_t>(high + sz), "dp2a.hi", at);
  const uint32_t magnitude = sx < 0 ? ~x : x;
  expect_equal(r.shift, x == 0 ? ~0u : __builtin_clz(x), "bfind.shiftamt.u32", at);
  expect_equal(r.signed_shift, magnitude == 0 ? ~0u : __builtin_clz(magnitude), "bfind.shiftamt.s32", at);
  expect_equal(r.relu_min, std::max<int64_t>(std::min(sx, sy), 0), "min.relu", at);
  expect_equal(r.relu_max, std::max<int64_t>(std::max(sx, sy), 0), "max.relu", at);
  const auto sum = [](int64_t a, int64_t b) { return a + b; };
  const auto smaller = [](int64_t a, int64_t b) { return std::min(a, b); };
  const auto larger = [](int64_t a, int64_t b) { return std::max(a, b); };
  expect_equal(r.pair_sum, each(x, y, 2, false, false, sum), "add.u16x2", at);
  expect_equal(r.pair_min, each(x, y, 2, false, false, smaller), "min.u16x2", at);
  expect_equal(r.pair_max, each(x, y, 2, true, true, larger), "max.s16x2", at);
  const auto positive = [](int64_t a, int64_t b) { return std::max<int64_t>(std::min(a, b), 0); };
  expect_equal(r.pair_relu, each(x, y, 2, true, true, positive), "min.relu.s16x2", at);
  expect_equal(r.packed16, pack(16, true, x, y, z), "cvt.pack.s16", at);
  expect_equal(r.packed8, pack(8, false, x, y, z), "cvt.pack.u8", at);
  expect_equal(r.packed4, pack(4, true, x, y, z), "cvt.pack.s4", at);
  expect_equal(r.packed2, pack(2, false, x, y, z), "cvt.pack.u2", at);
}

static void test_video(const results& r, uint32_t x, uint32_t y, uint32_t z, int at) {
  const auto sum = [](int64_t a, int64_t b) { return a + b; };
  const auto average = [](int64_t a, int64_t b) { return (a + b + (a + b >= 0)) >> 1; };
  const auto distance = [](int64_t a, int64_t b) { return std::abs(a - b); };
  const auto smaller = [](int64_t a, int64_t b) { return std::min(a, b); };
  const auto larger = [](int64_t a, int64_t b) { return std::max(a, b); };
  expect_equal(r.added2, each(x, y, 2, true, false, [](int64_t a, int64_t b) { return clamp(a + b, 16, true); }),
               "vadd2.sat", at);
  expect_equal(r.added4, each(x, y, 4, false, false, sum), "vadd4", at);
  expect_equal(r.subtracted4, each(x, y, 4, false, false, [](int64_t a, int64_t b) { return clamp(a - b, 8, false); }),
               "vsub4.sat", at);
  expect_equal(r.averages4, each(x, y, 4, false, false, average), "vavrg4", at);
  expect_equal(r.averages2, each(x, y, 2, true, true, average), "vavrg2", at);
  expect_equal(r.differences4, each(x, y, 4, false, false, distance), "vabsdiff4", at);
  uint32_t differences = z, ordered = z;
  for (int i = 0; i < 4; ++i) differences += std::abs(part(x, 8 * i, 8, false) - part(y, 8 * i, 8, false));
  for (int i = 0; i < 2; ++i) ordered += part(x, 16 * i, 16, true) <= part(y, 16 * i, 16, true);
  expect_equal(r.differences_sum, differences, "vabsdiff4.add", at);
  expect_equal(r.minima2, each(x, y, 2, true, true, smaller), "vmin2", at);
  expect_equal(r.maxima4, each(x, y, 4, true, true, larger), "vmax4", at);
  expect_equal(r.set4, each(x, y, 4, false, false, [](int64_t a, int64_t b) { return int64_t{a > b}; }), "vset4", at);
  expect_equal(r.set2, ordered, "vset2.add", at);
  expect_equal(r.byte_sum, static_cast<uint32_t>(part(x, 24, 8, false) + part(y, 16, 16, true)), "vadd", at);
  expect_equal(r.half_difference, static_cast<uint32_t>(std::abs(part(x, 0, 16, true) - part(y, 8, 8, true))) + z,
               "vabsdiff.add", at);
  expect_equal(r.merged, (z & ~0xff0000u) | ((x - y) & 0xff) << 16, "vsub, merged", at);
  const auto sx = static_cast<int32_t>(x), sy = static_cast<int32_t>(y), sz = static_cast<int32_t>(z);
  expect_equal(r.maximum_of_three, static_cast<uint32_t>(std::max({sx, sy, sz})), "vmax.max", at);
  expect_equal(r.minimum_of_three, std::min({x, y, z}), "vmin.min", at);
  expect_equal(r.shifted_left, y > 31 ? 0 : x << y, "vshl.clamp", at);
  expect_equal(r.shifted_right, static_cast<uint32_t>(sx >> (y & 31)) + z, "vshr.wrap.add", at);
  expect_equal(r.compared, int64_t{sx} < int64_t{y} ? 1u : 0u, "vset", at);
}

__device__ int global_word;

struct memory_results {
  uint32_t spaces[6];
  alignas(16) float vector[4];
  float before[4];
  alignas(8) float pair[2];
  alignas(8) uint32_t halves[2];
  uint32_t hinted;
};

__global__ void touch_memory(memory_results* r) {
  __shared__ int shared_word;
  const void* const places[] = {&shared_word, &global_word};
  uint32_t inside[6] = {};
  for (int i = 0; i < 2; ++i) {
    asm("{ .reg .pred p, q, s; isspacep.shared p, %3; isspacep.global q, %3; isspacep.const s, %3;"
        "  selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; selp.u32 %2, 1, 0, s; }"
        : "=r"(inside[3 * i]), "=r"(inside[3 * i + 1]), "=r"(inside[3 * i + 2])
        : "l"(places[i]));
  }
  if (threadIdx.x == 0) std::memcpy(r->spaces, inside, sizeof inside);
  float before[4];
  asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3])
               : "l"(r->vector), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(0.5f)
               : "memory");
  if (threadIdx.x == 0 && blockDim.x == 1) std::memcpy(r->before, before, sizeof before);
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(r->pair), "f"(1.0f), "f"(-1.0f) : "memory");
  asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(r->halves), "r"(0x3c000000), "r"(0x00003c00)
               : "memory");
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("fence.proxy.async; griddepcontrol.wait; griddepcontrol.launch_dependents; pmevent 1;" ::: "memory");
  if (threadIdx.x == 0) {
    uint32_t value;
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(&r->hinted), "r"(7), "l"(policy) : "memory");
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(&r->hinted), "l"(policy) : "memory");
    r->hinted = value + 1;
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(r) : "memory");
  }
}

static void test_memory(unsigned threads) {
  memory_results* r;
  EXPECT_SUCCESS(cudaMallocManaged(&r, sizeof *r));
  *r = {};
  for (int i = 0; i < 4; ++i) r->vector[i] = static_cast<float>(i);
  touch_memory<<<1, threads>>>(r);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const uint32_t spaces[] = {1, 0, 0, 0, 1, 0};
  const float added[] = {1, 2, 3, 0.5f};
  for (int i = 0; i < 6; ++i) expect_equal(r->spaces[i], spaces[i], "isspacep", i);
  for (int i = 0; i < 4; ++i) {
    expect_equal(r->vector[i], static_cast<float>(i) + added[i] * static_cast<float>(threads), "atom.v4.f32", i);
    if (threads == 1) expect_equal(r->before[i], static_cast<float>(i), "the number before", i);
  }
  expect_equal(r->pair[0], static_cast<float>(threads), "red.v2.f32", 0);
  expect_equal(r->pair[1], -static_cast<float>(threads), "red.v2.f32", 1);
  const uint32_t sum = threads == 1 ? 0x3c00 : 0x5640;  // 1 and 100 as halves
  expect_equal(r->halves[0], sum << 16, "red.v2.f16x2", 0);
  expect_equal(r->halves[1], sum, "red.v2.f16x2", 1);
  expect_equal(r->hinted, 8u, "cache_hint");
  EXPECT_SUCCESS(cudaFree(r));
}

int main() {
  uint32_t* in;
  results* out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, sizeof edges));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * count * count * sizeof *out));
  std::memcpy(in, edges, sizeof edges);
  compute<<<dim3(count, count, count), 1>>>(out, in);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < count * count * count; ++i) {
    const uint32_t x = edges[i % count], y = edges[i / count % count], z = edges[i / count / count];
    test_arithmetic(out[i], x, y, z, i);
    test_video(out[i], x, y, z, i);
  }
  test_memory(1);
  test_memory(100);
  return result();
}
