// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and conversions with explicit rounding, against the CPU's rounding modes.
#include <cfenv>

#include "apply.hpp"

static const std::vector<double> doubles = check::floating_inputs<double>(3000);
static const std::vector<float> floats = check::floating_inputs<float>(3000);

// Computes on the host, opaque to the optimizer, which assumes the default rounding mode.
template <class T>
__attribute__((noinline)) T host_operation(int operation, int mode, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  std::fesetround(mode);
  switch (operation) {
    case 0:
      result = a + b;
      break;
    case 1:
      result = a - b;
      break;
    case 2:
      result = a * b;
      break;
    case 3:
      result = std::fma(a, b, c);
      break;
    case 4:
      result = a / b;
      break;
    case 5:
      result = T(1) / a;
      break;
    default:
      result = std::sqrt(a);
      break;
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

#define ARITHMETIC(suffix)                                          \
  template <int Operation>                                          \
  struct arithmetic_##suffix {                                      \
    __device__ static float device(float x, float y, float z) {     \
      return Operation == 0   ? __fadd_##suffix(x, y)               \
             : Operation == 1 ? __fsub_##suffix(x, y)               \
             : Operation == 2 ? __fmul_##suffix(x, y)               \
             : Operation == 3 ? __fmaf_##suffix(x, y, z)            \
             : Operation == 4 ? __fdiv_##suffix(x, y)               \
             : Operation == 5 ? __frcp_##suffix(x)                  \
                              : __fsqrt_##suffix(x);                \
    }                                                               \
    __device__ static double device(double x, double y, double z) { \
      return Operation == 0   ? __dadd_##suffix(x, y)               \
             : Operation == 1 ? __dsub_##suffix(x, y)               \
             : Operation == 2 ? __dmul_##suffix(x, y)               \
             : Operation == 3 ? __fma_##suffix(x, y, z)             \
             : Operation == 4 ? __ddiv_##suffix(x, y)               \
             : Operation == 5 ? __drcp_##suffix(x)                  \
                              : __dsqrt_##suffix(x);                \
    }                                                               \
  };
ARITHMETIC(rn)
ARITHMETIC(rz)
ARITHMETIC(ru)
ARITHMETIC(rd)

// Covers both elements of the paired operations, and __fmaf_ieee_*, the second name of the fused operation.
#define PAIRED(suffix)                                                                           \
  template <int Operation>                                                                       \
  struct paired_##suffix {                                                                       \
    __device__ static float device(float x, float y, float z) {                                  \
      if (Operation == 0) return __fadd2_##suffix({x, z}, {y, z}).x;                             \
      if (Operation == 2) return __fmul2_##suffix({z, x}, {z, y}).y;                             \
      return x > y ? __ffma2_##suffix({x, y}, {y, z}, {z, x}).x : __fmaf_ieee_##suffix(x, y, z); \
    }                                                                                            \
  };
PAIRED(rn)
PAIRED(rz)
PAIRED(ru)
PAIRED(rd)

template <class T>
struct operands {
  std::vector<T> x, y, z;
  explicit operands(const std::vector<T>& values) {
    const auto add = [this](T a, T b, T c) { x.push_back(a), y.push_back(b), z.push_back(c); };
    for (size_t i = 0; i < 49; ++i)
      for (size_t j = 0; j < 49; ++j) add(values[i], values[j], values[(i * 7 + j) % 49]);
    for (size_t i = 2; i < values.size(); ++i) {
      const T a = values[i], b = values[i - 1];
      add(a, b, values[i - 2]);
      add(a, std::nextafter(-a, T(0)), b);  // cancels almost completely
      add(a, b, -(a * b));
      add(a, a * std::numeric_limits<T>::epsilon() / 2, b);  // a tie
    }
    // Exponents at which double changes from one way to compute the rounding error to another.
    for (int end : {-1074, -1022, -900, -450, 500, 1000, 1023}) {
      for (size_t i = 2; i < 200; ++i) {
        const T a = std::frexp(values[i], &ignored_), b = std::frexp(values[i - 1], &ignored_);
        add(scaled(a, end), b, a);
        add(scaled(a, end), scaled(b, end - 52), a);
        add(scaled(a, end / 2), scaled(b, end - end / 2 + 1), b);
        add(std::fabs(scaled(a, end)), scaled(b, end - 1), a);
      }
    }
  }

 private:
  static T scaled(T x, int exponent) { return std::ldexp(x, sizeof(T) == 4 ? exponent / 8 : exponent); }
  int ignored_ = 0;
};

template <template <int> class Arithmetic, int Operation, class T>
void test_operation(const char* name, int mode, const operands<T>& in) {
  const std::vector<T> results = apply<Arithmetic<Operation>, T>(in.x, in.y, in.z);
  for (size_t i = 0; i < results.size(); ++i) {
    const T wanted = host_operation(Operation, mode, in.x[i], in.y[i], in.z[i]);
    check::equal(name, results[i], wanted, in.x[i], in.y[i], in.z[i]);
  }
}

template <template <int> class Arithmetic, class T>
void test_arithmetic(int mode, const operands<T>& in) {
  test_operation<Arithmetic, 0>("add", mode, in);
  test_operation<Arithmetic, 1>("sub", mode, in);
  test_operation<Arithmetic, 2>("mul", mode, in);
  test_operation<Arithmetic, 3>("fma", mode, in);
  test_operation<Arithmetic, 4>("div", mode, in);
  test_operation<Arithmetic, 5>("rcp", mode, in);
  test_operation<Arithmetic, 6>("sqrt", mode, in);
}

template <template <int> class Arithmetic>
void test_pairs(int mode, const operands<float>& in) {
  test_operation<Arithmetic, 0>("add2", mode, in);
  test_operation<Arithmetic, 2>("mul2", mode, in);
  test_operation<Arithmetic, 3>("fma2", mode, in);
}

// A product with explicit rounding must not be fused with the next operation.
template <int Way>
struct unmerged {
  template <class T>
  __device__ static T device(T x, T y, T z) {
    if constexpr (sizeof(T) == 4) {
      return Way == 0 ? __fadd_rn(__fmul_rn(x, y), z) : Way == 1 ? __fmul_rn(x, y) + z : __fadd_rn(x * y, z);
    } else {
      return Way == 0 ? __dadd_rn(__dmul_rn(x, y), z) : Way == 1 ? __dmul_rn(x, y) - (-z) : __dadd_rn(x * y, z);
    }
  }
};
template <int Way, class T>
static void test_unmerged(const operands<T>& in) {
  const std::vector<T> results = apply<unmerged<Way>, T>(in.x, in.y, in.z);
  for (size_t i = 0; i < results.size(); ++i) {
    volatile T product = in.x[i] * in.y[i];
    check::equal("product, then sum", results[i], product + in.z[i], in.x[i], in.y[i], in.z[i]);
  }
}

struct reciprocal_root {
  __device__ static float device(float x) { return __frsqrt_rn(x); }
};

// Conversions. The host computes the expectation with integers and nearbyint() in the given mode.
template <class Integer, class T>
Integer host_to_integer(int mode, T x) {
  const bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
  const int bits = static_cast<int>(sizeof(Integer)) * 8;
  const long double end = std::ldexp(1.0L, bits - is_signed);
  if (x != x) return sizeof(T) == 4 && bits == 32 ? 0 : static_cast<Integer>(uint64_t(1) << (bits - 1));
  std::fesetround(mode);
  volatile long double whole = std::nearbyint(static_cast<long double>(x));
  std::fesetround(FE_TONEAREST);
  if (whole >= end) return static_cast<Integer>(is_signed ? (uint64_t(1) << (bits - 1)) - 1 : ~uint64_t(0));
  if (whole < (is_signed ? -end : 0.0L)) return static_cast<Integer>(is_signed ? uint64_t(1) << (bits - 1) : 0);
  return is_signed ? static_cast<Integer>(static_cast<int64_t>(whole))
                   : static_cast<Integer>(static_cast<uint64_t>(whole));
}

template <class To, class From>
__attribute__((noinline)) To host_convert(int mode, From x) {
  volatile From from = x;
  std::fesetround(mode);
  volatile long double wide = from;  // 64 mantissa bits represent every integer and double exactly
  volatile To result = static_cast<To>(wide);
  std::fesetround(FE_TONEAREST);
  return result;
}

#define CONVERSION(function, to, from)                          \
  struct call_##function {                                      \
    __device__ static to device(from x) { return function(x); } \
  };

#define TO_INTEGER(function, suffix, mode, to, from)                                                      \
  {                                                                                                       \
    const std::vector<to> results = apply<call_##function##_##suffix, to>(from##s);                       \
    for (size_t i = 0; i < results.size(); ++i)                                                           \
      check::equal(#function "_" #suffix, results[i], host_to_integer<to>(mode, from##s[i]), from##s[i]); \
  }
#define CONVERT(function, suffix, mode, to, from, inputs)                                            \
  {                                                                                                  \
    const std::vector<to> results = apply<call_##function##_##suffix, to>(inputs);                   \
    for (size_t i = 0; i < results.size(); ++i)                                                      \
      check::equal(#function "_" #suffix, results[i], host_convert<to>(mode, inputs[i]), inputs[i]); \
  }

#define CONVERSIONS(suffix, mode)                                           \
  CONVERSION(__float2int_##suffix, int, float)                              \
  CONVERSION(__float2uint_##suffix, unsigned, float)                        \
  CONVERSION(__float2ll_##suffix, long long, float)                         \
  CONVERSION(__float2ull_##suffix, unsigned long long, float)               \
  CONVERSION(__double2int_##suffix, int, double)                            \
  CONVERSION(__double2uint_##suffix, unsigned, double)                      \
  CONVERSION(__double2ll_##suffix, long long, double)                       \
  CONVERSION(__double2ull_##suffix, unsigned long long, double)             \
  CONVERSION(__int2float_##suffix, float, int)                              \
  CONVERSION(__uint2float_##suffix, float, unsigned)                        \
  CONVERSION(__ll2float_##suffix, float, long long)                         \
  CONVERSION(__ull2float_##suffix, float, unsigned long long)               \
  CONVERSION(__ll2double_##suffix, double, long long)                       \
  CONVERSION(__ull2double_##suffix, double, unsigned long long)             \
  CONVERSION(__double2float_##suffix, float, double)                        \
  void test_conversions_##suffix() {                                        \
    TO_INTEGER(__float2int, suffix, mode, int, float)                       \
    TO_INTEGER(__float2uint, suffix, mode, unsigned, float)                 \
    TO_INTEGER(__float2ll, suffix, mode, long long, float)                  \
    TO_INTEGER(__float2ull, suffix, mode, unsigned long long, float)        \
    TO_INTEGER(__double2int, suffix, mode, int, double)                     \
    TO_INTEGER(__double2uint, suffix, mode, unsigned, double)               \
    TO_INTEGER(__double2ll, suffix, mode, long long, double)                \
    TO_INTEGER(__double2ull, suffix, mode, unsigned long long, double)      \
    CONVERT(__int2float, suffix, mode, float, int, ints)                    \
    CONVERT(__uint2float, suffix, mode, float, unsigned, unsigneds)         \
    CONVERT(__ll2float, suffix, mode, float, long long, longs)              \
    CONVERT(__ull2float, suffix, mode, float, unsigned long long, ulongs)   \
    CONVERT(__ll2double, suffix, mode, double, long long, longs)            \
    CONVERT(__ull2double, suffix, mode, double, unsigned long long, ulongs) \
    CONVERT(__double2float, suffix, mode, float, double, doubles)           \
  }

static const std::vector<int> ints = check::integer_inputs<int>(2000);
static const std::vector<unsigned> unsigneds = check::integer_inputs<unsigned>(2000);
static const std::vector<long long> longs = check::integer_inputs<long long>(2000);
static const std::vector<unsigned long long> ulongs = check::integer_inputs<unsigned long long>(2000);
CONVERSIONS(rn, FE_TONEAREST)
CONVERSIONS(rz, FE_TOWARDZERO)
CONVERSIONS(ru, FE_UPWARD)
CONVERSIONS(rd, FE_DOWNWARD)

int main() {
  const operands<double> double_operands(doubles);
  const operands<float> float_operands(floats);
  test_arithmetic<arithmetic_rn>(FE_TONEAREST, float_operands);
  test_pairs<paired_rn>(FE_TONEAREST, float_operands);
  test_arithmetic<arithmetic_rz>(FE_TOWARDZERO, float_operands);
  test_pairs<paired_rz>(FE_TOWARDZERO, float_operands);
  test_arithmetic<arithmetic_ru>(FE_UPWARD, float_operands);
  test_pairs<paired_ru>(FE_UPWARD, float_operands);
  test_arithmetic<arithmetic_rd>(FE_DOWNWARD, float_operands);
  test_pairs<paired_rd>(FE_DOWNWARD, float_operands);
  test_arithmetic<arithmetic_rn>(FE_TONEAREST, double_operands);
  test_arithmetic<arithmetic_rz>(FE_TOWARDZERO, double_operands);
  test_arithmetic<arithmetic_ru>(FE_UPWARD, double_operands);
  test_arithmetic<arithmetic_rd>(FE_DOWNWARD, double_operands);
  test_unmerged<0>(float_operands), test_unmerged<1>(float_operands), test_unmerged<2>(float_operands);
  test_unmerged<0>(double_operands), test_unmerged<1>(double_operands), test_unmerged<2>(double_operands);
  test_conversions_rn();
  test_conversions_rz();
  test_conversions_ru();
  test_conversions_rd();

  const std::vector<float> roots = apply<reciprocal_root, float>(floats);
  for (size_t i = 0; i < floats.size(); ++i) {
    check::equal("__frsqrt_rn", roots[i], static_cast<float>(1 / sqrtl(floats[i])), floats[i]);
  }
  return check::finish();
}
