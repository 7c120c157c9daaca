// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The four types of numbers of BLAS and LAPACK.
#pragma once

#include <cuComplex.h>

#include <complex>
#include <type_traits>

namespace cohort::libraries {

template <class T>
struct number_traits {
  using real = T;
  using arithmetic = T;  // a type with operators, to compute with
};
template <>
struct number_traits<cuComplex> {
  using real = float;
  using arithmetic = std::complex<float>;
};
template <>
struct number_traits<cuDoubleComplex> {
  using real = double;
  using arithmetic = std::complex<double>;
};

template <class T>
using real_of = typename number_traits<T>::real;
template <class T>
using arithmetic_of = typename number_traits<T>::arithmetic;
template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, real_of<T>>;

// The numbers at an address, in the type with operators, which has the same layout.
template <class T>
arithmetic_of<T>* numbers(T* at) {
  return reinterpret_cast<arithmetic_of<T>*>(at);
}
template <class T>
const arithmetic_of<T>* numbers(const T* at) {
  return reinterpret_cast<const arithmetic_of<T>*>(at);
}
template <class T>
arithmetic_of<T> number(const T& value) {
  return *numbers(&value);
}

template <class T>
bool is_zero(const T& value) {
  return number(value) == arithmetic_of<T>{};
}

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}

}  // namespace cohort::libraries
