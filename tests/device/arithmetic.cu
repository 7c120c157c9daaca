// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators whose result C++ leaves open and PTX defines: each line of the table in docs/device-functions.md, against
// a model that computes in wider numbers or bit by bit. nvcc compiles this file as well, for a GPU.
#include <type_traits>

#include "apply.hpp"

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned __int128 wide;

template <class T>
static T most_negative() {
  return static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
}

// All pairs of the edge cases and of some random values.
template <class A, class B>
struct pairs {
  std::vector<A> first;
  std::vector<B> second;
  pairs(const std::vector<A>& a, const std::vector<B>& b) {
    for (A x : a) {
      for (B y : b) {
        first.push_back(x);
        second.push_back(y);
      }
    }
  }
};

template <class T>
static std::vector<T> numbers() {
  std::vector<T> values = check::integer_inputs<T>(40);
  const T top = static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
  for (T x : {T(0), T(1), T(3), T(7), static_cast<T>(-1), static_cast<T>(-7), top, static_cast<T>(top + 1),
              static_cast<T>(~top), static_cast<T>(0xffffffffu), static_cast<T>(0x100000000ull)}) {
    values.push_back(x);
  }
  return values;
}

template <class Op, class Result, class A, class B>
static void run(const char* name, const pairs<A, B>& inputs) {
  const std::vector<Result> results = apply<Op, Result>(inputs.first, inputs.second);
  for (size_t i = 0; i < results.size(); ++i) {
    check::equal(name, results[i], Op::host(inputs.first[i], inputs.second[i]), inputs.first[i], inputs.second[i]);
  }
}

template <class Op, class Result, class A>
static void run(const char* name, const std::vector<A>& inputs) {
  const std::vector<Result> results = apply<Op, Result>(inputs);
  for (size_t i = 0; i < results.size(); ++i) {
    check::equal(name, results[i], Op::host(inputs[i]), inputs[i]);
  }
}

// Shifts: `amount` steps of one bit, but no more steps than empty the word. A 64-bit amount loses its
// upper half first.
template <class T, class Amount, bool Left>
struct shift {
  typedef decltype(T() << 1) result;
  __device__ static result device(T x, Amount n) { return Left ? x << n : x >> n; }
  static result host(T x, Amount n) {
    result value = x;
    u64 steps = static_cast<u32>(static_cast<s64>(n));
    if (steps > sizeof(result) * 8) steps = sizeof(result) * 8;
    for (u64 i = 0; i < steps; ++i) {
      if (Left) {
        value = static_cast<result>(static_cast<typename std::make_unsigned<result>::type>(value) * 2u);
      } else {
        value = static_cast<result>((value - (value & 1)) / 2);
      }
    }
    return value;
  }
};

template <class T, class Amount>
static void shifts(const char* left, const char* right) {
  std::vector<Amount> amounts;
  for (int n = 0; n <= 66; ++n) amounts.push_back(static_cast<Amount>(n));
  for (u64 n : {127ull, 128ull, 0xffffffffull, 0x100000000ull, 0x100000005ull, 0x100000040ull, ~0ull, ~0ull - 31}) {
    amounts.push_back(static_cast<Amount>(n));
  }
  const pairs<T, Amount> inputs(numbers<T>(), amounts);
  run<shift<T, Amount, true>, decltype(T() << 1)>(left, inputs);
  run<shift<T, Amount, false>, decltype(T() << 1)>(right, inputs);
}

// Division: magnitudes in 128 bits. A division by zero sets all bits. A 64-bit dividend without upper bits yields only
// 32 set bits, except with nvcc -G.
template <class T, bool Remainder>
struct division {
  typedef decltype(T() / T()) result;
  __device__ static result device(T x, T y) { return Remainder ? x % y : x / y; }
  static result host(T x, T y) {
    if (y == 0) return static_cast<result>(sizeof(T) == 8 && u64(x) >> 32 == 0 ? 0xffffffffull : ~0ull);
    const bool negative_x = x < 0, negative_y = y < 0;
    const wide a = negative_x ? -wide(x) : wide(x), b = negative_y ? -wide(y) : wide(y);
    const wide magnitude = Remainder ? a % b : a / b;
    const bool negative = Remainder ? negative_x : negative_x != negative_y;
    return static_cast<result>(negative ? -magnitude : magnitude);
  }
};

template <class T>
static void divisions(const char* quotient, const char* remainder) {
  pairs<T, T> inputs(numbers<T>(), numbers<T>());
#ifdef __CUDACC_DEBUG__
  if (sizeof(T) == 8) {
    for (T& y : inputs.second) y = y == 0 ? T(1) : y;
  }
#endif
  run<division<T, false>, decltype(T() / T())>(quotient, inputs);
  run<division<T, true>, decltype(T() / T())>(remainder, inputs);
}

// Sums, differences, products and negations wrap around.
#define WRAPS(name, expression, wide_expression)                     \
  template <class T>                                                 \
  struct name {                                                      \
    __device__ static T device(T x, T y) { return expression; }      \
    static T host(T a, T b) {                                        \
      const wide x = static_cast<wide>(a), y = static_cast<wide>(b); \
      return static_cast<T>((void)x, (void)y, wide_expression);      \
    }                                                                \
  };
WRAPS(sum, x + y, x + y)
WRAPS(difference, x - y, x - y)
WRAPS(product, x* y, x* y)
WRAPS(negation, (void(y), -x), -x)
WRAPS(hash, (x * 31 + y) * 31 + 17, (x * 31 + y) * 31 + 17)
#undef WRAPS

template <class T>
struct magnitude {
  __device__ static T device(T x) { return abs(x); }
  static T host(T x) { return static_cast<T>(x < 0 ? -static_cast<wide>(x) : static_cast<wide>(x)); }
};

template <class T>
static void wraps() {
  const pairs<T, T> inputs(numbers<T>(), numbers<T>());
  run<sum<T>, T>("+", inputs);
  run<difference<T>, T>("-", inputs);
  run<product<T>, T>("*", inputs);
  run<negation<T>, T>("unary -", inputs);
  run<hash<T>, T>("hash", inputs);
  run<magnitude<T>, T>("abs", numbers<T>());
}

// Conversions saturate. Results of 8 and 16 bits are the low bits of a result of 32. A NaN in float becomes 0 in 32
// bits and less; any other NaN sets only the top bit.
template <class Integer, class Real>
struct conversion {
  typedef typename std::conditional<(sizeof(Integer) > 4), Integer,
                                    typename std::conditional<std::is_signed<Integer>::value, int, u32>::type>::type
      converted;
  __device__ static Integer device(Real x) { return static_cast<Integer>(x); }
  static Integer host(Real x) {
    if (x != x) {
      return static_cast<Integer>(sizeof(converted) == 4 && sizeof(Real) < 8 ? converted(0)
                                                                             : most_negative<converted>());
    }
    typedef std::numeric_limits<converted> limits;
    const long double exact = x;  // holds each bound exactly
    if (exact >= static_cast<long double>(limits::max())) return static_cast<Integer>(limits::max());
    if (exact <= static_cast<long double>(limits::min())) return static_cast<Integer>(limits::min());
    return static_cast<Integer>(static_cast<converted>(exact));
  }
};

template <class Real>
static void conversions(const char* name) {
  std::vector<Real> values = check::floating_inputs<Real>(2000);
  for (double x :
       {127.5, 128.0, 255.5, 256.0, 300.0, 32767.5, 32768.0, 65535.5, 65536.0, 70000.0, 3e9, 5e9, 9.3e18, 2e19, 1e30}) {
    values.push_back(static_cast<Real>(x));
    values.push_back(static_cast<Real>(-x));
  }
  run<conversion<signed char, Real>, signed char>(name, values);
  run<conversion<u8, Real>, u8>(name, values);
  run<conversion<short, Real>, short>(name, values);
  run<conversion<unsigned short, Real>, unsigned short>(name, values);
  run<conversion<int, Real>, int>(name, values);
  run<conversion<u32, Real>, u32>(name, values);
  run<conversion<s64, Real>, s64>(name, values);
  run<conversion<u64, Real>, u64>(name, values);
}

// fmin, fmax, min, max: a NaN operand is ignored, and -0 is less than +0.
template <class T, bool Smaller>
struct extreme {
  static T host(T x, T y) {
    if (x != x) return y;
    if (y != y) return x;
    const bool first = x == y ? std::signbit(x) : x < y;
    return first == Smaller ? x : y;
  }
};
#define EXTREME(name, T, function, smaller)                         \
  struct name : extreme<T, smaller> {                               \
    __device__ static T device(T x, T y) { return function(x, y); } \
  };
EXTREME(float_fmin, float, fminf, true)
EXTREME(float_fmax, float, fmaxf, false)
EXTREME(float_min, float, min, true)
EXTREME(float_max, float, max, false)
EXTREME(double_fmin, double, fmin, true)
EXTREME(double_fmax, double, fmax, false)
#undef EXTREME

// Device arithmetic keeps denormals: each operation is IEEE's, rounded once. The model uses the host's arithmetic.
#define IEEE(name, T, expression)                               \
  struct name {                                                 \
    __device__ static T device(T x, T y) { return expression; } \
    static T host(T x, T y) { return expression; }              \
  };
IEEE(float_sum, float, x + y)
IEEE(float_product, float, x* y)
IEEE(float_quotient, float, x / y)
IEEE(double_sum, double, x + y)
IEEE(double_product, double, x* y)
IEEE(double_quotient, double, x / y)
#undef IEEE

// __fdividef: a divisor above 2^126 gives 0 (NaN for an infinite dividend); else the error is at most 2 ulp.
struct fast_quotient {
  __device__ static float device(float x, float y) { return __fdividef(x, y); }
  static float host(float x, float y) { return x * std::copysign(0.0f, y); }
};
struct saturation {
  __device__ static float device(float x) { return __saturatef(x); }
  static float host(float x) { return x != x || x <= 0 ? 0.0f : x >= 1 ? 1.0f : x; }
};

int main() {
  shifts<int, int>("s32 << s32", "s32 >> s32");
  shifts<u32, u32>("u32 << u32", "u32 >> u32");
  shifts<int, s64>("s32 << s64", "s32 >> s64");
  shifts<u32, u64>("u32 << u64", "u32 >> u64");
  shifts<s64, int>("s64 << s32", "s64 >> s32");
  shifts<u64, u32>("u64 << u32", "u64 >> u32");
  shifts<s64, s64>("s64 << s64", "s64 >> s64");
  shifts<u64, u64>("u64 << u64", "u64 >> u64");
  shifts<u8, int>("u8 << s32", "u8 >> s32");
  shifts<short, int>("s16 << s32", "s16 >> s32");
  divisions<int>("s32 / s32", "s32 % s32");
  divisions<u32>("u32 / u32", "u32 % u32");
  divisions<s64>("s64 / s64", "s64 % s64");
  divisions<u64>("u64 / u64", "u64 % u64");
  divisions<short>("s16 / s16", "s16 % s16");
  divisions<signed char>("s8 / s8", "s8 % s8");
  wraps<int>();
  wraps<s64>();
  conversions<float>("integer of a float");
  conversions<double>("integer of a double");

  const std::vector<float> floats = check::floating_inputs<float>(160);
  const std::vector<double> doubles = check::floating_inputs<double>(160);
  const pairs<float, float> two_floats(floats, floats);
  const pairs<double, double> two_doubles(doubles, doubles);
  run<float_fmin, float>("fminf", two_floats);
  run<float_fmax, float>("fmaxf", two_floats);
  run<float_min, float>("min(float, float)", two_floats);
  run<float_max, float>("max(float, float)", two_floats);
  run<double_fmin, double>("fmin", two_doubles);
  run<double_fmax, double>("fmax", two_doubles);
  run<float_sum, float>("float +", two_floats);
  run<float_product, float>("float *", two_floats);
  run<float_quotient, float>("float /", two_floats);
  run<double_sum, double>("double +", two_doubles);
  run<double_product, double>("double *", two_doubles);
  run<double_quotient, double>("double /", two_doubles);
  run<fast_quotient, float>("__fdividef", pairs<float, float>(floats, {1e38f, -2e38f, 3.4028234e38f, -1.8e38f}));
  run<saturation, float>("__saturatef", floats);
  return check::finish();
}
