// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_form.hpp"

#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace sleef {
namespace {

template <class T, unsigned Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};

// The calling convention of vectors depends on the caller's instruction set, so each width has a function of its own.
#define CALL_VECTORS(name, bytes, attribute)                                                           \
  template <class T>                                                                                   \
  attribute void name(void* symbol, unsigned arguments, const T* first, const T* second, T* results) { \
    using vector = typename vector_of<T, bytes>::type;                                                 \
    for (size_t i = 0; i < batch; i += bytes / sizeof(T)) {                                            \
      vector x, y, r;                                                                                  \
      std::memcpy(&x, first + i, sizeof x);                                                            \
      if (arguments == 1) {                                                                            \
        r = reinterpret_cast<vector (*)(vector)>(symbol)(x);                                           \
      } else {                                                                                         \
        std::memcpy(&y, second + i, sizeof y);                                                         \
        r = reinterpret_cast<vector (*)(vector, vector)>(symbol)(x, y);                                \
      }                                                                                                \
      std::memcpy(results + i, &r, sizeof r);                                                          \
    }                                                                                                  \
  }

CALL_VECTORS(call_128, 16, )
#if defined(__x86_64__)
CALL_VECTORS(call_256, 32, __attribute__((target("avx"))))
CALL_VECTORS(call_512, 64, __attribute__((target("avx512f"))))
#endif

template <class T>
void call_scalar(void* symbol, unsigned arguments, const T* first, const T* second, T* results) {
  for (size_t i = 0; i < batch; ++i) {
    results[i] = arguments == 1 ? reinterpret_cast<T (*)(T)>(symbol)(first[i])
                                : reinterpret_cast<T (*)(T, T)>(symbol)(first[i], second[i]);
  }
}

void* symbol_in_library(const std::string& name) {
  static void* const library = dlopen("libsleef.so.3", RTLD_NOW);
  if (!library) {
    throw std::runtime_error(dlerror());
  }
  void* symbol = dlsym(library, name.c_str());
  if (!symbol) {
    throw std::runtime_error("libsleef.so.3 has no " + name);
  }
  return symbol;
}

}  // namespace

template <class T>
called_form<T>::called_form(const cohort::math_row& row, const cohort::math_form& form)
    : form_(&form), arguments_(row.function->arguments), symbol_(symbol_in_library(cohort::symbol_of(row, form))) {}

template <class T>
void called_form<T>::operator()(const T* first, const T* second, T* results) const {
  switch (form_->bits) {
    case 0:
      return call_scalar(symbol_, arguments_, first, second, results);
    case 128:
      return call_128(symbol_, arguments_, first, second, results);
#if defined(__x86_64__)
    case 256:
      return call_256(symbol_, arguments_, first, second, results);
    case 512:
      return call_512(symbol_, arguments_, first, second, results);
#endif
  }
  throw std::runtime_error("a form has an unknown width");
}

template class called_form<float>;
template class called_form<double>;

bool runs_here(const cohort::math_form& form) {
#if defined(__x86_64__)
  if (form.bits == 512) {
    return __builtin_cpu_supports("avx512f");
  }
  if (form.family == cohort::math_family::fused) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  return form.bits <= 128 || __builtin_cpu_supports("avx");
#else
  return true;
#endif
}

}  // namespace sleef
