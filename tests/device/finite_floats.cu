// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp6.h and cuda_fp4.h. The model has all values of a format by the definition of its fields, and searches the two
// that enclose a number.
#include <cuda_fp4.h>
#include <cuda_fp6.h>

#include <cmath>
#include <vector>

#include "check.hpp"

namespace {

struct format_model {
  int exponent_bits, mantissa_bits;

  int largest() const { return (1 << (exponent_bits + mantissa_bits)) - 1; }
  double value(int code) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int field = (code & largest()) >> mantissa_bits, fraction = code & ((1 << mantissa_bits) - 1);
    const double magnitude = field == 0 ? std::ldexp(fraction, 1 - bias - mantissa_bits)
                                        : std::ldexp(fraction + (1 << mantissa_bits), field - bias - mantissa_bits);
    return code > largest() ? -magnitude : magnitude;
  }
  int rounded(double x, cudaRoundMode rounding) const {
    if (std::isnan(x)) return largest();
    const int sign = std::signbit(x) ? largest() + 1 : 0;
    const double magnitude = std::fabs(x);
    int below = 0;
    while (below < largest() && value(below + 1) <= magnitude) ++below;
    if (below == largest() || value(below) == magnitude) return sign | below;
    const double middle = (value(below) + value(below + 1)) / 2;
    bool up = magnitude > middle || (magnitude == middle && below % 2 == 1);
    if (rounding != cudaRoundNearest) up = rounding == (sign ? cudaRoundMinInf : cudaRoundPosInf);
    return sign | (below + up);
  }
};

// The names that the functions under test give to the format.
struct e2m3 {
  static constexpr format_model model{2, 3};
  static constexpr int pair_shift = 8;
  __host__ __device__ static int of(float x, cudaRoundMode mode) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, mode); }
  __host__ __device__ static int of_pair(double2 x) { return __nv_cvt_double2_to_fp6x2(x, __NV_E2M3, cudaRoundZero); }
  __host__ __device__ static __half_raw half(int x) { return __nv_cvt_fp6_to_halfraw(x, __NV_E2M3); }
  typedef __nv_fp6_e2m3 one;
  typedef __nv_fp6x2_e2m3 two;
  typedef __nv_fp6x4_e2m3 four;
};
struct e3m2 {
  static constexpr format_model model{3, 2};
  static constexpr int pair_shift = 8;
  __host__ __device__ static int of(float x, cudaRoundMode mode) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, mode); }
  __host__ __device__ static int of_pair(double2 x) { return __nv_cvt_double2_to_fp6x2(x, __NV_E3M2, cudaRoundZero); }
  __host__ __device__ static __half_raw half(int x) { return __nv_cvt_fp6_to_halfraw(x, __NV_E3M2); }
  typedef __nv_fp6_e3m2 one;
  typedef __nv_fp6x2_e3m2 two;
  typedef __nv_fp6x4_e3m2 four;
};
struct e2m1 {
  static constexpr format_model model{2, 1};
  static constexpr int pair_shift = 4;
  __host__ __device__ static int of(float x, cudaRoundMode mode) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, mode); }
  __host__ __device__ static int of_pair(double2 x) { return __nv_cvt_double2_to_fp4x2(x, __NV_E2M1, cudaRoundZero); }
  __host__ __device__ static __half_raw half(int x) { return __nv_cvt_fp4_to_halfraw(x, __NV_E2M1); }
  typedef __nv_fp4_e2m1 one;
  typedef __nv_fp4x2_e2m1 two;
  typedef __nv_fp4x4_e2m1 four;
};

template <class Format>
__global__ void encode(const float* from, int* to, int count, cudaRoundMode rounding) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = Format::of(from[i], rounding);
}

// All codes, their neighbours in float, and the midpoints between codes with their neighbours.
std::vector<float> inputs(const format_model& model) {
  std::vector<float> all{0.0f, -0.0f, 1e30f, -1e30f, 1e-40f, -1e-40f, HUGE_VALF, -HUGE_VALF, std::nanf("")};
  for (int code = 0; code <= model.largest(); ++code) {
    const double here = model.value(code), next = code < model.largest() ? model.value(code + 1) : here * 1.5;
    for (double x : {here, (here + next) / 2}) {
      const float f = static_cast<float>(x);
      for (float each : {f, std::nextafterf(f, 1e30f), std::nextafterf(f, -1e30f)}) {
        all.push_back(each);
        all.push_back(-each);
      }
    }
  }
  return all;
}

template <class Format>
void test_numbers() {
  const std::vector<float> from = inputs(Format::model);
  const int count = static_cast<int>(from.size());
  check::managed<float> in(count);
  check::managed<int> out(count);
  for (int i = 0; i < count; ++i) in[i] = from[i];
  for (cudaRoundMode mode : {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf}) {
    encode<Format><<<(count + 127) / 128, 128>>>(in.data, out.data, count, mode);
    check::synchronize();
    for (int i = 0; i < count; ++i) {
      check::equal("device code", out[i], Format::model.rounded(from[i], mode), from[i], mode);
      check::equal("host code", Format::of(from[i], mode), out[i], from[i], mode);
    }
  }
  for (int code = 0; code <= 2 * Format::model.largest() + 1; ++code) {
    typename Format::one number;
    number.__x = static_cast<unsigned char>(code);
    const double value = Format::model.value(code);
    check::equal("value", static_cast<double>(number), value, code);
    check::equal("half", static_cast<double>(__half2float(__half(Format::half(code)))), value, code);
    check::equal("integer", static_cast<int>(number), static_cast<int>(value), code);
    check::equal("unsigned", static_cast<unsigned char>(number), static_cast<unsigned char>(std::fmax(value, 0)), code);
    check::equal("truth", static_cast<bool>(number), value != 0, code);
  }
}

template <class Format>
void test_types() {
  using one = typename Format::one;
  using two = typename Format::two;
  using four = typename Format::four;
  const auto nearest = [](double x) { return Format::model.value(Format::model.rounded(x, cudaRoundNearest)); };
  for (int x : {-100, -3, -1, 0, 2, 5, 6, 1000000}) {
    const double wanted = nearest(x);
    check::equal("of int", static_cast<double>(one(x)), wanted, x);
    check::equal("of long long", static_cast<double>(one(static_cast<long long>(x))), wanted, x);
    check::equal("of half", static_cast<double>(one(__half(x))), wanted, x);
    check::equal("of bfloat16", static_cast<double>(one(__nv_bfloat16(x))), wanted, x);
  }
  const float2 pair = static_cast<float2>(two(float2{1.3f, -2.2f}));
  check::equal("first of a pair", static_cast<double>(pair.x), nearest(1.3f));
  check::equal("second of a pair", static_cast<double>(pair.y), nearest(-2.2f));
  check::equal("bits of a pair", static_cast<int>(two(__half2(1, 3)).__x),
               Format::model.rounded(1, cudaRoundNearest) | Format::model.rounded(3, cudaRoundNearest)
                                                                << Format::pair_shift);
  check::equal("pair toward zero", Format::of_pair({1.9, -0.9}),
               Format::model.rounded(1.9, cudaRoundZero) | Format::model.rounded(-0.9, cudaRoundZero)
                                                               << Format::pair_shift);
  const float numbers[] = {0.5f, -1, 3, 2.2f};
  const four each[] = {four(float4{0.5f, -1, 3, 2.2f}), four(double4{0.5, -1, 3, 2.2f}),
                       four(__half2(0.5f, -1), __half2(3, __float2half(2.2f))), four(double4_16a{0.5, -1, 3, 2.2}),
                       four(double4_32a{0.5, -1, 3, 2.2})};
  for (const four& vector : each) {
    const float4 back = static_cast<float4>(vector);
    const float got[] = {back.x, back.y, back.z, back.w};
    for (int i = 0; i < 4; ++i) check::equal("of four", static_cast<double>(got[i]), nearest(numbers[i]), i);
  }
}

}  // namespace

int main() {
  static_assert(sizeof(__nv_fp4x2_e2m1) == 1 && sizeof(__nv_fp4x4_e2m1) == 2, "a byte holds a pair");
  static_assert(sizeof(__nv_fp6x2_e2m3) == 2 && sizeof(__nv_fp6x4_e3m2) == 4, "a byte holds one number");
  test_numbers<e2m3>(), test_numbers<e3m2>(), test_numbers<e2m1>();
  test_types<e2m3>(), test_types<e3m2>(), test_types<e2m1>();
  return check::finish();
}
