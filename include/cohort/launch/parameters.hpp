// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of a kernel's parameters, and the conversion of arguments to the addresses that a launch takes.
#pragma once

#include "../base/types.hpp"
#include "../group/grid_workspace.hpp"
#include "config.hpp"

namespace cohort {
namespace detail {

// std::decay without <type_traits>: public headers stay light.
template <class T>
struct parameter {
  using type = T;
};
template <class T>
struct parameter<T&> : parameter<T> {};
template <class T>
struct parameter<T&&> : parameter<T> {};
template <class T>
struct parameter<const T> : parameter<T> {};
template <class T, unsigned long N>
struct parameter<T[N]> {
  using type = T*;
};
template <class T, unsigned long N>
struct parameter<const T[N]> {
  using type = const T*;
};

template <class... P>
struct type_list {};

// The parameter types of a callable object with one operator().
template <class Member>
struct parameters_of_member;
template <class R, class C, class... P>
struct parameters_of_member<R (C::*)(P...)> {
  using type = type_list<typename parameter<P>::type...>;
};
template <class R, class C, class... P>
struct parameters_of_member<R (C::*)(P...) const> : parameters_of_member<R (C::*)(P...)> {};
template <class R, class C, class... P>
struct parameters_of_member<R (C::*)(P...) noexcept> : parameters_of_member<R (C::*)(P...)> {};
template <class R, class C, class... P>
struct parameters_of_member<R (C::*)(P...) const noexcept> : parameters_of_member<R (C::*)(P...)> {};

// The parameter types of a kernel: a callable object or a function pointer.
template <class Kernel>
struct parameters_of : parameters_of_member<decltype(&Kernel::operator())> {};
template <class... P>
struct parameters_of<void (*)(P...)> {
  using type = type_list<typename parameter<P>::type...>;
};

// True for a kernel whose first parameter is the workspace of its launch.
template <class List>
inline constexpr bool takes_workspace_v = false;
template <class... Rest>
inline constexpr bool takes_workspace_v<type_list<grid_workspace, Rest...>> = true;

// In a launch over several devices: the argument for the device with this number. per_device<T> has one for each.
template <class T>
const T& of_device(const T& argument, int) {
  return argument;  // NOLINT(bugprone-return-const-ref-from-parameter): used in the full expression of the call
}
template <class T>
const T& of_device(const per_device<T>& argument, int device) {
  return argument.values[device];
}

// The parameters of one launch, converted from its arguments, and the address of each.
template <class... P>
struct parameter_pack {
  void addresses(void**) {}
};
template <class First, class... Rest>
struct parameter_pack<First, Rest...> {
  template <class A, class... Others>
  explicit parameter_pack(A&& first, Others&&... others)
      : value(static_cast<First>(static_cast<A&&>(first))), rest(static_cast<Others&&>(others)...) {}
  // Writes the address of each parameter, in order.
  void addresses(void** out) {
    *out = const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(value)));
    rest.addresses(out + 1);
  }
  First value;
  parameter_pack<Rest...> rest;
};

}  // namespace detail
}  // namespace cohort
