// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp8.h. The model has a table of all values of a format, built by the definition of its fields, and searches it
// for the nearest value. nvcc compiles the file, too.
#include <cuda_fp8.h>

#include <climits>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

int failures = 0;

struct format_model {
  __nv_fp8_interpretation_t format;
  int mantissa_bits;
  int bias;
  int largest_finite;
  // The value of a code without its sign. Codes beyond the largest finite one continue the scale.
  double value(int code) const {
    const int field = code >> mantissa_bits;
    const int fraction = code & ((1 << mantissa_bits) - 1);
    if (field == 0) return std::ldexp(fraction, 1 - bias - mantissa_bits);
    return std::ldexp(fraction + (1 << mantissa_bits), field - bias - mantissa_bits);
  }
  int beyond(bool saturate) const {
    if (saturate) return largest_finite;
    return format == __NV_E4M3 ? 0x7f : 0x7c;
  }
  // The nearest code; of two equally near codes the even one.
  int nearest(double x, bool saturate) const {
    const int sign = std::signbit(x) ? 0x80 : 0;
    const double magnitude = std::fabs(x);
    int best = 0;
    for (int code = 0; code <= largest_finite + 1; ++code) {
      const double distance = std::fabs(value(code) - magnitude);
      const double least = std::fabs(value(best) - magnitude);
      if (distance < least || (distance == least && code % 2 == 0)) best = code;
    }
    if (magnitude > value(largest_finite + 1)) best = largest_finite + 1;  // distances of far numbers are not exact
    return sign | (best > largest_finite ? beyond(saturate) : best);
  }
};

constexpr format_model e4m3{__NV_E4M3, 3, 7, 0x7e};
constexpr format_model e5m2{__NV_E5M2, 2, 15, 0x7b};

__global__ void encode(const float* from, unsigned char* to, int count, __nv_saturation_t saturate,
                       __nv_fp8_interpretation_t format) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = __nv_cvt_float_to_fp8(from[i], saturate, format);
}

__global__ void decode(float* e4m3_values, float* e5m2_values) {
  const int i = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = static_cast<__nv_fp8_storage_t>(i);
  e4m3_values[i] = static_cast<float>(a);
  e5m2_values[i] = static_cast<float>(b);
}

void expect(const char* what, double input, int got, int expected) {
  if (got == expected) return;
  if (++failures < 20) std::printf("%s of %a is %#x, expected %#x\n", what, input, got, expected);
}

// All codes, their neighbours in float, and the midpoints between codes with their neighbours.
std::vector<float> inputs(const format_model& model) {
  std::vector<float> all{0.0f, -0.0f, 1e30f, -1e30f, 1e-30f, HUGE_VALF, -HUGE_VALF};
  for (int code = 0; code <= model.largest_finite + 1; ++code) {
    const double here = model.value(code);
    for (double x : {here, (here + model.value(code + 1)) / 2}) {
      const float f = static_cast<float>(x);
      for (float each : {f, std::nextafterf(f, 1e30f), std::nextafterf(f, -1e30f)}) {
        all.push_back(each);
        all.push_back(-each);
      }
    }
  }
  return all;
}

void test_encoding(const format_model& model, bool saturate) {
  const std::vector<float> from = inputs(model);
  const int count = static_cast<int>(from.size());
  float* in = nullptr;
  unsigned char* out = nullptr;
  cudaMallocManaged(&in, count * sizeof(float));
  cudaMallocManaged(&out, count);
  for (int i = 0; i < count; ++i) in[i] = from[i];
  const __nv_saturation_t mode = saturate ? __NV_SATFINITE : __NV_NOSAT;
  encode<<<(count + 127) / 128, 128>>>(in, out, count, mode, model.format);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  for (int i = 0; i < count; ++i) {
    const int expected = model.nearest(from[i], saturate);
    // The sign of a NaN result is unspecified.
    const int mask = (expected & 0x7f) == 0x7f ? 0x7f : 0xff;
    expect("device code", from[i], out[i] & mask, expected & mask);
    expect("host code", from[i], __nv_cvt_float_to_fp8(from[i], mode, model.format) & mask, expected & mask);
  }
  cudaFree(in);
  cudaFree(out);
}

void test_decoding() {
  float* values = nullptr;
  cudaMallocManaged(&values, 512 * sizeof(float));
  decode<<<1, 256>>>(values, values + 256);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  for (int i = 0; i < 512; ++i) {
    const format_model& model = i < 256 ? e4m3 : e5m2;
    const int code = i & 0x7f;
    double expected = model.value(code);
    if (code > model.largest_finite) expected = i >= 256 && code == 0x7c ? HUGE_VAL : NAN;
    if (i & 0x80) expected = -expected;
    const bool equal = std::isnan(expected) ? std::isnan(values[i]) : values[i] == expected;
    if (!equal) expect("value", values[i], i, -1);
  }
  cudaFree(values);
}

void test_types() {
  const __nv_fp8_e4m3 a(3.3f);
  const __nv_fp8_e5m2 b(static_cast<__half>(-0.1f));
  expect("e4m3", 3.3, a.__x, e4m3.nearest(3.3f, true));
  expect("e5m2", -0.1, b.__x, e5m2.nearest(static_cast<float>(static_cast<__half>(-0.1f)), true));
  expect("int", 3.25, static_cast<int>(a), 3);
  expect("saturation", 1e9, __nv_fp8_e4m3(1000000000).__x, 0x7e);
  const __nv_fp8x4_e4m3 four(float4{1, -2, 0.5f, 448});
  const float4 back = static_cast<float4>(four);
  if (back.x != 1 || back.y != -2 || back.z != 0.5f || back.w != 448) ++failures;
  expect("four", 1, static_cast<int>(four.__x & 0xff), 0x38);
  expect("four doubles", 1, static_cast<int>(__nv_fp8x4_e4m3(double4{1, -2, 0.5, 448}).__x),
         static_cast<int>(four.__x));
  expect("four aligned doubles", 1, static_cast<int>(__nv_fp8x4_e4m3(double4_32a{1, -2, 0.5, 448}).__x),
         static_cast<int>(four.__x));
  expect("four doubles", 1, static_cast<int>(__nv_fp8x4_e8m0(double4_16a{1, 2, 4, 0.5}).__x), 0x7e81807f);
  const __nv_fp8x2_e5m2 two(float2{1.5f, -4});
  const float2 both = static_cast<float2>(two);
  if (both.x != 1.5f || both.y != -4) ++failures;
  __nv_fp8_e4m3 nan;
  nan.__x = 0x7f;
  if (static_cast<long>(nan) != LONG_MIN || static_cast<unsigned long long>(nan) != 1ull << 63) ++failures;
  if (static_cast<int>(nan) != 0 || static_cast<char>(nan) != 0 || static_cast<char>(a) != 3) ++failures;
  const __half_raw half = __nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3);
  expect("half", 1, half.x, 0x3c00);
}

void test_scales() {
  const auto up = cudaRoundPosInf;
  const auto down = cudaRoundZero;
  for (int exponent = -127; exponent <= 127; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    expect("scale", power, __nv_cvt_double_to_e8m0(power, __NV_NOSAT, up), exponent + 127);
    expect("scale", power, __nv_cvt_double_to_e8m0(power * 1.5, __NV_SATFINITE, down), exponent + 127);
    expect("scale", power, __nv_cvt_double_to_e8m0(-power * 1.5, __NV_SATFINITE, up),
           exponent < 127 ? exponent + 128 : 254);
    __nv_fp8_e8m0 scale;
    scale.__x = static_cast<__nv_fp8_storage_t>(exponent + 127);
    if (static_cast<float>(scale) != static_cast<float>(power)) ++failures;
  }
  expect("scale", 1e300, __nv_cvt_double_to_e8m0(1e300, __NV_NOSAT, down), 0xfe);
  expect("scale", 1e300, __nv_cvt_double_to_e8m0(1e300, __NV_NOSAT, up), 0xff);
  expect("scale", HUGE_VAL, __nv_cvt_double_to_e8m0(HUGE_VAL, __NV_SATFINITE, up), 0xfe);
}

void test_scales_of_other_types() {
  expect("scale of int", 3, __nv_fp8_e8m0(3).__x, 129);
  expect("scale of long", 0, __nv_fp8_e8m0((1l << 62) + 1).__x, 127 + 63);
  expect("scale of a half", 1, __nv_fp8_e8m0(__half(-0.25f)).__x, 125);
  const __nv_fp8_e8m0 scale(5u);
  if (!static_cast<bool>(__nv_fp8_e8m0(0.0))) ++failures;  // the least scale
  if (static_cast<int>(scale) != 8 || static_cast<signed char>(__nv_fp8_e8m0(200)) != 127) ++failures;
  if (static_cast<float>(static_cast<__half>(scale)) != 8) ++failures;
  const __nv_fp8x2_e8m0 two(float2{1.5f, 0.25f});
  expect("two scales", 1.5, two.__x, 0x7d80);
  expect("two scales, down", 1.5, __nv_cvt_double2_to_e8m0x2({1.5, 0.3}, __NV_NOSAT, cudaRoundZero), 0x7d7f);
  expect("two scales of bfloat16", 1, __nv_cvt_bfloat162raw_to_e8m0x2({0x3f80, 0x7f80}, __NV_NOSAT, cudaRoundZero),
         0xff7f);
  const __nv_bfloat162 pair = static_cast<__nv_bfloat162>(two);
  const float2 floats = static_cast<float2>(two);
  if (static_cast<float>(pair.x) != 2 || static_cast<float>(pair.y) != 0.25f) ++failures;
  if (floats.x != 2 || floats.y != 0.25f) ++failures;
  const float4 four = static_cast<float4>(__nv_fp8x4_e8m0(float4{1, 2, 3, 0.7f}));
  if (four.x != 1 || four.y != 2 || four.z != 4 || four.w != 1) ++failures;
}

}  // namespace

int main() {
  for (bool saturate : {false, true}) {
    test_encoding(e4m3, saturate);
    test_encoding(e5m2, saturate);
  }
  test_decoding();
  test_types();
  test_scales();
  test_scales_of_other_types();
  if (failures) std::printf("%d failures\n", failures);
  return failures != 0;
}
