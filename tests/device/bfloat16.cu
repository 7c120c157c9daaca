// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bfloat16 against exact results that this test rounds itself: all 65536 values, and many pairs.
#include <cuda_bf16.h>

#include "apply.hpp"
#include "format16.hpp"

typedef format16<7> format;

__host__ __device__ static __nv_bfloat16 number(bits16 bits) { return __ushort_as_bfloat16(bits); }

// A sum or a product, as cases of fused multiply-add on three operands.
template <int Operation>
struct arithmetic {
  __device__ static bits16 device(bits16 a, bits16 b, bits16 c) {
    const __nv_bfloat16 x = number(a), y = number(b), z = number(c);
    return __bfloat16_as_ushort(Operation == 0   ? x + y
                                : Operation == 1 ? x - y
                                : Operation == 2 ? x * y
                                : Operation == 3 ? x / y
                                : Operation == 4 ? __hfma(x, y, z)
                                : Operation == 5 ? __hmin(x, y)
                                : Operation == 6
                                    ? __hmax(x, y)
                                    : __high2bfloat16(__hmul2(__halves2bfloat162(y, x), __bfloat162bfloat162(y))));
  }
  static bits16 wanted(double x, double y, double z) {
    switch (Operation) {
      case 0:
        return format::rounded(exact_enough(x, 1, y));
      case 1:
        return format::rounded(exact_enough(x, 1, -y));
      case 3:
        return format::rounded(static_cast<long double>(x) / y);
      case 4:
        return format::rounded(exact_enough(x, y, z));
      case 5:
        return format::rounded(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y));
      case 6:
        return format::rounded(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y));
      default:
        return format::rounded(static_cast<long double>(x) * y);
    }
  }
};

template <int Operation>
static void test_arithmetic(const std::vector<bits16>& a, const std::vector<bits16>& b, const std::vector<bits16>& c) {
  const std::vector<bits16> results = apply<arithmetic<Operation>, bits16>(a, b, c);
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = format::value_of(a[i]), y = format::value_of(b[i]), z = format::value_of(c[i]);
    format::equal("arithmetic", results[i], arithmetic<Operation>::wanted(x, y, z), x, y,
                  Operation == 4 ? z : Operation);
  }
}

struct comparisons {
  __device__ static int device(bits16 a, bits16 b) { return compare<__nv_bfloat162>(number(a), number(b)); }
};

template <int Direction>
struct narrow {
  __host__ __device__ static bits16 device(float x) {
    return __bfloat16_as_ushort(Direction == 0   ? __float2bfloat16(x)
                                : Direction == 1 ? __float2bfloat16_ru(x)
                                : Direction == 2 ? __float2bfloat16_rz(x)
                                                 : __float2bfloat16_rd(x));
  }
};
struct from_double {
  __device__ static bits16 device(double x) { return __bfloat16_as_ushort(__double2bfloat16(x)); }
};
template <int Direction>
struct from_integer {
  __device__ static bits16 device(long long x) {
    const int small = static_cast<int>(x);
    return __bfloat16_as_ushort(Direction == 0   ? __ll2bfloat16_rn(x)
                                : Direction == 1 ? __int2bfloat16_ru(small)
                                : Direction == 2 ? __uint2bfloat16_rz(static_cast<unsigned>(small))
                                                 : __ull2bfloat16_rd(static_cast<unsigned long long>(x)));
  }
};
struct widen {
  __device__ static float device(bits16 a) { return __bfloat162float(number(a)); }
};
struct integers {
  __device__ static long long device(bits16 a) {
    const __nv_bfloat16 x = number(a);
    return __bfloat162int_rn(x) + 3LL * __bfloat162int_rz(x) + 5LL * __bfloat162uint_ru(x) +
           7LL * __bfloat162short_rd(x);
  }
};
struct roots {
  __device__ static bits16 device(bits16 a) { return __bfloat16_as_ushort(hsqrt(number(a))); }
};

__global__ void sum_up(__nv_bfloat16* total, __nv_bfloat162* pair, __nv_bfloat16* shuffled) {
  const __nv_bfloat16 mine = __int2bfloat16_rn(static_cast<int>(threadIdx.x));
  atomicAdd(total, __nv_bfloat16(1.0f));
  atomicAdd(pair, __nv_bfloat162(__nv_bfloat16(1.0f), __nv_bfloat16(2.0f)));
  shuffled[threadIdx.x] = __shfl_xor_sync(0xffffffff, mine, 1) +
                          __high2bfloat16(__shfl_down_sync(~0u, __nv_bfloat162(__nv_bfloat16(0.0f), mine), 2));
}

// Pairs as raw bits, and the constants.
static void test_names() {
  const __nv_bfloat162 pair = __nv_bfloat162_raw{0x3fc0, 0xc040};
  const __nv_bfloat162_raw raw = pair;
  check::equal("low of a raw pair", static_cast<float>(pair.x), 1.5f);
  check::equal("high of a raw pair", static_cast<float>(pair.y), -3.0f);
  check::equal("raw low of a pair", raw.x, bits16{0x3fc0});
  check::equal("raw high of a pair", raw.y, bits16{0xc040});
  check::equal("1", static_cast<float>(CUDART_ONE_BF16), 1.0f);
  check::equal("infinity", static_cast<float>(CUDART_INF_BF16), INFINITY);
  check::equal("the largest", static_cast<float>(CUDART_MAX_NORMAL_BF16), 0x1.fep127f);
  check::equal("the least", static_cast<float>(CUDART_MIN_DENORM_BF16), 0x1p-133f);
  check::equal("-0", __bfloat16_as_ushort(CUDART_NEG_ZERO_BF16), bits16{0x8000});
  check::equal("NaN", __hisnan(CUDART_NAN_BF16), true);
}

int main() {
  test_names();
  std::vector<bits16> all, a, b, c;
  for (int i = 0; i < 65536; ++i) all.push_back(static_cast<bits16>(i));
  check::generator random;
  const bits16 edges[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x3f80,
                          0xbf80, 0x3f81, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0};
  for (bits16 x : edges)
    for (bits16 y : edges)
      for (bits16 z : edges) a.push_back(x), b.push_back(y), c.push_back(z);
  // The product 1.5 * 1.0078125 is a tie; an addend of 2^-100 decides it, and a double does not hold the sum.
  for (double tiny : {0x1p-100, -0x1p-100, 0x1p-133, -0x1p-133}) {
    a.push_back(format::rounded(1.5)), b.push_back(format::rounded(1.0078125)), c.push_back(format::rounded(tiny));
  }
  for (int i = 0; i < 40000; ++i) {
    a.push_back(static_cast<bits16>(random())), b.push_back(static_cast<bits16>(random()));
    c.push_back(i % 2 ? static_cast<bits16>(random())
                      : format::rounded(-format::value_of(a.back()) * format::value_of(b.back())));
  }
  test_arithmetic<0>(a, b, c), test_arithmetic<1>(a, b, c), test_arithmetic<2>(a, b, c), test_arithmetic<3>(a, b, c);
  test_arithmetic<4>(a, b, c), test_arithmetic<5>(a, b, c), test_arithmetic<6>(a, b, c), test_arithmetic<7>(a, b, c);

  const std::vector<int> results = apply<comparisons, int>(a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = format::value_of(a[i]), y = format::value_of(b[i]);
    check::equal("comparisons", results[i], compared(x, y), x, y);
  }

  std::vector<float> floats = check::floating_inputs<float>(3000);
  for (int i = 0; i < 0x7f7f; ++i) {
    const float low = static_cast<float>(format::value_of(static_cast<bits16>(i)));
    const float high = static_cast<float>(format::value_of(static_cast<bits16>(i + 1)));
    const float middle = low + (high - low) / 2;
    for (float x : {low, middle, std::nextafter(middle, INFINITY), std::nextafter(middle, 0.0f)})
      floats.push_back(i % 2 ? x : -x);
  }
  std::vector<double> doubles(floats.begin(), floats.end());
  for (double& x : doubles) x = std::nextafter(x, x * 2);
  const std::vector<bits16> nearest = apply<narrow<0>, bits16>(floats), up = apply<narrow<1>, bits16>(floats);
  const std::vector<bits16> zero = apply<narrow<2>, bits16>(floats), down = apply<narrow<-1>, bits16>(floats);
  const std::vector<bits16> narrowed = apply<from_double, bits16>(doubles);
  for (size_t i = 0; i < floats.size(); ++i) {
    format::equal("__float2bfloat16", nearest[i], format::rounded(floats[i]), floats[i]);
    format::equal("__float2bfloat16_ru", up[i], format::rounded(floats[i], 1), floats[i]);
    format::equal("__float2bfloat16_rz", zero[i], format::rounded(floats[i], 2), floats[i]);
    format::equal("__float2bfloat16_rd", down[i], format::rounded(floats[i], -1), floats[i]);
    format::equal("__double2bfloat16", narrowed[i], format::rounded(doubles[i]), doubles[i]);
    format::equal("__float2bfloat16_ru on the host", narrow<1>::device(floats[i]), up[i], floats[i]);
    format::equal("__float2bfloat16_rz on the host", narrow<2>::device(floats[i]), zero[i], floats[i]);
    format::equal("__float2bfloat16_rd on the host", narrow<-1>::device(floats[i]), down[i], floats[i]);
  }

  const std::vector<float> wide = apply<widen, float>(all);
  const std::vector<long long> whole = apply<integers, long long>(all);
  const std::vector<bits16> root = apply<roots, bits16>(all);
  for (size_t i = 0; i < all.size(); ++i) {
    const double x = format::value_of(all[i]);
    check::equal("__bfloat162float", wide[i], static_cast<float>(x), x);
    const double bounded = x != x ? 0 : std::fmin(std::fmax(std::trunc(x), -32768.0), 32767.0);
    check::equal("__bfloat162short_rz on the host", __bfloat162short_rz(number(all[i])), static_cast<short>(bounded),
                 x);
    format::equal("hsqrt", root[i], format::rounded(std::sqrt(x)), x);
    if (std::fabs(x) < 30000) {
      const double unsigned_part = std::fmax(std::ceil(x), 0.0);
      check::equal(
          "bfloat16 to integers", whole[i],
          static_cast<long long>(std::nearbyint(x) + 3 * std::trunc(x) + 5 * unsigned_part + 7 * std::floor(x)), x);
    }
  }

  std::vector<long long> longs;
  for (long long x : check::integer_inputs<long long>(2000)) longs.push_back(x), longs.push_back(x % 70000);
  // Ties of 8 bits that the lowest bit decides; neither a float nor a double holds these numbers.
  for (int sign : {1, -1}) longs.push_back(sign * 0x4040000000000001ll), longs.push_back(sign * 0x4040000000000000ll);
  const std::vector<bits16> l0 = apply<from_integer<0>, bits16>(longs), l1 = apply<from_integer<1>, bits16>(longs);
  const std::vector<bits16> l2 = apply<from_integer<2>, bits16>(longs), l3 = apply<from_integer<-1>, bits16>(longs);
  for (size_t i = 0; i < longs.size(); ++i) {
    const long long x = longs[i];
    const double shown = static_cast<double>(x);
    format::equal("__ll2bfloat16_rn", l0[i], format::rounded(x), shown);
    format::equal("__int2bfloat16_ru", l1[i], format::rounded(static_cast<int>(x), 1), shown);
    format::equal("__uint2bfloat16_rz", l2[i], format::rounded(static_cast<unsigned>(x), 2), shown);
    format::equal("__ll2bfloat16_rn on the host", __bfloat16_as_ushort(__ll2bfloat16_rn(x)), l0[i], shown);
    format::equal("__ull2bfloat16_rd", l3[i], format::rounded(static_cast<unsigned long long>(x), -1), shown);
  }

  check::managed<__nv_bfloat16> total(1), shuffled(32);
  check::managed<__nv_bfloat162> pair(1);
  sum_up<<<1, 32>>>(total.data, pair.data, shuffled.data);
  check::synchronize();
  check::equal("atomicAdd bfloat16", __bfloat162float(total[0]), 32.0f);
  check::equal("atomicAdd bfloat162", __low2float(pair[0]) + 1000 * __high2float(pair[0]), 64032.0f);
  for (int i = 0; i < 32; ++i) {
    check::equal("shuffles of bfloat16", __bfloat162float(shuffled[i]),
                 static_cast<float>((i ^ 1) + (i < 30 ? i + 2 : i)), i);
  }
  // cuda_bf16.h includes __half; conversions between the two types go through float.
  check::equal("bfloat16 of half", __bfloat162float(__nv_bfloat16(__float2half(1.0029296875f))), 1.0f);
  check::equal("half of bfloat16", __half2float(__half(__float2bfloat16(3.140625f))), 3.140625f);
  return check::finish();
}
