// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/math_functions.hpp"

#include <map>

namespace cohort {

// Not here, because SLEEF 3.5 is wrong beyond a limit of the argument: fmod and remainder (NaN for large quotients),
// tgamma (signs, denormals), sinpi and cospi (zeros with the wrong sign).
// clang-format off: one function, one row
const std::vector<math_function> math_functions = {
    {"acos", "u10", 1, 0, 0},
    {"acosh", "u10", 1, 0x1p60, 0x1p500},
    {"asin", "u10", 1, 0, 0},
    {"asinh", "u10", 1, 0x1p60, 0x1p500},
    {"atan", "u10", 1, 0, 0},
    {"atan2", "u10", 2, 0, 0},
    {"atanh", "u10", 1, 0, 0},
    {"cbrt", "u10", 1, 0, 0},
    {"cos", "u10", 1, 0, 0},
    {"cosh", "u10", 1, 88, 708},
    {"erf", "u10", 1, 0, 0},
    {"erfc", "u15", 1, 0, 0},
    {"exp", "u10", 1, 0, 709},
    {"exp10", "u10", 1, 0, 0},
    {"exp2", "u10", 1, 0, 0},
    {"expm1", "u10", 1, 0, 0},
    {"hypot", "u05", 2, 0, 0},
    {"lgamma", "u10", 1, 0x1p100, 0x1p1000},
    {"log", "u10", 1, 0, 0},
    {"log10", "u10", 1, 0, 0},
    {"log1p", "u10", 1, 0x1p60, 0x1p500},
    {"log2", "u10", 1, 0, 0},
    {"pow", "u10", 2, 0, 0},
    {"sin", "u10", 1, 0, 0},
    {"sinh", "u10", 1, 88, 708},
    {"tan", "u10", 1, 0, 0},
    {"tanh", "u10", 1, 0, 0},
};

const std::vector<math_form> math_forms = {
#if defined(__aarch64__)
    {math_family::fused, "purecfma", 0},
    {math_family::fused, "advsimd", 128},
#else
    {math_family::fused, "purecfma", 0},
    {math_family::fused, "avx2128", 128},
    {math_family::fused, "avx2", 256},
    {math_family::fused, "avx512f", 512},
    {math_family::plain, "purec", 0},
#endif
};
// clang-format on

std::optional<math_row> find_math_row(std::string_view name) {
  for (const math_function& function : math_functions) {
    const std::string_view own = function.name;
    if (name == own) {
      return math_row{&function, true};
    }
    if (name.size() == own.size() + 1 && name.back() == 'f' && name.substr(0, own.size()) == own) {
      return math_row{&function, false};
    }
  }
  return std::nullopt;
}

std::optional<scalar_math> find_scalar_math(std::string_view symbol) {
  static const std::map<std::string, scalar_math, std::less<>> scalar_forms = [] {
    std::map<std::string, scalar_math, std::less<>> all;
    for (const math_function& function : math_functions) {
      for (const bool is_double : {false, true}) {
        for (const math_form& form : math_forms) {
          if (form.bits == 0) {
            const math_row row{&function, is_double};
            all.emplace(symbol_of(row, form), scalar_math{row, form.family});
          }
        }
      }
    }
    return all;
  }();
  const auto found = scalar_forms.find(symbol);
  return found == scalar_forms.end() ? std::nullopt : std::optional(found->second);
}

unsigned lanes_of(const math_form& form, bool is_double) {
  return form.bits == 0 ? 1 : form.bits / (is_double ? 64 : 32);
}

std::string symbol_of(const math_row& row, const math_form& form) {
  return std::string("Sleef_") + (form.family == math_family::fused ? "finz_" : "cinz_") + row.function->name +
         (row.is_double ? 'd' : 'f') + std::to_string(lanes_of(form, row.is_double)) + '_' + row.function->precision +
         form.suffix;
}

const math_form& scalar_form(math_family family) {
  for (const math_form& form : math_forms) {
    if (form.family == family && form.bits == 0) {
      return form;
    }
  }
  return math_forms.front();  // on this architecture each CPU has fused operations
}

}  // namespace cohort
