// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions that exist in CUDA only, in float and double, against long double on the host.
#include <type_traits>

#include "apply.hpp"

static const std::vector<double> doubles = check::floating_inputs<double>(2000);
static const std::vector<float> floats = check::floating_inputs<float>(2000);
static const long double pi = 3.14159265358979323846264338327950288L;

template <class Call, class T, class Exact>
void test(const char* name, const std::vector<T>& inputs, double ulps, Exact exact) {
  const std::vector<T> results = apply<Call, T>(inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    check::near(name, ulps, results[i], exact(static_cast<long double>(inputs[i])), inputs[i]);
  }
}

// TEST_1 calls `name` with arguments from the vectors above; `pick` is a function that selects from them.
#define TEST_1(name, pick, ulps_double, ulps_float, exact)                               \
  struct call_##name {                                                                   \
    template <class T>                                                                   \
    __device__ static T device(T x) {                                                    \
      static_assert(std::is_same<decltype(name(x)), T>::value, #name " keeps the type"); \
      return name(x);                                                                    \
    }                                                                                    \
  };                                                                                     \
  struct call_f_##name {                                                                 \
    __device__ static float device(float x) { return name##f(x); }                       \
  };                                                                                     \
  struct test_##name {                                                                   \
    test_##name() {                                                                      \
      test<call_##name>(#name, pick(doubles), ulps_double, exact);                       \
      test<call_##name>(#name, pick(floats), ulps_float, exact);                         \
      test<call_f_##name>(#name "f", pick(floats), ulps_float, exact);                   \
    }                                                                                    \
  };

template <class T>
std::vector<T> all(const std::vector<T>& x) {
  return x;
}
template <class T, class Keep>
std::vector<T> filter(const std::vector<T>& values, T scale, Keep keep) {
  std::vector<T> result;
  for (T x : values)
    if (keep(x * scale)) result.push_back(x * scale);
  return result;
}
template <class T>
std::vector<T> unit(const std::vector<T>& x) {  // values in [-1, 1] and outside
  return filter(x, T(0.0625), [](T v) { return !(v != v) && std::fabs(v) < T(1.1); });
}
template <class T>
std::vector<T> probabilities(const std::vector<T>& x) {  // values in [0, 2] and slightly above
  return filter(x, T(0.125), [](T v) { return v > T(-0.1) && v < T(2.1); });
}
template <class T>
std::vector<T> moderate(const std::vector<T>& x) {
  return filter(x, T(1.5), [](T v) { return std::fabs(v) < T(25); });
}

static long double sine_pi(long double x) {
  if (!(std::fabs(x) < INFINITY)) return NAN;
  long double r = remainderl(x, 2);
  if (std::fabs(r) > 0.5L) r = copysignl(1, r) - r;
  return r == 0 ? copysignl(0, x) : sinl(pi * r);
}
static long double cosine_pi(long double x) {
  if (!(std::fabs(x) < INFINITY)) return NAN;
  const long double r = fabsl(remainderl(x, 2));
  return r == 0.5L ? 0 : r < 0.25L ? cosl(pi * r) : sinl(pi * (0.5L - r));
}
// Returns a root in long double by Newton's method from an approximation.
static long double inverse_erf(long double y) {
  if (!(fabsl(y) <= 1)) return NAN;
  if (fabsl(y) == 1) return copysignl(INFINITY, y);
  long double low = 0, high = 7;
  for (int i = 0; i < 64; ++i) {
    const long double middle = (low + high) / 2;
    (fabsl(y) > 0.5L ? erfcl(middle) > 1 - fabsl(y) : erfl(middle) < fabsl(y)) ? low = middle : high = middle;
  }
  long double x = high;
  if (fabsl(y) < 1e-3L) x = fabsl(y) * sqrtl(pi) / 2;
  for (int i = 0; i < 4; ++i) {
    const long double error = fabsl(y) > 0.5L ? (1 - fabsl(y)) - erfcl(x) : erfl(x) - fabsl(y);
    x -= error * sqrtl(pi) / 2 * expl(x * x);
  }
  return copysignl(x, y);
}
static long double inverse_erfc(long double w) {
  if (!(w >= 0 && w <= 2)) return NAN;
  if (w == 0 || w == 2) return w == 0 ? INFINITY : -INFINITY;
  if (w > 0.5L && w < 1.5L) return inverse_erf(1 - w);
  const long double tail = w < 1 ? w : 2 - w;
  long double low = 0, high = 120;
  for (int i = 0; i < 80; ++i) {
    const long double middle = (low + high) / 2;
    (erfcl(middle) > tail ? low : high) = middle;
  }
  return w < 1 ? high : -high;
}

TEST_1(rsqrt, all, 1.5, 1.5, ([](long double x) { return 1 / sqrtl(x); }))
TEST_1(rcbrt, all, 1.2, 1, ([](long double x) { return 1 / cbrtl(x); }))
TEST_1(sinpi, all, 2, 1, sine_pi)
TEST_1(cospi, all, 2, 1, cosine_pi)
TEST_1(erfinv, unit, 5, 1, inverse_erf)
TEST_1(erfcinv, probabilities, 6, 1, inverse_erfc)
TEST_1(normcdf, moderate, 6, 1, ([](long double x) { return 0.5L * erfcl(-x / sqrtl(2)); }))
TEST_1(normcdfinv, probabilities, 7, 1, ([](long double p) { return -sqrtl(2) * inverse_erfc(2 * p); }))
TEST_1(erfcx, moderate, 6, 1, ([](long double x) { return expl(x * x) * erfcl(x); }))

// Sums a power series in long double.
static long double bessel_i(int order, long double x) {
  long double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000; ++k) sum += term *= x * x / 4 / (k * static_cast<long double>(k + order));
  return sum;
}
TEST_1(cyl_bessel_i0, moderate, 8, 1, ([](long double x) { return bessel_i(0, x); }))
TEST_1(cyl_bessel_i1, moderate, 8, 1, ([](long double x) { return bessel_i(1, x); }))

struct large_arguments {
  __device__ static double device(double x) {
    return x < 100 ? erfcx(1000.0 * x) : x < 200 ? cyl_bessel_i0(x) : cyl_bessel_i1(x);
  }
};

struct pairs {
  template <class T>
  __device__ static double device(T x, T y) {
    double s, c;
    float sf, cf;
    sincospi(static_cast<double>(x), &s, &c);
    sincospif(static_cast<float>(x), &sf, &cf);
    if (!(s == sinpi(static_cast<double>(x)) && c == cospi(static_cast<double>(x)))) return -1.0;
    if (!(sf == sinpif(static_cast<float>(x)) && cf == cospif(static_cast<float>(x)))) return -2.0;
    sincos(static_cast<double>(x), &s, &c);
    sincosf(static_cast<float>(x), &sf, &cf);
    if (!(s == sin(static_cast<double>(x)) && c == cos(static_cast<double>(x)))) return -3.0;
    if (!(sf == sinf(static_cast<float>(x)) && cf == cosf(static_cast<float>(x)))) return -4.0;
    const double p[3] = {static_cast<double>(x), static_cast<double>(y), 3.0};
    const float q[3] = {static_cast<float>(x), static_cast<float>(y), 3.0f};
    const double n = norm3d(p[0], p[1], p[2]);
    if (!(fabs(norm(3, p) - n) <= 4e-16 * n && fabs(norm4d(p[0], p[1], p[2], 0.0) - n) <= 4e-16 * n)) return -5.0;
    if (!(rnorm3d(p[0], p[1], p[2]) == 1.0 / n && rhypot(p[0], p[1]) == 1.0 / hypot(p[0], p[1]))) return -6.0;
    if (!(fabsf(normf(3, q) - norm3df(q[0], q[1], q[2])) <= 2e-7f * norm3df(q[0], q[1], q[2]))) return -7.0;
    return n;
  }
};

struct fast {
  __device__ static float device(float x, float y) {
    const float positive = fabsf(x);
    float s, c;
    __sincosf(x, &s, &c);
    // The tolerance accepts an approximation and rejects a wrong function.
    const auto close = [](float a, float b) { return fabsf(a - b) <= 1e-4f * fmaxf(1.0f, fabsf(b)) || a == b; };
    return close(__sinf(x), sinf(x)) && close(__cosf(x), cosf(x)) && close(__tanf(y), tanf(y)) &&
           close(__expf(y), expf(y)) && close(__exp10f(y), exp10f(y)) && close(__logf(positive), logf(positive)) &&
           close(__log2f(positive), log2f(positive)) && close(__log10f(positive), log10f(positive)) &&
           close(__powf(positive, y), powf(positive, y)) && close(__fdividef(x, y), x / y) &&
           close(fdividef(x, y), x / y) && close(s, sinf(x)) && close(c, cosf(x));
  }
};

struct saturate {
  __device__ static float device(float x) { return __saturatef(x); }
};

struct extremes {
  template <class T>
  __device__ static T device(T x, T y) {
    return max(min(x, y), y - min(x, y)) + (fmax(x, y) - fmin(x, y));
  }
};

// Host code calls the functions, too.
void test_on_host() {
  if (rsqrtf(4.0f) != 0.5f || rsqrt(0.25) != 2.0 || rsqrt(16.0f) != 0.25f) {
    std::printf("rsqrt on the host is wrong\n");
    std::exit(1);
  }
}

int main() {
  test_on_host();
  test_rsqrt{}, test_rcbrt{}, test_sinpi{}, test_cospi{}, test_erfinv{}, test_erfcinv{}, test_normcdf{};
  test_normcdfinv{}, test_erfcx{}, test_cyl_bessel_i0{}, test_cyl_bessel_i1{};

  std::vector<double> large;
  for (int i = 1; i < 700; ++i) large.push_back(i + 0.25);
  const std::vector<double> results = apply<large_arguments, double>(large);
  for (size_t i = 0; i < large.size(); ++i) {
    const long double x = large[i], square = 1e6L * x * x;
    const long double exact = x < 100   ? (1 - 1 / (2 * square) + 3 / (4 * square * square)) / (1000 * x * sqrtl(pi))
                              : x < 200 ? bessel_i(0, x)
                                        : bessel_i(1, x);
    check::near("erfcx, cyl_bessel_i0, cyl_bessel_i1", 8, results[i], exact, large[i]);
  }

  std::vector<double> x, y;
  std::vector<float> xf, yf;
  check::generator random;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(static_cast<double>(random() % 2000001) / 1e4 - 100);
    y.push_back(static_cast<double>(random() % 2000001) / 1e5 - 10);
    xf.push_back(static_cast<float>(x[i]) / 40), yf.push_back(static_cast<float>(y[i]) / 7);
  }
  const std::vector<double> norms = apply<pairs, double>(x, y);
  const std::vector<float> fast_results = apply<fast, float>(xf, yf);
  const std::vector<double> extreme = apply<extremes, double>(x, y);
  const std::vector<float> extreme_float = apply<extremes, float>(xf, yf);
  const std::vector<float> saturated = apply<saturate, float>(floats);
  for (size_t i = 0; i < x.size(); ++i) {
    const long double a = x[i], b = y[i];
    check::near("norm3d and pairs", 2, norms[i], sqrtl(a * a + b * b + 9), x[i], y[i]);
    check::equal("fast functions", fast_results[i], 1.0f, xf[i], yf[i]);
    const double low = x[i] < y[i] ? x[i] : y[i];
    check::equal("min, max", extreme[i], (low > y[i] - low ? low : y[i] - low) + std::fabs(x[i] - y[i]), x[i], y[i]);
    const float lowf = xf[i] < yf[i] ? xf[i] : yf[i];
    check::equal("min, max", extreme_float[i], (lowf > yf[i] - lowf ? lowf : yf[i] - lowf) + std::fabs(xf[i] - yf[i]),
                 xf[i], yf[i]);
  }
  for (size_t i = 0; i < floats.size(); ++i) {
    const float v = floats[i];
    check::equal("__saturatef", saturated[i], v >= 1 ? 1.0f : v > 0 ? v : 0.0f, v);
  }
  return check::finish();
}
