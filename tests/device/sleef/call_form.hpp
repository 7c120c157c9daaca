// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a form of a function in libsleef, found at run time by its name.
#pragma once

#include <cstddef>

#include "math/math_functions.hpp"

namespace sleef {

// Vectors of 16 floats or 8 doubles divide every batch.
constexpr size_t batch = 4096;

// A form of a function of one or two arguments; `second` is not read by functions of one argument.
template <class T>
class called_form {
 public:
  // Throws std::runtime_error if libsleef lacks the symbol.
  called_form(const cohort::math_row& row, const cohort::math_form& form);
  const cohort::math_form& form() const { return *form_; }
  // Applies the form to `batch` values.
  void operator()(const T* first, const T* second, T* results) const;

 private:
  const cohort::math_form* form_;
  unsigned arguments_;
  void* symbol_;
};

// True if this CPU has the instructions of `form`.
bool runs_here(const cohort::math_form& form);

}  // namespace sleef
