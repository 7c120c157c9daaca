// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exact.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#if defined(__x86_64__)
#define QUAD_NAME(name) name##q
#else
#define QUAD_NAME(name) name##l
#endif

// clang does not find g++'s <quadmath.h>, so the functions are declared here.
#define DECLARE_1(name) extern "C" sleef::quad QUAD_NAME(name)(sleef::quad) noexcept;
#define DECLARE_2(name) extern "C" sleef::quad QUAD_NAME(name)(sleef::quad, sleef::quad) noexcept;
DECLARE_1(acos)
DECLARE_1(acosh)
DECLARE_1(asin)
DECLARE_1(asinh)
DECLARE_1(atan)
DECLARE_1(atanh)
DECLARE_1(cbrt)
DECLARE_1(cos)
DECLARE_1(cosh)
DECLARE_1(erf)
DECLARE_1(erfc)
DECLARE_1(exp)
DECLARE_1(exp2)
DECLARE_1(expm1)
DECLARE_1(lgamma)
DECLARE_1(log)
DECLARE_1(log10)
DECLARE_1(log1p)
DECLARE_1(log2)
DECLARE_1(rint)
DECLARE_1(sin)
DECLARE_1(sinh)
DECLARE_1(tan)
DECLARE_1(tanh)
DECLARE_1(tgamma)
DECLARE_2(atan2)
DECLARE_2(fmod)
DECLARE_2(hypot)
DECLARE_2(pow)
DECLARE_2(remainder)

namespace sleef {
namespace {

// sin(pi * x) or cos(pi * x). The decomposition x = quarter / 2 + rest is exact.
template <class T>
T of_pi(T x, bool cosine, T (*sin_of)(T), T (*cos_of)(T), T (*fmod_of)(T, T), T (*rint_of)(T), T pi) {
  const T reduced = fmod_of(x, T(2));  // is NaN for infinities
  const T nearest = rint_of(2 * reduced);
  const T rest = reduced - nearest / 2;
  const int quarter = reduced == reduced ? (static_cast<int>(nearest) + (cosine ? 1 : 0)) & 3 : 0;
  if (rest == 0 && (quarter & 1) == 0) {
    return cosine ? T(0) : x < 0 || (x == 0 && 1 / x < 0) ? -T(0) : T(0);
  }
  const T s = sin_of(pi * rest), c = cos_of(pi * rest);
  return quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

constexpr double pi_double = 3.141592653589793238462643383279502884;
const quad pi_quad = quad(pi_double) + quad(1.2246467991473531772260659322749979970e-16L);

double of_pi(double x, bool cosine) {
  return of_pi<double>(x, cosine, std::sin, std::cos, std::fmod, std::rint, pi_double);
}
quad of_pi(quad x, bool cosine) {
  return of_pi<quad>(x, cosine, QUAD_NAME(sin), QUAD_NAME(cos), QUAD_NAME(fmod), QUAD_NAME(rint), pi_quad);
}

double exp10_of(double x) { return std::pow(10.0, x); }
quad exp10_of(quad x) { return QUAD_NAME(pow)(10, x); }

#define ONE(name, bound_float, bound_double)                                                                           \
  {#name, [](double x, double) { return std::name(x); }, [](quad x, quad) { return QUAD_NAME(name)(x); }, bound_float, \
   bound_double}
#define TWO(name, bound_float, bound_double)                                                                        \
  {#name, [](double x, double y) { return std::name(x, y); }, [](quad x, quad y) { return QUAD_NAME(name)(x, y); }, \
   bound_float, bound_double}

const reference references[] = {
    ONE(acos, 2, 2),
    ONE(acosh, 4, 3),
    ONE(asin, 2, 2),
    ONE(asinh, 3, 3),
    ONE(atan, 2, 2),
    TWO(atan2, 3, 2),
    ONE(atanh, 3, 2),
    ONE(cbrt, 1, 1),
    ONE(cos, 2, 2),
    ONE(cosh, 2, 1),
    {"cospi", [](double x, double) { return of_pi(x, true); }, [](quad x, quad) { return of_pi(x, true); }, 1, 2},
    ONE(erf, 2, 2),
    ONE(erfc, 4, 5),
    ONE(exp, 2, 1),
    {"exp10", [](double x, double) { return exp10_of(x); }, [](quad x, quad) { return exp10_of(x); }, 2, 1},
    ONE(exp2, 2, 1),
    ONE(expm1, 1, 1),
    TWO(fmod, 0, 0),
    TWO(hypot, 3, 2),
    ONE(lgamma, 6, 4),
    ONE(log, 1, 1),
    ONE(log10, 2, 1),
    ONE(log1p, 1, 1),
    ONE(log2, 1, 1),
    TWO(pow, 4, 2),
    TWO(remainder, 0, 0),
    ONE(sin, 2, 2),
    ONE(sinh, 3, 2),
    {"sinpi", [](double x, double) { return of_pi(x, false); }, [](quad x, quad) { return of_pi(x, false); }, 1, 2},
    ONE(tan, 4, 2),
    ONE(tanh, 2, 1),
    ONE(tgamma, 5, 10),
};

}  // namespace

const reference& find_reference(std::string_view name) {
  for (const reference& one : references) {
    if (one.name == name) {
      return one;
    }
  }
  throw std::runtime_error("there is no reference for " + std::string(name));
}

bool has_no_bound(std::string_view name, bool is_double, double x) {
  return name == "lgamma" && x > (is_double ? -23.0001 : -10.001) && x < -2.2637;
}

}  // namespace sleef
