// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mathematical functions that device code takes from SLEEF, and the names of their scalar and wide forms. The fused
// forms give equal bits at every width (tests/device/sleef). Free of LLVM, because that test includes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohort {

struct math_function {
  const char* name;       // the double function in the C library; the float function's name ends with `f`
  const char* precision;  // SLEEF's error class: u10 is 1.0 ulp
  unsigned arguments;
  // SLEEF's results beyond these magnitudes are wrong; math/full_range.cpp replaces them. 0: there is no limit.
  double limit_float, limit_double;
};

// A set of forms that compute with the same operations. Only the fused forms have vectors: of the plain ones, exp2f and
// powf differ between the scalar form and SSE2.
enum class math_family { fused, plain };

// The names of the functions for one instruction set, whose vectors have `bits` bits; 0: the scalar form.
struct math_form {
  math_family family;
  const char* suffix;  // ending of SLEEF's names
  unsigned bits;
};

extern const std::vector<math_function> math_functions;
extern const std::vector<math_form> math_forms;  // the forms for the CPU architecture that the plugin is compiled for

// A function for float or for double.
struct math_row {
  const math_function* function;
  bool is_double;

  double limit() const { return is_double ? function->limit_double : function->limit_float; }
};

// The row of the C library's function `name`, `sin` or `sinf`, if device code takes it from SLEEF.
std::optional<math_row> find_math_row(std::string_view name);

// The row and family of a symbol in libsleef that is the scalar form of a function.
struct scalar_math {
  math_row row;
  math_family family;
};
std::optional<scalar_math> find_scalar_math(std::string_view symbol);

// The number of elements in a vector of `form`; 1 for the scalar form.
unsigned lanes_of(const math_form& form, bool is_double);

// The symbol in libsleef, such as Sleef_finz_expf8_u10avx2.
std::string symbol_of(const math_row& row, const math_form& form);

// The scalar form of `family`.
const math_form& scalar_form(math_family family);

}  // namespace cohort
