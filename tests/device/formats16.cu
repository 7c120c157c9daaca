// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that half precision and bfloat16 share: conversions to bytes, products of complex numbers, and the
// approximation of tanh.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "apply.hpp"
#include "format16.hpp"

struct half_format : format16<10> {
  typedef __half2 pair;
  __device__ static __half number(bits16 bits) { return __ushort_as_half(bits); }
  __device__ static bits16 bits(__half x) { return __half_as_ushort(x); }
  __device__ static int bytes(__half x) { return __half2char_rz(x) * 1000 + __half2uchar_rz(x); }
};
struct bfloat16_format : format16<7> {
  typedef __nv_bfloat162 pair;
  __device__ static __nv_bfloat16 number(bits16 bits) { return __ushort_as_bfloat16(bits); }
  __device__ static bits16 bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
  __device__ static int bytes(__nv_bfloat16 x) { return __bfloat162char_rz(x) * 1000 + __bfloat162uchar_rz(x); }
};

template <class Format>
struct bytes {
  __device__ static int device(bits16 a) { return Format::bytes(Format::number(a)); }
};
template <class Format>
struct approximate_tanh {
  __device__ static bits16 device(bits16 a) {
    const auto x = Format::number(a);
    const typename Format::pair both = h2tanh_approx(typename Format::pair(x, -x));
    const bits16 result = Format::bits(htanh_approx(x));
    return Format::bits(both.x) == result && Format::bits(both.y) == (result ^ 0x8000) ? result : 0x7fff;
  }
};
// (a + bi) * (b + ci) + (c + ai): both parts of the sum.
template <class Format>
struct complex_product {
  __device__ static unsigned device(bits16 a, bits16 b, bits16 c) {
    typedef typename Format::pair pair;
    const auto x = Format::number(a), y = Format::number(b), z = Format::number(c);
    const pair sum = __hcmadd(pair(x, y), pair(y, z), pair(z, x));
    return Format::bits(sum.x) | static_cast<unsigned>(Format::bits(sum.y)) << 16;
  }
  static bits16 fused(double x, double y, bits16 z) { return Format::rounded(exact_enough(x, y, Format::value_of(z))); }
};

static int clamped(double x, int low, int high) {
  return x != x ? 0 : static_cast<int>(std::fmin(std::fmax(std::trunc(x), low), high));
}

template <class Format>
static void test() {
  std::vector<bits16> all, numbers, a, b, c;
  for (int i = 0; i < 65536; ++i) {
    const bits16 bits = static_cast<bits16>(i);
    all.push_back(bits);
    if ((bits & 0x7fff) <= Format::infinity) numbers.push_back(bits);
  }
  const std::vector<int> integers = apply<bytes<Format>, int>(all);
  for (size_t i = 0; i < all.size(); ++i) {
    const double x = Format::value_of(all[i]);
    check::equal("bytes", integers[i], clamped(x, -128, 127) * 1000 + clamped(x, 0, 255), x);
  }

  // CUDA promises a relative error of at most 2^-10.987 in half precision; bfloat16 has 8 bits.
  const std::vector<bits16> tangents = apply<approximate_tanh<Format>, bits16>(numbers);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double x = Format::value_of(numbers[i]), got = Format::value_of(tangents[i]), wanted = std::tanh(x);
    const double unit =
        Format::value_of(Format::rounded(std::fabs(wanted)) + 1) - Format::value_of(Format::rounded(std::fabs(wanted)));
    check::equal("tanh is near", std::fabs(got - wanted) <= 0.51 * unit, true, x, got);
  }

  check::generator random;
  for (int i = 0; i < 40000; ++i) {
    a.push_back(static_cast<bits16>(random()));
    b.push_back(static_cast<bits16>(random()));
    c.push_back(static_cast<bits16>(random()));
  }
  const std::vector<unsigned> sums = apply<complex_product<Format>, unsigned>(a, b, c);
  for (size_t i = 0; i < a.size(); ++i) {
    typedef complex_product<Format> model;
    const double x = Format::value_of(a[i]), y = Format::value_of(b[i]), z = Format::value_of(c[i]);
    const bits16 real = model::fused(-y, z, model::fused(x, y, c[i]));
    const bits16 imaginary = model::fused(y, y, model::fused(x, z, a[i]));
    Format::equal("real part", static_cast<bits16>(sums[i]), real, x, y, z);
    Format::equal("imaginary part", static_cast<bits16>(sums[i] >> 16), imaginary, x, y, z);
  }
}

int main() {
  test<half_format>();
  test<bfloat16_format>();
  return check::finish();
}
