// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of NVRTC have this without an include, in place of the C and C++ library: the macro assert(), types of C,
// and of namespace std three names. A source may define the rest of std itself.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "macros.h"
#include "math/float_overloads.h"

typedef long clock_t;

#if defined(NDEBUG)
#define assert(expression) static_cast<void>(0)
#else
#define assert(expression) \
  ((expression) ? static_cast<void>(0) : __assert_fail(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

__attribute__((device)) inline void* operator new(size_t, void* place) noexcept { return place; }
__attribute__((device)) inline void* operator new[](size_t, void* place) noexcept { return place; }

// --builtin-initializer-list=false of NVRTC defines the macro.
#if !defined(COHORT_NVRTC_NO_INITIALIZER_LIST)
#define _INITIALIZER_LIST  // the guard of libstdc++'s header, which defines the class, too
namespace std {

/// The class that clang makes of a list in braces.
template <class Value>
class initializer_list {
 public:
  using value_type = Value;
  using reference = const Value&;
  using const_reference = const Value&;
  using size_type = size_t;
  using iterator = const Value*;
  using const_iterator = const Value*;

  COHORT_BOTH_MEMBER constexpr initializer_list() noexcept : begin_(nullptr), size_(0) {}
  COHORT_BOTH_MEMBER constexpr size_t size() const noexcept { return size_; }
  COHORT_BOTH_MEMBER constexpr const Value* begin() const noexcept { return begin_; }
  COHORT_BOTH_MEMBER constexpr const Value* end() const noexcept { return begin_ + size_; }

 private:
  const Value* begin_;
  size_t size_;
};

/// The first element of an initializer_list.
template <class Value>
COHORT_BOTH_MEMBER constexpr const Value* begin(initializer_list<Value> list) noexcept {
  return list.begin();
}
/// The end of an initializer_list.
template <class Value>
COHORT_BOTH_MEMBER constexpr const Value* end(initializer_list<Value> list) noexcept {
  return list.end();
}

}  // namespace std
#endif

// --builtin-move-forward=false of NVRTC defines the macro.
#if !defined(COHORT_NVRTC_NO_MOVE_FORWARD)
namespace std {

// Found through a using-directive: std::move and std::forward of a library or of the source hide these.
namespace cohort_nvrtc {

/// The value as an rvalue.
template <class Value>
COHORT_BOTH_MEMBER constexpr __remove_reference_t(Value)&& move(Value&& value) noexcept {
  return static_cast<__remove_reference_t(Value)&&>(value);
}
/// Casts `value` to an lvalue if the template argument is an lvalue reference, else to an rvalue.
template <class Value>
COHORT_BOTH_MEMBER constexpr Value&& forward(__remove_reference_t(Value)& value) noexcept {
  return static_cast<Value&&>(value);
}
/// The rvalue as an rvalue.
template <class Value>
COHORT_BOTH_MEMBER constexpr Value&& forward(__remove_reference_t(Value)&& value) noexcept {
  static_assert(!__is_lvalue_reference(Value), "std::forward makes no lvalue of an rvalue");
  return static_cast<Value&&>(value);
}

}  // namespace cohort_nvrtc

using namespace cohort_nvrtc;

}  // namespace std
#endif
