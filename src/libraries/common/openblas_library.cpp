// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/common/openblas_library.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace cohort::libraries {

namespace {

constexpr const char* library_name = "libopenblas.so.0";

}  // namespace

openblas_library::openblas_library(const char* user)
    : user_(user), library_(dlopen(library_name, RTLD_NOW | RTLD_LOCAL)) {}

void* openblas_library::address_of(const std::string& name) {
  if (!library_) return nullptr;
  void* const address = dlsym(library_, name.c_str());
  if (!address && missing_.empty()) missing_ = name;
  return address;
}

bool openblas_library::is_complete() const {
  if (!library_) {
    std::fprintf(stderr,
                 "cohort: %s needs OpenBLAS (Debian: libopenblas0), and %s cannot be loaded: handles are refused with "
                 "the status NOT_INITIALIZED\n",
                 user_, library_name);
  } else if (!missing_.empty()) {
    std::fprintf(stderr,
                 "cohort: %s has no function %s, as an OpenBLAS without LAPACK has not: %s needs the library of "
                 "Debian's libopenblas0\n",
                 library_name, missing_.c_str(), user_);
  }
  return library_ && missing_.empty();
}

}  // namespace cohort::libraries
