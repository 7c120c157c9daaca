// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference values in higher precision, and CUDA's documented error bounds.
#pragma once

#include <string_view>

namespace sleef {

// The reference of float functions is computed in double, that of double functions in binary128.
#if defined(__x86_64__)
typedef __float128 quad;
#else
typedef long double quad;
static_assert(__LDBL_MANT_DIG__ >= 113, "the reference of double functions needs 113 bits");
#endif

struct reference {
  std::string_view name;
  double (*of_float)(double, double);
  quad (*of_double)(quad, quad);
  // Maximum distance in ulp from the correctly rounded result (CUDA C++ programming guide, mathematical functions).
  double bound_float, bound_double;
};

const reference& find_reference(std::string_view name);

// True where CUDA states no bound: lgamma between its negative zeros.
bool has_no_bound(std::string_view name, bool is_double, double x);

}  // namespace sleef
