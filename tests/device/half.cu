// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision against double results that this test rounds itself: all 65536 values, and many pairs.
#include <cuda_fp16.h>

#include "apply.hpp"
#include "format16.hpp"

static double value_of(bits16 bits) { return format16<10>::value_of(bits); }
static bits16 rounded(long double x, int direction = 0) { return format16<10>::rounded(x, direction); }
static void equal(const char* what, bits16 got, bits16 wanted, double x, double y = 0, double z = 0) {
  format16<10>::equal(what, got, wanted, x, y, z);
}

template <int Operation>
struct binary {
  __host__ __device__ static bits16 device(bits16 a, bits16 b) {
    const __half x = __ushort_as_half(a), y = __ushort_as_half(b);
    const __half result = Operation == 0   ? x + y
                          : Operation == 1 ? x - y
                          : Operation == 2 ? x * y
                          : Operation == 3 ? x / y
                          : Operation == 4 ? __hmin(x, y)
                          : Operation == 5 ? __hmax(x, y)
                          : Operation == 6 ? __hadd_sat(x, y)
                                           : __high2half(__hmul2(__halves2half2(y, x), __half2half2(y)));
    return __half_as_ushort(result);
  }
  static bits16 wanted(double x, double y) {
    switch (Operation) {
      case 0:
        return rounded(static_cast<long double>(x) + y);
      case 1:
        return rounded(static_cast<long double>(x) - y);
      case 3:
        return rounded(static_cast<long double>(x) / y);
      case 4:
        return rounded(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y));
      case 5:
        return rounded(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y));
      case 6:
        return rounded(x + y != x + y ? 0.0 : std::fmin(std::fmax(x + y, 0.0), 1.0));
      default:
        return rounded(static_cast<long double>(x) * y);
    }
  }
};

template <int Operation>
static void test_binary(const std::vector<bits16>& a, const std::vector<bits16>& b) {
  const std::vector<bits16> results = apply<binary<Operation>, bits16>(a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = value_of(a[i]), y = value_of(b[i]);
    bits16 wanted = binary<Operation>::wanted(x, y);
    if (Operation == 6 && (wanted & 0x7fff) == 0) wanted = 0;
    equal("binary", results[i], wanted, x, y, Operation);
    equal("binary on the host", binary<Operation>::device(a[i], b[i]), wanted, x, y, Operation);
  }
}

struct fused {
  __device__ static bits16 device(bits16 a, bits16 b, bits16 c) {
    return __half_as_ushort(__hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c)));
  }
};

struct comparisons {
  __device__ static int device(bits16 a, bits16 b) {
    return compare<__half2>(__ushort_as_half(a), __ushort_as_half(b));
  }
};

template <int Direction>
struct narrow {
  __host__ __device__ static bits16 device(float x) {
    return __half_as_ushort(Direction == 0   ? __float2half(x)
                            : Direction == 1 ? __float2half_ru(x)
                            : Direction == 2 ? __float2half_rz(x)
                                             : __float2half_rd(x));
  }
};
struct from_double {
  __device__ static bits16 device(double x) { return __half_as_ushort(__double2half(x)); }
};
struct widen {
  __device__ static float device(bits16 a) { return __half2float(__ushort_as_half(a)); }
};
struct integers {
  __device__ static long long device(bits16 a) {
    const __half x = __ushort_as_half(a);
    return __half2int_rn(x) + 3LL * __half2int_rz(x) + 5LL * __half2uint_ru(x) + 7LL * __half2short_rd(x);
  }
};
template <int Direction>
struct from_integer {
  __host__ __device__ static bits16 device(long long x) {
    const int small = static_cast<int>(x);
    return __half_as_ushort(Direction == 0   ? __ll2half_rn(x)
                            : Direction == 1 ? __int2half_ru(small)
                            : Direction == 2 ? __uint2half_rz(static_cast<unsigned>(small))
                                             : __ull2half_rd(static_cast<unsigned long long>(x)));
  }
};
struct functions {
  __device__ static float device(bits16 a) {
    const __half x = __ushort_as_half(a);
    const __half2 v = h2sqrt(__half2(x, x));
    if (__half_as_ushort(v.x) != __half_as_ushort(hsqrt(x))) return -1;
    return __half2float(hsqrt(x)) + __half2float(hfloor(x)) + __half2float(hexp2(hrcp(__hadd(x, __half(1)))));
  }
};

__global__ void sum_up(__half* total, __half2* pair, __half* shuffled) {
  const __half mine = __int2half_rn(static_cast<int>(threadIdx.x));
  atomicAdd(total, __half(1));
  atomicAdd(pair, __half2(1, 2));
  shuffled[threadIdx.x] =
      __shfl_xor_sync(0xffffffff, mine, 1) + __high2half(__shfl_down_sync(~0u, __half2(0, mine), 2));
}

// The names of CUDA 12.2, pairs as raw bits, and the constants.
static void test_names() {
  static_assert(std::is_same_v<nv_half, __half> && std::is_same_v<__nv_half, __half>);
  static_assert(std::is_same_v<nv_half2, __half2> && std::is_same_v<__nv_half2, __half2>);
  static_assert(std::is_same_v<__nv_half_raw, __half_raw> && std::is_same_v<__nv_half2_raw, __half2_raw>);
  const __half2 pair = __half2_raw{0x3e00, 0xc200};
  const __half2_raw raw = pair;
  check::equal("low of a raw pair", static_cast<float>(pair.x), 1.5f);
  check::equal("high of a raw pair", static_cast<float>(pair.y), -3.0f);
  check::equal("raw low of a pair", raw.x, bits16{0x3e00});
  check::equal("raw high of a pair", raw.y, bits16{0xc200});
  const struct {
    __half constant;
    double value;
  } constants[] = {{CUDART_ONE_FP16, 1},
                   {CUDART_ZERO_FP16, 0},
                   {CUDART_INF_FP16, INFINITY},
                   {CUDART_MAX_NORMAL_FP16, 65504},
                   {CUDART_MIN_DENORM_FP16, 0x1p-24}};
  for (const auto& c : constants) check::equal("constant", value_of(__half_as_ushort(c.constant)), c.value);
  check::equal("-0", __half_as_ushort(CUDART_NEG_ZERO_FP16), bits16{0x8000});
  check::equal("NaN", __hisnan(CUDART_NAN_FP16), true);
}

int main() {
  test_names();
  std::vector<bits16> all, a, b, c;
  for (int i = 0; i < 65536; ++i) all.push_back(static_cast<bits16>(i));
  check::generator random;
  const bits16 edges[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00,
                          0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00};
  for (bits16 x : edges)
    for (bits16 y : edges)
      for (bits16 z : edges) a.push_back(x), b.push_back(y), c.push_back(z);
  // 2^-11 + 2^-29 + 1 becomes a tie if the sum is rounded to 24 bits first.
  for (double one : {1.0, -1.0})
    a.push_back(rounded(std::ldexp(481 * one, -14))), b.push_back(rounded(std::ldexp(545, -15))),
        c.push_back(rounded(one));
  for (int i = 0; i < 40000; ++i) {
    a.push_back(static_cast<bits16>(random())), b.push_back(static_cast<bits16>(random()));
    c.push_back(i % 2 ? static_cast<bits16>(random()) : rounded(-value_of(a.back()) * value_of(b.back())));
  }
  test_binary<0>(a, b), test_binary<1>(a, b), test_binary<2>(a, b), test_binary<3>(a, b), test_binary<4>(a, b);
  test_binary<5>(a, b), test_binary<6>(a, b), test_binary<7>(a, b);

  const std::vector<bits16> fma = apply<fused, bits16>(a, b, c);
  const std::vector<int> results = apply<comparisons, int>(a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = value_of(a[i]), y = value_of(b[i]), z = value_of(c[i]);
    equal("__hfma", fma[i], rounded(exact_enough(x, y, z)), x, y, z);
    check::equal("comparisons", results[i], compared(x, y), x, y);
  }

  std::vector<float> floats = check::floating_inputs<float>(3000);
  for (int i = 0; i < 0x7c00; ++i) {
    const float low = static_cast<float>(value_of(static_cast<bits16>(i)));
    const float high = i == 0x7bff ? 65536.0f : static_cast<float>(value_of(static_cast<bits16>(i + 1)));
    for (float x :
         {low, (low + high) / 2, std::nextafter((low + high) / 2, 1e9f), std::nextafter((low + high) / 2, 0.0f)})
      floats.push_back(i % 2 ? x : -x);
  }
  std::vector<double> doubles(floats.begin(), floats.end());
  for (double& x : doubles) x = std::nextafter(x, x * 2);
  const std::vector<bits16> nearest = apply<narrow<0>, bits16>(floats), up = apply<narrow<1>, bits16>(floats);
  const std::vector<bits16> zero = apply<narrow<2>, bits16>(floats), down = apply<narrow<-1>, bits16>(floats);
  const std::vector<bits16> narrowed = apply<from_double, bits16>(doubles);
  for (size_t i = 0; i < floats.size(); ++i) {
    equal("__float2half", nearest[i], rounded(floats[i]), floats[i]);
    equal("__float2half_ru", up[i], rounded(floats[i], 1), floats[i]);
    equal("__float2half_rz", zero[i], rounded(floats[i], 2), floats[i]);
    equal("__float2half_rd", down[i], rounded(floats[i], -1), floats[i]);
    equal("__double2half", narrowed[i], rounded(doubles[i]), doubles[i]);
    equal("__float2half_ru on the host", narrow<1>::device(floats[i]), rounded(floats[i], 1), floats[i]);
    equal("__float2half_rz on the host", narrow<2>::device(floats[i]), rounded(floats[i], 2), floats[i]);
    equal("__float2half_rd on the host", narrow<-1>::device(floats[i]), rounded(floats[i], -1), floats[i]);
  }

  const std::vector<float> wide = apply<widen, float>(all), computed = apply<functions, float>(all);
  const std::vector<long long> whole = apply<integers, long long>(all);
  for (size_t i = 0; i < all.size(); ++i) {
    const double x = value_of(all[i]);
    check::equal("__half2float", wide[i], static_cast<float>(x), x);
    const double bounded = x != x ? 0 : std::fmin(std::fmax(std::trunc(x), -32768.0), 32767.0);
    check::equal("__half2short_rz on the host", __half2short_rz(__ushort_as_half(all[i])), static_cast<short>(bounded),
                 x);
    if (std::fabs(x) < 30000) {
      const double unsigned_part = std::fmax(std::ceil(x), 0.0);
      check::equal(
          "half to integers", whole[i],
          static_cast<long long>(std::nearbyint(x) + 3 * std::trunc(x) + 5 * unsigned_part + 7 * std::floor(x)), x);
    }
    if (x >= 0 && x < 60000) {
      const double rcp = value_of(rounded(1.0f / static_cast<float>(value_of(rounded(x + 1)))));
      const double wanted = value_of(rounded(std::sqrt(x))) + std::floor(x);
      const double power = value_of(rounded(std::exp2(static_cast<float>(rcp))));
      check::equal("half functions", computed[i],
                   static_cast<float>(value_of(rounded(std::sqrt(x)))) + static_cast<float>(std::floor(x)) +
                       static_cast<float>(power),
                   x, wanted);
    }
  }

  std::vector<long long> longs;
  for (long long x : check::integer_inputs<long long>(2000)) longs.push_back(x), longs.push_back(x % 70000);
  const std::vector<bits16> l0 = apply<from_integer<0>, bits16>(longs), l1 = apply<from_integer<1>, bits16>(longs);
  const std::vector<bits16> l2 = apply<from_integer<2>, bits16>(longs), l3 = apply<from_integer<-1>, bits16>(longs);
  for (size_t i = 0; i < longs.size(); ++i) {
    const long long x = longs[i];
    equal("__ll2half_rn", l0[i], rounded(x), static_cast<double>(x));
    equal("__int2half_ru", l1[i], rounded(static_cast<int>(x), 1), static_cast<double>(x));
    equal("__uint2half_rz", l2[i], rounded(static_cast<unsigned>(x), 2), static_cast<double>(x));
    equal("__ull2half_rd", l3[i], rounded(static_cast<unsigned long long>(x), -1), static_cast<double>(x));
    equal("__ll2half_rn on the host", from_integer<0>::device(x), l0[i], static_cast<double>(x));
    equal("__int2half_ru on the host", from_integer<1>::device(x), l1[i], static_cast<double>(x));
    equal("__uint2half_rz on the host", from_integer<2>::device(x), l2[i], static_cast<double>(x));
    equal("__ull2half_rd on the host", from_integer<-1>::device(x), l3[i], static_cast<double>(x));
  }

  check::managed<__half> total(1), shuffled(32);
  check::managed<__half2> pair(1);
  sum_up<<<1, 32>>>(total.data, pair.data, shuffled.data);
  check::synchronize();
  check::equal("atomicAdd half", __half2float(total[0]), 32.0f);
  check::equal("atomicAdd half2", __low2float(pair[0]) + 1000 * __high2float(pair[0]), 64032.0f);
  for (int i = 0; i < 32; ++i)
    check::equal("shuffles of half", __half2float(shuffled[i]), static_cast<float>((i ^ 1) + (i < 30 ? i + 2 : i)), i);
  return check::finish();
}
