// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of bf16, f16x2 and bf16x2 over edge values. The host computes in long double and rounds once.
#include <vector>

#include "../check.hpp"
#include "number_formats.hpp"

enum operation { sum, difference, product, fused, positive, low, high, strict, negative, magnitude, operations };
enum function { exponential, tangent, functions };

struct results {
  uint16_t bfloat[operations], half_fused, half_positive, half[functions], of_bfloat[functions];
  uint32_t halves[operations], bfloats[operations], saturated, flushed, pair[functions], of_bfloats[functions];
};

#define ONE(name, at)                                       \
  asm(name ".bf16 %0, %1;" : "=h"(r.bfloat[at]) : "h"(x));  \
  asm(name ".f16x2 %0, %1;" : "=r"(r.halves[at]) : "r"(a)); \
  asm(name ".bf16x2 %0, %1;" : "=r"(r.bfloats[at]) : "r"(a));
#define TWO(name, at)                                                   \
  asm(name ".bf16 %0, %1, %2;" : "=h"(r.bfloat[at]) : "h"(x), "h"(y));  \
  asm(name ".f16x2 %0, %1, %2;" : "=r"(r.halves[at]) : "r"(a), "r"(b)); \
  asm(name ".bf16x2 %0, %1, %2;" : "=r"(r.bfloats[at]) : "r"(a), "r"(b));
#define THREE(name, at)                                                             \
  asm(name ".bf16 %0, %1, %2, %3;" : "=h"(r.bfloat[at]) : "h"(x), "h"(y), "h"(z));  \
  asm(name ".f16x2 %0, %1, %2, %3;" : "=r"(r.halves[at]) : "r"(a), "r"(b), "r"(c)); \
  asm(name ".bf16x2 %0, %1, %2, %3;" : "=r"(r.bfloats[at]) : "r"(a), "r"(b), "r"(c));

// The low half of each pair is the scalar operand, the high half another one of the three numbers.
__global__ void compute(results* out, const uint16_t* numbers) {
  const uint16_t x = numbers[blockIdx.x], y = numbers[blockIdx.y];
  const uint16_t z = numbers[(7 * blockIdx.x + 3 * blockIdx.y) % gridDim.x];
  const uint32_t a = y << 16 | x, b = z << 16 | y, c = x << 16 | z;
  results r;
  TWO("add.rn", sum)
  TWO("sub", difference)
  TWO("mul.rn", product)
  THREE("fma.rn", fused)
  THREE("fma.rn.relu", positive)
  TWO("min", low)
  TWO("max", high)
  TWO("max.NaN", strict)
  ONE("neg", negative)
  ONE("abs", magnitude)
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.half_fused) : "h"(x), "h"(y), "h"(z));
  asm("fma.rn.relu.f16 %0, %1, %2, %3;" : "=h"(r.half_positive) : "h"(x), "h"(y), "h"(z));
  asm("add.rn.sat.f16x2 %0, %1, %2;" : "=r"(r.saturated) : "r"(a), "r"(b));
  asm("mul.rn.ftz.f16x2 %0, %1, %2;" : "=r"(r.flushed) : "r"(a), "r"(b));
  asm("ex2.approx.f16 %0, %1;" : "=h"(r.half[exponential]) : "h"(x));
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(r.pair[exponential]) : "r"(a));
  asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(r.of_bfloat[exponential]) : "h"(x));
  asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(r.of_bfloats[exponential]) : "r"(a));
  asm("tanh.approx.f16 %0, %1;" : "=h"(r.half[tangent]) : "h"(x));
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(r.pair[tangent]) : "r"(a));
  asm("tanh.approx.bf16 %0, %1;" : "=h"(r.of_bfloat[tangent]) : "h"(x));
  asm("tanh.approx.bf16x2 %0, %1;" : "=r"(r.of_bfloats[tangent]) : "r"(a));
  out[blockIdx.y * gridDim.x + blockIdx.x] = r;
}

// Adds a and b; a rounding error in the sum must not create a tie of a small format, so ties must be exact in float.
static long double add_for_rounding(long double a, long double b) {
  const long double total = a + b, part = total - a, error = (a - (total - part)) + (b - part);
  if (std::isfinite(total) && error != 0 && static_cast<double>(total) == total) {
    return std::nextafter(total, error > 0 ? static_cast<long double>(INFINITY) : -static_cast<long double>(INFINITY));
  }
  return total;
}

static long double exact(int operation, long double x, long double y, long double z) {
  const bool x_less = x < y || (x == y && std::signbit(x));
  switch (operation) {
    case sum:
      return add_for_rounding(x, y);
    case difference:
      return add_for_rounding(x, -y);
    case product:
      return x * y;
    case fused:
      return add_for_rounding(x * y, z);
    case low:
      return std::isnan(x) ? y : std::isnan(y) || x_less ? x : y;
    case high:
      return std::isnan(x) ? y : std::isnan(y) || !x_less ? x : y;
    case strict:
      return std::isnan(x) || std::isnan(y) ? static_cast<long double>(NAN) : x_less ? y : x;
    case negative:
      return -x;
    default:
      return std::fabs(x);
  }
}

static long double flushed(long double x) { return std::fabs(x) < 0x1p-14L ? std::copysign(0.0L, x) : x; }

static void expect_number(unsigned got, long double wanted, const format& type, const char* what, int at) {
  const long double rounded = round_to(wanted, type, 'n');
  if (std::isnan(rounded)) {
    expect_equal(std::isnan(decode(got, type)), true, what, at);
  } else {
    expect_equal(got, encode(rounded, type), what, at);
  }
}

static void expect_result(unsigned got, int operation, const format& type, unsigned x, unsigned y, unsigned z, int at) {
  static const char* const names[] = {"add", "sub", "mul", "fma", "fma.relu", "min", "max", "max.NaN", "neg", "abs"};
  long double wanted =
      exact(operation == positive ? fused : operation, decode(x, type), decode(y, type), decode(z, type));
  if (operation == positive && std::signbit(wanted) && !std::isnan(wanted)) wanted = 0;
  expect_number(got, wanted, type, names[operation], at);
}

// The error must be at most two units in the last place; PTX permits more (2^-9.9 for ex2.f16, 2^-7 for ex2.bf16).
static void expect_function(unsigned got, int function, const format& type, unsigned x, int at) {
  long double argument = decode(x, type);
  const bool flushes = function == exponential && &type == &bf16;
  if (flushes && std::fabs(argument) < 0x1p-126L) argument = 0;
  const long double wanted = function == exponential ? std::exp2(argument) : std::tanh(argument);
  long double rounded = round_to(wanted, type, 'n');
  if (flushes && rounded < 0x1p-126L) rounded = 0;
  const char* const what = function == exponential ? "ex2" : "tanh";
  if (std::isnan(rounded)) return expect_equal(std::isnan(decode(got, type)), true, what, at);
  const int distance = static_cast<int>(got) - static_cast<int>(encode(rounded, type));
  const bool is_border = flushes && rounded != decode(got, type) && std::fabs(wanted - 0x1p-126L) < 0x1p-132L;
  expect_equal((distance >= -2 && distance <= 2) || is_border, true, what, at);
}

static void test(const results& r, unsigned x, unsigned y, unsigned z, int at) {
  for (int i = 0; i < operations; ++i) {
    expect_result(r.bfloat[i], i, bf16, x, y, z, at);
    expect_result(r.bfloats[i] & 0xffff, i, bf16, x, y, z, at);
    expect_result(r.bfloats[i] >> 16, i, bf16, y, z, x, at);
    expect_result(r.halves[i] & 0xffff, i, f16, x, y, z, at);
    expect_result(r.halves[i] >> 16, i, f16, y, z, x, at);
  }
  expect_result(r.half_fused, fused, f16, x, y, z, at);
  expect_result(r.half_positive, positive, f16, x, y, z, at);
  for (int i = 0; i < functions; ++i) {
    expect_function(r.half[i], i, f16, x, at);
    expect_function(r.of_bfloat[i], i, bf16, x, at);
    expect_function(r.pair[i] & 0xffff, i, f16, x, at);
    expect_function(r.pair[i] >> 16, i, f16, y, at);
    expect_function(r.of_bfloats[i] & 0xffff, i, bf16, x, at);
    expect_function(r.of_bfloats[i] >> 16, i, bf16, y, at);
  }
  const unsigned pairs[2][2] = {{x, y}, {y, z}};
  for (int i = 0; i < 2; ++i) {
    const long double a = decode(pairs[i][0], f16), b = decode(pairs[i][1], f16), total = a + b;
    expect_number(r.saturated >> 16 * i & 0xffff, !(total > 0) ? 0 : total > 1 ? 1 : total, f16, "add.sat", at);
    const long double small = round_to(flushed(a) * flushed(b), f16, 'n');
    expect_number(r.flushed >> 16 * i & 0xffff, flushed(small), f16, "mul.ftz", at);
  }
}

int main() {
  // Edge values of halves and of bfloat16: zeros, denormals, ties, the largest numbers, infinities, NaN.
  std::vector<uint16_t> numbers = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x007f, 0x0080, 0x3c00, 0x3c01,
                                   0x3f80, 0xbf81, 0x1000, 0x1001, 0x3b80, 0x3b81, 0x6800, 0x7bff, 0xfbff, 0x7c00,
                                   0xfc00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7e00, 0x7fff, 0x4248, 0xc049};
  for (unsigned i = 0; i < 100; ++i) numbers.push_back(static_cast<uint16_t>(i * 40503u + 977));
  const unsigned count = static_cast<unsigned>(numbers.size());
  uint16_t* in;
  results* out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, count * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * count * sizeof *out));
  for (unsigned i = 0; i < count; ++i) in[i] = numbers[i];
  compute<<<dim3(count, count), 1>>>(out, in);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < count * count; ++i) {
    const unsigned x = i % count, y = i / count;
    test(out[i], numbers[x], numbers[y], numbers[(7 * x + 3 * y) % count], static_cast<int>(i));
  }
  return result();
}
