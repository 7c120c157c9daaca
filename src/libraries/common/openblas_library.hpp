// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS and its LAPACK. A CUDA library loads it when a program makes its first handle, so that other programs do not
// depend on it.
#pragma once

#include <string>
#include <type_traits>

#include "libraries/common/numbers.hpp"

namespace cohort::libraries {

class openblas_library {
 public:
  // Loads OpenBLAS. `user`: the CUDA library that needs it, for messages; a string literal.
  explicit openblas_library(const char* user);

  // Finds a function by its Fortran name.
  template <class Function>
  void find(Function*& function, const std::string& name) {
    function = reinterpret_cast<Function*>(address_of(name));
  }
  // False where OpenBLAS or a function is missing. A sentence on stderr then names the package to install.
  bool is_complete() const;

 private:
  void* address_of(const std::string& name);

  const char* user_;
  void* library_;
  std::string missing_;  // the first function that the library lacks
};

// The letter of a type of numbers in names of BLAS and LAPACK.
template <class T>
constexpr char letter_of_number() {
  constexpr bool is_single = std::is_same_v<real_of<T>, float>;
  if (is_complex<T>) return is_single ? 'c' : 'z';
  return is_single ? 's' : 'd';
}

// A table of functions for one type of numbers.
template <class Functions>
inline Functions functions_of{};

// Loads OpenBLAS and calls `find(library, table)` for the tables of the four types. False where a function is missing.
template <template <class> class Functions, class Find>
bool load_functions(const char* user, Find&& find) {
  openblas_library library(user);
  find(library, functions_of<Functions<float>>);
  find(library, functions_of<Functions<double>>);
  find(library, functions_of<Functions<cuComplex>>);
  find(library, functions_of<Functions<cuDoubleComplex>>);
  return library.is_complete();
}

}  // namespace cohort::libraries
