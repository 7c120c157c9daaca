// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt to and from the small floating-point formats, and with a directed rounding. The host rounds each number
// independently, from the digits and exponents of the format.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../check.hpp"
#include "number_formats.hpp"

constexpr int relu = 1, clamped = 2, unit = 4, flush = 8;  // modifiers of an opcode

static long double flushed(long double x) { return std::fabs(x) < 0x1p-126L ? std::copysign(0.0L, x) : x; }

static uint64_t model(long double x, const format& to, char mode, int words = 0) {
  if (words & flush) x = flushed(x);
  if (words & relu) x = std::signbit(x) && !std::isnan(x) ? 0 : x;
  if (words & unit) x = !(x > 0) ? 0 : x > 1 ? 1 : x;
  x = round_to(x, to, mode);
  if ((words & clamped) && std::isinf(x)) x = std::copysign(static_cast<long double>(to.maximum), x);
  return encode(x, to);
}

static uint32_t pair(uint64_t upper, uint64_t lower, int bits) { return static_cast<uint32_t>(upper << bits | lower); }

struct single_results {
  uint16_t half[6], bfloat[6], float8[4], unit_half;
  uint32_t halves[3], bfloats[3], tf[7], flushed;
  int32_t flushed_up;
};

__global__ void from_singles(single_results* out, const float* in, unsigned count) {
  const float x = in[blockIdx.x], y = in[(blockIdx.x + 1) % count];
  single_results r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.half[0]) : "f"(x));
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(r.half[1]) : "f"(x));
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(r.half[2]) : "f"(x));
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(r.half[3]) : "f"(x));
  asm("cvt.rn.relu.f16.f32 %0, %1;" : "=h"(r.half[4]) : "f"(x));
  asm("cvt.rn.satfinite.f16.f32 %0, %1;" : "=h"(r.half[5]) : "f"(x));
  asm("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(r.unit_half) : "f"(x));
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r.bfloat[0]) : "f"(x));
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(r.bfloat[1]) : "f"(x));
  asm("cvt.rm.bf16.f32 %0, %1;" : "=h"(r.bfloat[2]) : "f"(x));
  asm("cvt.rp.bf16.f32 %0, %1;" : "=h"(r.bfloat[3]) : "f"(x));
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(r.bfloat[4]) : "f"(x));
  asm("cvt.rz.satfinite.bf16.f32 %0, %1;" : "=h"(r.bfloat[5]) : "f"(x));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r.halves[0]) : "f"(x), "f"(y));
  asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(r.halves[1]) : "f"(x), "f"(y));
  asm("cvt.rn.relu.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(r.halves[2]) : "f"(x), "f"(y));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r.bfloats[0]) : "f"(x), "f"(y));
  asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(r.bfloats[1]) : "f"(x), "f"(y));
  asm("cvt.rn.relu.satfinite.bf16x2.f32 %0, %1, %2;" : "=r"(r.bfloats[2]) : "f"(x), "f"(y));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r.tf[0]) : "f"(x));
  asm("cvt.rna.satfinite.tf32.f32 %0, %1;" : "=r"(r.tf[1]) : "f"(x));
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(r.tf[2]) : "f"(x));
  asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(r.tf[3]) : "f"(x));
  asm("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(r.tf[4]) : "f"(x));
  asm("cvt.rz.relu.tf32.f32 %0, %1;" : "=r"(r.tf[5]) : "f"(x));
  asm("cvt.rn.satfinite.relu.tf32.f32 %0, %1;" : "=r"(r.tf[6]) : "f"(x));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r.float8[0]) : "f"(x), "f"(y));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r.float8[1]) : "f"(x), "f"(y));
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(r.float8[2]) : "f"(x), "f"(y));
  asm("cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;" : "=h"(r.float8[3]) : "f"(x), "f"(y));
  asm("{ .reg .f32 f; cvt.ftz.f32.f32 f, %1; mov.b32 %0, f; }" : "=r"(r.flushed) : "f"(x));
  asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(r.flushed_up) : "f"(x));
  out[blockIdx.x] = r;
}

static void test_singles(const single_results& r, float x, float y, int at) {
  constexpr char modes[] = {'n', 'z', 'm', 'p', 'n'};
  constexpr int words[] = {0, 0, 0, 0, relu};
  for (int i = 0; i < 5; ++i) {
    expect_equal(r.half[i], model(x, f16, modes[i], words[i]), "f16.f32", at);
    expect_equal(r.bfloat[i], model(x, bf16, modes[i], words[i]), "bf16.f32", at);
  }
  expect_equal(r.half[5], model(x, f16, 'n', clamped), "satfinite.f16.f32", at);
  expect_equal(r.bfloat[5], model(x, bf16, 'z', clamped), "satfinite.bf16.f32", at);
  expect_equal(r.unit_half, model(x, f16, 'n', unit), "sat.f16.f32", at);
  constexpr int pair_words[] = {0, 0, relu | clamped};
  for (int i = 0; i < 3; ++i) {
    const char mode = i == 1 ? 'z' : 'n';
    const int w = pair_words[i];
    expect_equal(r.halves[i], pair(model(x, f16, mode, w), model(y, f16, mode, w), 16), "f16x2.f32", at);
    expect_equal(r.bfloats[i], pair(model(x, bf16, mode, w), model(y, bf16, mode, w), 16), "bf16x2.f32", at);
  }
  constexpr char tf_modes[] = {'a', 'a', 'n', 'z', 'n', 'z', 'n'};
  constexpr int tf_words[] = {0, clamped, 0, 0, relu, relu, relu | clamped};
  for (int i = 0; i < 7; ++i) expect_equal(r.tf[i], model(x, tf32, tf_modes[i], tf_words[i]), "tf32.f32", at);
  for (int i = 0; i < 4; ++i) {
    const format& to = i % 2 ? e5m2 : e4m3;
    const int w = clamped | (i < 2 ? 0 : relu);
    expect_equal(r.float8[i], pair(model(x, to, 'n', w), model(y, to, 'n', w), 8), "float8.f32", at);
  }
  if (!std::isnan(x)) expect_equal(r.flushed, model(x, f32, 'n', flush), "ftz.f32.f32", at);
  if (std::fabs(x) < 1e9f) expect_equal(r.flushed_up, static_cast<int32_t>(std::ceil(flushed(x))), "rpi.ftz", at);
}

struct double_results {
  uint32_t single[5];
  uint16_t half[4], bfloat[4];
};

__global__ void from_doubles(double_results* out, const double* in) {
  const double x = in[blockIdx.x];
  double_results r;
  float f[5];
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(f[0]) : "d"(x));
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f[1]) : "d"(x));
  asm("cvt.rm.f32.f64 %0, %1;" : "=f"(f[2]) : "d"(x));
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(f[3]) : "d"(x));
  asm("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(f[4]) : "d"(x));
  for (int i = 0; i < 5; ++i) r.single[i] = __float_as_uint(f[i]);
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r.half[0]) : "d"(x));
  asm("cvt.rz.f16.f64 %0, %1;" : "=h"(r.half[1]) : "d"(x));
  asm("cvt.rm.f16.f64 %0, %1;" : "=h"(r.half[2]) : "d"(x));
  asm("cvt.rp.f16.f64 %0, %1;" : "=h"(r.half[3]) : "d"(x));
  asm("cvt.rn.bf16.f64 %0, %1;" : "=h"(r.bfloat[0]) : "d"(x));
  asm("cvt.rz.bf16.f64 %0, %1;" : "=h"(r.bfloat[1]) : "d"(x));
  asm("cvt.rm.bf16.f64 %0, %1;" : "=h"(r.bfloat[2]) : "d"(x));
  asm("cvt.rp.bf16.f64 %0, %1;" : "=h"(r.bfloat[3]) : "d"(x));
  out[blockIdx.x] = r;
}

static void test_doubles(const double_results& r, double x, int at) {
  constexpr char modes[] = {'n', 'z', 'm', 'p'};
  for (int i = 0; i < 4; ++i) {
    if (!std::isnan(x)) expect_equal(r.single[i], model(x, f32, modes[i]), "f32.f64", at);
    expect_equal(r.half[i], model(x, f16, modes[i]), "f16.f64", at);
    expect_equal(r.bfloat[i], model(x, bf16, modes[i]), "bf16.f64", at);
  }
  expect_equal(r.single[4], model(x, f32, 'n', unit), "sat.f32.f64", at);
}

struct integer_results {
  uint32_t single[4], word_single[2];
  uint64_t number[4];
  uint16_t half[4], bfloat[4];
};

#define FROM_INTEGER(mode, i)                                               \
  asm("cvt." mode ".f32.s64 %0, %1;" : "=f"(f[i]) : "l"(x));                \
  asm("cvt." mode ".f64.u64 %0, %1;" : "=d"(d[i]) : "l"(x));                \
  asm("cvt." mode ".f16.s32 %0, %1;" : "=h"(r.half[i]) : "r"(uint32_t(x))); \
  asm("cvt." mode ".bf16.u64 %0, %1;" : "=h"(r.bfloat[i]) : "l"(x));        \
  r.single[i] = __float_as_uint(f[i]);                                      \
  r.number[i] = __double_as_longlong(d[i]);

__global__ void from_integers(integer_results* out, const uint64_t* in) {
  const uint64_t x = in[blockIdx.x];
  integer_results r;
  float f[6];
  double d[4];
  FROM_INTEGER("rn", 0)
  FROM_INTEGER("rz", 1)
  FROM_INTEGER("rm", 2)
  FROM_INTEGER("rp", 3)
  asm("cvt.rp.f32.u32 %0, %1;" : "=f"(f[4]) : "r"(uint32_t(x)));
  asm("cvt.rm.f32.s32 %0, %1;" : "=f"(f[5]) : "r"(uint32_t(x)));
  r.word_single[0] = __float_as_uint(f[4]);
  r.word_single[1] = __float_as_uint(f[5]);
  out[blockIdx.x] = r;
}

static void test_integers(const integer_results& r, uint64_t x, int at) {
  constexpr char modes[] = {'n', 'z', 'm', 'p'};
  const auto word = static_cast<int32_t>(x);
  for (int i = 0; i < 4; ++i) {
    expect_equal(r.single[i], model(static_cast<int64_t>(x), f32, modes[i]), "f32.s64", at);
    expect_equal(r.number[i], model(x, f64, modes[i]), "f64.u64", at);
    expect_equal(r.half[i], model(word, f16, modes[i]), "f16.s32", at);
    expect_equal(r.bfloat[i], model(x, bf16, modes[i]), "bf16.u64", at);
  }
  expect_equal(r.word_single[0], model(static_cast<uint32_t>(x), f32, 'p'), "f32.u32", at);
  expect_equal(r.word_single[1], model(word, f32, 'm'), "f32.s32", at);
}

struct bit_results {
  uint32_t widened, halves[4];
  uint64_t number;
  int32_t integer;
  uint16_t half, bfloat, whole, float8[3];
};

__global__ void from_bits(bit_results* out) {
  const uint16_t x = blockIdx.x;
  const uint32_t both = (x ^ 0x8123u) << 16 | x;
  bit_results r;
  float f;
  double d;
  asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"(x));
  asm("cvt.f64.bf16 %0, %1;" : "=d"(d) : "h"(x));
  asm("cvt.rni.s32.bf16 %0, %1;" : "=r"(r.integer) : "h"(x));
  asm("cvt.rn.f16.bf16 %0, %1;" : "=h"(r.half) : "h"(x));
  asm("cvt.rz.bf16.f16 %0, %1;" : "=h"(r.bfloat) : "h"(x));
  asm("cvt.rpi.bf16.bf16 %0, %1;" : "=h"(r.whole) : "h"(x));
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(r.float8[0]) : "r"(both));
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(r.float8[1]) : "r"(both));
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;" : "=h"(r.float8[2]) : "r"(both));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r.halves[0]) : "h"(x));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(r.halves[1]) : "h"(x));
  asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(r.halves[2]) : "h"(x));
  asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(r.halves[3]) : "h"(x));
  r.widened = __float_as_uint(f);
  r.number = __double_as_longlong(d);
  out[blockIdx.x] = r;
}

static void test_bits(const bit_results& r, unsigned bits) {
  const long double number = decode(bits, bf16), half = decode(bits, f16),
                    upper = decode((bits ^ 0x8123u) & 0xffff, f16);
  if (!std::isnan(number)) {
    expect_equal(r.widened, model(number, f32, 'n'), "f32.bf16", bits);
    expect_equal(r.number, model(number, f64, 'n'), "f64.bf16", bits);
  }
  const long double whole = std::nearbyint(number);
  expect_equal(r.integer,
               std::isnan(number)   ? 0
               : whole >= INT32_MAX ? INT32_MAX
               : whole <= INT32_MIN ? INT32_MIN
                                    : static_cast<int32_t>(whole),
               "s32.bf16", bits);
  expect_equal(r.half, model(number, f16, 'n'), "f16.bf16", bits);
  expect_equal(r.bfloat, model(half, bf16, 'z'), "bf16.f16", bits);
  expect_equal(r.whole, encode(std::ceil(number), bf16), "bf16.bf16", bits);
  for (int i = 0; i < 3; ++i) {
    const format& to = i ? e5m2 : e4m3;
    const int w = clamped | (i == 2 ? relu : 0);
    expect_equal(r.float8[i], pair(model(upper, to, 'n', w), model(half, to, 'n', w), 8), "float8.f16x2", bits);
  }
  for (int i = 0; i < 4; ++i) {
    const format& from = i % 2 ? e5m2 : e4m3;
    const int w = i < 2 ? 0 : relu;
    expect_equal(r.halves[i],
                 pair(model(decode(bits >> 8, from), f16, 'n', w), model(decode(bits & 255, from), f16, 'n', w), 16),
                 "f16x2.float8", bits);
  }
}

static uint64_t random_bits() {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 29;
}

template <class T, class Results>
static void run(void (*kernel)(Results*, const T*), const std::vector<T>& in, void (*test)(const Results&, T, int)) {
  T* numbers;
  Results* out;
  EXPECT_SUCCESS(cudaMallocManaged(&numbers, in.size() * sizeof(T)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, in.size() * sizeof(Results)));
  std::memcpy(numbers, in.data(), in.size() * sizeof(T));
  kernel<<<in.size(), 1>>>(out, numbers);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (size_t i = 0; i < in.size(); ++i) test(out[i], in[i], static_cast<int>(i));
}

// Ties, the ends of each format's range and of its normal numbers, and their neighbours.
static std::vector<double> edges() {
  std::vector<double> numbers = {0, 0.1, 3.14159, INFINITY, NAN};
  for (const format* to : {&f16, &bf16, &tf32, &f32, &e4m3, &e5m2}) {
    const double unit = std::ldexp(1.0, -to->digits), least = std::ldexp(1.0, to->least - to->digits);
    const double limit = std::ldexp(to->maximum, -1) + std::ldexp(1.0, to->largest - to->digits - 1);  // halved
    const double ties[] = {1 + unit,   1 + 3 * unit, least, 3 * least, 2 * least, std::ldexp(1.0, to->least),
                           to->maximum};
    for (const double tie : ties) {
      numbers.insert(numbers.end(), {tie, tie * (1 + 0x1p-22), tie * (1 - 0x1p-22)});
    }
    numbers.insert(numbers.end(), {limit * 2, limit * 2 * (1 - 0x1p-22), limit * 2 * (1 + 0x1p-22)});
  }
  const size_t count = numbers.size();
  for (size_t i = 0; i < count; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

int main() {
  std::vector<double> doubles = edges();
  std::vector<float> singles(doubles.begin(), doubles.end());
  std::vector<uint64_t> integers = {0,     1,     2047,  2048,       2049,       2051, 65503,
                                    65519, 65520, 65536, 0xffff0000, 0x7fffffff, ~0ull};
  for (int i = 0; i < 64; ++i) integers.insert(integers.end(), {1ull << i, (1ull << i) - 1, 0x1000001ull << (i % 40)});
  for (int i = 0; i < 2000; ++i) {
    const uint64_t bits = random_bits();
    const auto low = static_cast<uint32_t>(bits);
    float single;
    double number;
    std::memcpy(&single, &low, 4);
    std::memcpy(&number, &bits, 8);
    singles.push_back(single);
    singles.push_back(std::ldexp(1.0f + (low & 0xffff) * 0x1p-16f, static_cast<int>(bits >> 58) - 32));
    doubles.push_back(number);
    doubles.push_back(single * (1 + 0x1p-40));
    integers.push_back(bits >> (bits & 63));
  }
  run(from_doubles, doubles, test_doubles);
  run(from_integers, integers, test_integers);

  const size_t count = singles.size();
  float* in;
  single_results* out;
  bit_results* bits;
  EXPECT_SUCCESS(cudaMallocManaged(&in, count * sizeof(float)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * sizeof *out));
  EXPECT_SUCCESS(cudaMallocManaged(&bits, 65536 * sizeof *bits));
  std::memcpy(in, singles.data(), count * sizeof(float));
  from_singles<<<count, 1>>>(out, in, static_cast<unsigned>(count));
  from_bits<<<65536, 1>>>(bits);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (size_t i = 0; i < count; ++i) test_singles(out[i], in[i], in[(i + 1) % count], static_cast<int>(i));
  for (unsigned i = 0; i < 65536; ++i) test_bits(bits[i], i);
  return result();
}
