// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of the types that a cudaDataType names, the numbers that they are computed in, and combinations of types.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>
#include <library_types.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace cohort::cusparse {

struct complex_half {
  __half re, im;
};
struct complex_bfloat16 {
  __nv_bfloat16 re, im;
};

// The C++ type of a cudaDataType. Complex numbers are std::complex, which has the layout of cuComplex.
template <cudaDataType>
struct element;
template <>
struct element<CUDA_R_8I> {
  using type = int8_t;
};
template <>
struct element<CUDA_R_32I> {
  using type = int32_t;
};
template <>
struct element<CUDA_R_16F> {
  using type = __half;
};
template <>
struct element<CUDA_R_16BF> {
  using type = __nv_bfloat16;
};
template <>
struct element<CUDA_R_32F> {
  using type = float;
};
template <>
struct element<CUDA_R_64F> {
  using type = double;
};
template <>
struct element<CUDA_C_16F> {
  using type = complex_half;
};
template <>
struct element<CUDA_C_16BF> {
  using type = complex_bfloat16;
};
template <>
struct element<CUDA_C_32F> {
  using type = std::complex<float>;
};
template <>
struct element<CUDA_C_64F> {
  using type = std::complex<double>;
};
template <cudaDataType type>
using element_of = typename element<type>::type;

// Bytes of an element; 0 for a type that cuSPARSE does not store.
inline size_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32I:
    case CUDA_R_32F:
    case CUDA_C_16F:
    case CUDA_C_16BF:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;
  }
}

// An element as a number with operators.
template <class E>
E value_of(E element) {
  return element;
}
inline float value_of(__half element) { return __half2float(element); }
inline float value_of(__nv_bfloat16 element) { return __bfloat162float(element); }
inline std::complex<float> value_of(complex_half element) { return {value_of(element.re), value_of(element.im)}; }
inline std::complex<float> value_of(complex_bfloat16 element) { return {value_of(element.re), value_of(element.im)}; }

// Converts an element to the number C of a computation, and a number to an element, rounded once.
template <class C, class E>
C load(E element) {
  return static_cast<C>(value_of(element));
}
template <class E, class C>
E store(C number) {
  if constexpr (std::is_same_v<E, __half>) {
    return __float2half_rn(number);
  } else if constexpr (std::is_same_v<E, __nv_bfloat16>) {
    return __float2bfloat16_rn(number);
  } else if constexpr (std::is_same_v<E, complex_half> || std::is_same_v<E, complex_bfloat16>) {
    using part = decltype(E::re);
    return {store<part>(number.real()), store<part>(number.imag())};
  } else {
    return static_cast<E>(number);
  }
}

template <class T>
inline constexpr bool is_complex = false;
template <class R>
inline constexpr bool is_complex<std::complex<R>> = true;

// A product by the formula of the guide. operator* calls a function that treats infinite parts specially.
template <class T>
T times(T a, T b) {
  return a * b;
}
template <class R>
std::complex<R> times(std::complex<R> a, std::complex<R> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Products of integers keep their low 32 bits.
inline int32_t times(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
template <class T>
T plus(T a, T b) {
  return a + b;
}
inline int32_t plus(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

template <class T>
T conjugate(T x) {
  return x;
}
template <class R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}
// The conjugate of a number if `is_conjugated`, else the number.
template <bool is_conjugated, class T>
T conjugate_if(T x) {
  if constexpr (is_conjugated) {
    return conjugate(x);
  } else {
    return x;
  }
}

// element = alpha * sum + beta * element, without reading the element where beta is 0.
template <class E, class Number>
void finish_element(E& element, Number alpha, Number sum, Number beta) {
  Number result = times(alpha, sum);
  if (beta != Number()) result = plus(result, times(beta, load<Number>(element)));
  element = store<E>(result);
}

// A combination of types that an operation permits: two operands, a result, and the numbers of the computation.
template <cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType compute>
struct combination {
  using A = element_of<a>;
  using B = element_of<b>;
  using C = element_of<c>;
  using Compute = element_of<compute>;
  static constexpr bool is(cudaDataType ta, cudaDataType tb, cudaDataType tc, cudaDataType tcompute) {
    return ta == a && tb == b && tc == c && tcompute == compute;
  }
};
template <cudaDataType type>
using uniform = combination<type, type, type, type>;

template <class... Combinations>
struct combinations {};
template <class... As, class... Bs>
combinations<As..., Bs...> operator+(combinations<As...>, combinations<Bs...>);
template <class A, class B>
using joined = decltype(A{} + B{});

using uniform_floats = combinations<uniform<CUDA_R_32F>, uniform<CUDA_R_64F>, uniform<CUDA_C_32F>, uniform<CUDA_C_64F>>;

// The result of `use(combination)` for the types of a call, or null: a pointer to a function for these types.
template <class Function, class... Combinations, class Use>
Function* find_combination(combinations<Combinations...>, cudaDataType a, cudaDataType b, cudaDataType c,
                           cudaDataType compute, Use&& use) {
  Function* found = nullptr;
  static_cast<void>(((Combinations::is(a, b, c, compute) && (found = use(Combinations{}), true)) || ...));
  return found;
}

// A factor of any compute type.
struct any_number {
  alignas(16) unsigned char bytes[16] = {};
};
template <class C>
C number_of(const any_number& value) {
  C number;
  std::memcpy(&number, value.bytes, sizeof number);
  return number;
}

}  // namespace cohort::cusparse
