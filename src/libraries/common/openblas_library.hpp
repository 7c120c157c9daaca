// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS and its LAPACK. A CUDA library loads it when a program makes its first handle, so that other programs do not
// depend on it.
#pragma once

#include <string>

namespace cohort::libraries {

class openblas_library {
 public:
  // `user`: the CUDA library that needs OpenBLAS, for messages; a string literal.
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

}  // namespace cohort::libraries
