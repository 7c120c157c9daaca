// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's mathematics in kernels: double, the `f` forms, the overloads of the global namespace and of std::,
// against the host's long double.
#include <type_traits>

#include "apply.hpp"

// Calls a function as name(T), std::name(T) and, for float, namef(T).
#define TEST_1(name, ulps_double, ulps_float)                                                               \
  struct call_##name {                                                                                      \
    template <class T>                                                                                      \
    __device__ static T device(T x) {                                                                       \
      static_assert(std::is_same<decltype(name(x)), T>::value, #name " keeps the type");                    \
      return name(x);                                                                                       \
    }                                                                                                       \
  };                                                                                                        \
  struct call_std_##name {                                                                                  \
    template <class T>                                                                                      \
    __device__ static T device(T x) {                                                                       \
      static_assert(std::is_same<decltype(std::name(x)), T>::value, "std::" #name " keeps the type");       \
      return std::name(x);                                                                                  \
    }                                                                                                       \
  };                                                                                                        \
  struct call_f_##name {                                                                                    \
    __device__ static float device(float x) { return name##f(x); }                                          \
  };                                                                                                        \
  struct test_##name {                                                                                      \
    test_##name() {                                                                                         \
      test<call_##name>(#name, doubles, ulps_double, [](long double x) { return name##l(x); });             \
      test<call_std_##name>("std::" #name, doubles, ulps_double, [](long double x) { return name##l(x); }); \
      test<call_##name>(#name, floats, ulps_float, [](long double x) { return name##l(x); });               \
      test<call_std_##name>("std::" #name, floats, ulps_float, [](long double x) { return name##l(x); });   \
      test<call_f_##name>(#name "f", floats, ulps_float, [](long double x) { return name##l(x); });         \
    }                                                                                                       \
  };

static const std::vector<double> doubles = check::floating_inputs<double>(1500);
static const std::vector<float> floats = check::floating_inputs<float>(1500);

template <class Call, class T, class Exact>
void test(const char* name, const std::vector<T>& inputs, double ulps, Exact exact) {
  const std::vector<T> results = apply<Call, T>(inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    check::near(name, ulps, results[i], exact(static_cast<long double>(inputs[i])), inputs[i]);
  }
}

TEST_1(acos, 2, 2)
TEST_1(acosh, 3, 3)
TEST_1(asin, 2, 2)
TEST_1(asinh, 3, 3)
TEST_1(atan, 2, 2)
TEST_1(atanh, 3, 3)
TEST_1(cbrt, 4, 2)
TEST_1(ceil, 0, 0)
TEST_1(cos, 1, 1)
TEST_1(cosh, 2, 3)
TEST_1(erf, 2, 2)
TEST_1(erfc, 6, 6)
TEST_1(exp, 1, 1)
TEST_1(exp2, 1, 1)
TEST_1(expm1, 2, 2)
TEST_1(fabs, 0, 0)
TEST_1(floor, 0, 0)
TEST_1(log, 1, 1)
TEST_1(log10, 2, 3)
TEST_1(log1p, 2, 2)
TEST_1(log2, 2, 2)
TEST_1(logb, 0, 0)
TEST_1(nearbyint, 0, 0)
TEST_1(rint, 0, 0)
TEST_1(round, 0, 0)
TEST_1(sin, 1, 1)
TEST_1(sinh, 3, 3)
TEST_1(sqrt, 0.5, 0.5)
TEST_1(tan, 1, 2)
TEST_1(tanh, 3, 3)
TEST_1(tgamma, 12, 12)
TEST_1(trunc, 0, 0)

// exp10 is not in std::.
struct call_exp10 {
  __device__ static double device(double x) { return exp10(x); }
  __device__ static float device(float x) { return exp10f(x); }
};
struct test_exp10 {
  test_exp10() {
    test<call_exp10>("exp10", doubles, 1.5, [](long double x) { return exp10l(x); });
    test<call_exp10>("exp10f", floats, 1.5, [](long double x) { return exp10l(x); });
  }
};

struct call_lgamma {
  template <class T>
  __device__ static T device(T x) {
    return lgamma(x);
  }
};
struct test_lgamma {
  // lgamma has zeros between -24 and -2; next to them only the absolute error is small.
  template <class T>
  static void test_type(const std::vector<T>& inputs, double ulps, long double distance) {
    const std::vector<T> results = apply<call_lgamma, T>(inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const long double x = inputs[i], exact = lgammal(x);
      if (x > -24 && x < -2 && std::isfinite(exact)) {
        const long double error = std::fabs(static_cast<long double>(results[i]) - exact);
        check::equal("lgamma near a zero", error <= distance * std::fmax(1.0L, std::fabs(exact)), true, inputs[i]);
      } else {
        check::near("lgamma", ulps, results[i], exact, inputs[i]);
      }
    }
  }
  test_lgamma() {
    test_type(doubles, 4, 1e-14L);
    test_type(floats, 6, 4e-6L);
  }
};

#define TEST_2(name, ulps_double, ulps_float)                                               \
  struct call_##name {                                                                      \
    template <class T>                                                                      \
    __device__ static T device(T x, T y) {                                                  \
      static_assert(std::is_same<decltype(name(x, y)), T>::value, #name " keeps the type"); \
      return name(x, y);                                                                    \
    }                                                                                       \
  };                                                                                        \
  struct call_std_##name {                                                                  \
    template <class T>                                                                      \
    __device__ static T device(T x, T y) {                                                  \
      return std::name(x, y);                                                               \
    }                                                                                       \
  };                                                                                        \
  struct call_f_##name {                                                                    \
    __device__ static float device(float x, float y) { return name##f(x, y); }              \
  };                                                                                        \
  struct test_##name {                                                                      \
    test_##name() {                                                                         \
      auto exact = [](long double x, long double y) { return exact_##name(x, y); };         \
      test2<call_##name>(#name, doubles, ulps_double, exact);                               \
      test2<call_std_##name>("std::" #name, doubles, ulps_double, exact);                   \
      test2<call_##name>(#name, floats, ulps_float, exact);                                 \
      test2<call_std_##name>("std::" #name, floats, ulps_float, exact);                     \
      test2<call_f_##name>(#name "f", floats, ulps_float, exact);                           \
    }                                                                                       \
  };

template <class Call, class T, class Exact>
void test2(const char* name, const std::vector<T>& inputs, double ulps, Exact exact) {
  std::vector<T> x, y;
  for (size_t i = 0; i < 56; ++i)
    for (size_t j = 0; j < 56; ++j) x.push_back(inputs[i]), y.push_back(inputs[j]);
  for (size_t i = 0; i + 1 < inputs.size(); ++i) x.push_back(inputs[i]), y.push_back(inputs[i + 1]);
  const std::vector<T> results = apply<Call, T>(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    check::near(name, ulps, results[i], exact(static_cast<long double>(x[i]), static_cast<long double>(y[i])), x[i],
                y[i]);
  }
}

#define EXACT(name) \
  static long double exact_##name(long double x, long double y) { return name##l(x, y); }
EXACT(atan2)
EXACT(copysign)
EXACT(fdim)
EXACT(fmod)
EXACT(hypot)
EXACT(remainder)
// glibc's powl(-inf, -2^63) is inf.
static long double exact_pow(long double x, long double y) {
  return std::isinf(x) && y <= -0x1p53L ? 0.0L : powl(x, y);
}

TEST_2(atan2, 2, 2)
TEST_2(copysign, 0, 0)
TEST_2(fdim, 0.5, 0.5)
TEST_2(fmod, 0, 0)
TEST_2(hypot, 1, 1)
TEST_2(pow, 1, 1)
TEST_2(remainder, 0, 0)

// Functions for which device and host use one library: the results must be equal bit for bit.
#define SAME_1(name)                                                                                             \
  struct same_##name {                                                                                           \
    template <class T>                                                                                           \
    __device__ static auto device(T x) {                                                                         \
      return name(x);                                                                                            \
    }                                                                                                            \
    same_##name() {                                                                                              \
      using result = decltype(name(1.0));                                                                        \
      const std::vector<result> results = apply<same_##name, result>(doubles);                                   \
      for (size_t i = 0; i < doubles.size(); ++i) check::equal(#name, results[i], name(doubles[i]), doubles[i]); \
    }                                                                                                            \
  };
#define SAME_1F(name)                                                                                         \
  struct same_##name {                                                                                        \
    __device__ static auto device(float x) { return name(x); }                                                \
    same_##name() {                                                                                           \
      using result = decltype(name(1.0f));                                                                    \
      const std::vector<result> results = apply<same_##name, result>(floats);                                 \
      for (size_t i = 0; i < floats.size(); ++i) check::equal(#name, results[i], name(floats[i]), floats[i]); \
    }                                                                                                         \
  };

SAME_1(ilogb)
SAME_1F(ilogbf)
SAME_1(j0)
SAME_1(j1)
SAME_1(y0)
SAME_1(y1)

// Rounding to integers, for results in range.
struct round_to_integers {
  __device__ static long long device(double x) {
    if (!(fabs(x) < 9e18)) return 0;
    using wraps = unsigned long long;
    return static_cast<long long>(wraps(lrint(x)) + 3 * wraps(llrint(x)) + 5 * wraps(lround(x)) +
                                  7 * wraps(llround(x)) + 11 * wraps(lrintf(static_cast<float>(x))) +
                                  13 * wraps(std::lround(static_cast<float>(x))));
  }
  static long long host(double x) {
    if (!(std::fabs(x) < 9e18)) return 0;
    const float f = static_cast<float>(x);
    const auto nearest = [](double v) {
      return static_cast<unsigned long long>(static_cast<long long>(std::nearbyint(v)));
    };
    const auto away = [](double v) { return static_cast<unsigned long long>(static_cast<long long>(std::round(v))); };
    return static_cast<long long>(4 * nearest(x) + 12 * away(x) + 11 * nearest(f) + 13 * away(f));
  }
};

struct compose {
  __device__ static double device(double x) {
    int e;
    const double m = frexp(x, &e);
    double whole;
    const double part = modf(x, &whole);
    float whole_float;
    const float part_float = std::modf(static_cast<float>(x), &whole_float);
    int quotient;
    const double rest = remquo(x, 3.0, &quotient);
    if (!(fabs(x) < 1e300)) return 0.0;
    const bool right = ldexp(m, e) == x && scalbn(m, e) == x && scalbln(m, e) == x && part + whole == x &&
                       part_float + whole_float == static_cast<float>(x) && rest == remainder(x, 3.0) &&
                       fabs(x - rest - 3.0 * quotient) * 0.0 == 0.0;
    return right ? 1.0 : -1.0;
  }
};

struct classify {
  template <class T>
  __device__ static int device(T x) {
    return isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * signbit(x) + 16 * std::isnan(x) + 32 * std::isinf(x) +
           64 * std::isfinite(x) + 128 * std::signbit(x);
  }
};

struct fused {
  template <class T>
  __device__ static T device(T x, T y, T z) {
    return std::is_same<T, float>::value ? fmaf(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z))
                                         : fma(x, y, z);
  }
};

template <class T>
void test_classify(const std::vector<T>& inputs) {
  const std::vector<int> results = apply<classify, int>(inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const T x = inputs[i];
    const int one = (x != x) + 2 * (x - x != T(0) && x == x) + 4 * (x - x == T(0)) + 8 * (std::copysign(T(1), x) < 0);
    check::equal("isnan, isinf, isfinite, signbit", results[i], one * 17, x);
  }
  std::vector<T> x, y, z;
  for (size_t i = 2; i < inputs.size(); ++i)
    x.push_back(inputs[i - 2]), y.push_back(inputs[i - 1]), z.push_back(inputs[i]);
  const std::vector<T> results_fma = apply<fused, T>(x, y, z);
  for (size_t i = 0; i < x.size(); ++i)
    check::equal("fma", results_fma[i], std::fma(x[i], y[i], z[i]), x[i], y[i], z[i]);
}

struct lowest {
  __device__ static int device(int x) {
    return abs(x) == x && std::abs(x) == x && llabs(x * 0x100000000ll) == x * 0x100000000ll;
  }
};

struct absolute {
  __device__ static long long device(long long x) {
    const int i = static_cast<int>(x);
    const long l = static_cast<long>(x);
    return abs(x) + 3 * llabs(x) + 5 * abs(l) + 7 * labs(l) + 11LL * abs(i) + 13LL * std::abs(i) + 17 * std::abs(l) +
           19 * static_cast<long long>(std::abs(static_cast<float>(i / 512)) + abs(static_cast<double>(i)));
  }
};

int main() {
  test_acos{}, test_acosh{}, test_asin{}, test_asinh{}, test_atan{}, test_atanh{}, test_cbrt{}, test_ceil{};
  test_cos{}, test_cosh{}, test_erf{}, test_erfc{}, test_exp{}, test_exp2{}, test_expm1{}, test_fabs{}, test_floor{};
  test_log{}, test_log10{}, test_log1p{}, test_log2{}, test_logb{}, test_nearbyint{}, test_rint{}, test_round{};
  test_sin{}, test_sinh{}, test_sqrt{}, test_tan{}, test_tanh{}, test_tgamma{}, test_trunc{};
  test_atan2{}, test_copysign{}, test_fdim{}, test_fmod{}, test_hypot{}, test_pow{}, test_remainder{};
  test_exp10{}, test_lgamma{}, same_ilogb{}, same_ilogbf{}, same_j0{}, same_j1{};
  same_y0{}, same_y1{};

  const std::vector<long long> rounded = apply<round_to_integers, long long>(doubles);
  const std::vector<double> composed = apply<compose, double>(doubles);
  for (size_t i = 0; i < doubles.size(); ++i) {
    const double x = doubles[i];
    if (std::fabs(x) < 1e17) check::equal("lrint, llrint, lround, llround", rounded[i], round_to_integers::host(x), x);
    check::equal("frexp, modf, remquo, ldexp", composed[i], std::fabs(x) < 1e300 ? 1.0 : 0.0, x);
  }
  test_classify(doubles);
  test_classify(floats);

  std::vector<long long> integers;
  for (int x : check::integer_inputs<int>(500)) integers.push_back(x > INT32_MIN ? x : 0);
  const std::vector<long long> magnitudes = apply<absolute, long long>(integers);
  for (size_t i = 0; i < integers.size(); ++i) {
    const long long m = integers[i] < 0 ? -integers[i] : integers[i];
    check::equal("abs", magnitudes[i], 57 * m + 19 * (m / 512) + 19 * m, integers[i]);
  }
  check::equal("abs of the lowest", apply<lowest, int>(std::vector<int>{INT32_MIN})[0], 1);
  return check::finish();
}
