// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type traits that the library needs, without <type_traits>: device headers stay light, and compile without a
// standard library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "config.hpp"

namespace cohort {
namespace detail {

template <bool Condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool Condition, class T = void>
using enable_if_t = typename enable_if<Condition, T>::type;

template <bool Condition, class Then, class Else>
struct conditional {
  using type = Then;
};
template <class Then, class Else>
struct conditional<false, Then, Else> {
  using type = Else;
};

template <class...>
using void_t = void;

template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;

template <class T>
struct remove_cv {
  using type = T;
};
template <class T>
struct remove_cv<const T> {
  using type = T;
};
template <class T>
struct remove_cv<volatile T> {
  using type = T;
};
template <class T>
struct remove_cv<const volatile T> {
  using type = T;
};
template <class T>
using remove_cvref_t = typename remove_cv<remove_reference_t<T>>::type;

template <class Left, class Right>
inline constexpr bool is_same_v = false;
template <class Left>
inline constexpr bool is_same_v<Left, Left> = true;

template <class T>
inline constexpr bool is_pointer_v = false;
template <class T>
inline constexpr bool is_pointer_v<T*> = true;

template <class T, class... List>
inline constexpr bool is_one_of_v = (is_same_v<T, List> || ...);

template <class T>
inline constexpr bool is_integral_v =
    is_one_of_v<T, bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t, short, unsigned short, int,
                unsigned int, long, unsigned long, long long, unsigned long long>;
template <class T>
inline constexpr bool is_floating_v = is_one_of_v<T, float, double>;

template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);

template <class T>
COHORT_HOST_DEVICE T&& declval() noexcept;  // for unevaluated operands only

template <class T, class = void>
inline constexpr bool is_default_constructible_v = false;
template <class T>
inline constexpr bool is_default_constructible_v<T, void_t<decltype(T())>> = true;

template <class T>
COHORT_ANY_SIDE constexpr T&& forward(remove_reference_t<T>& value) noexcept {
  return static_cast<T&&>(value);
}

template <class>
inline constexpr bool always_false_v = false;

// Storage for one T without a default constructor. It is trivially copyable if T is.
template <class T>
union slot {
  T value;
  unsigned char nothing;
  COHORT_ANY_SIDE slot() {}  // leaves the value uninitialised
};

// Copies the bytes of a trivially copyable value, also into storage that holds no object yet.
template <class T>
COHORT_ANY_SIDE void copy_value(T& to, const T& from) {
  COHORT_COPY_BYTES(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(T));
}
// Sets all bytes of a value to zero.
template <class T>
COHORT_ANY_SIDE void clear_value(T& to) {
  COHORT_FILL_BYTES(static_cast<void*>(&to), 0, sizeof(T));
}

}  // namespace detail
}  // namespace cohort
