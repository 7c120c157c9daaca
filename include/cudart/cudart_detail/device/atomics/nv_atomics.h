// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The __nv_atomic_ functions of CUDA 12.8: atomic operations with an explicit memory order and scope (CUDA Programming
// Guide, "Atomic functions with memory orders and scopes"). All threads share one memory, so each scope is the
// system's.
#pragma once

#include "../macros.h"
#include "../memory_access.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define COHORT_NO_SIXTEEN_BYTES "atomic functions of 16 bytes need a newer CPU: compile with --cpu=x86-64-v2 or later"
template <class T>
COHORT_DEVICE_FUNCTION constexpr bool cohort_has_instruction_for_sixteen_bytes() {
#if defined(__CUDA_ARCH__) && !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16)
  return sizeof(T) != 16;
#else
  return true;
#endif
}

// A number of the size of T: atomic instructions take integers and pointers only.
template <class T, size_t Size = sizeof(T)>
struct cohort_atomic_word {
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8,
                "the __nv_atomic_ functions take values of 1, 2, 4, 8 or 16 bytes");
  typedef typename cohort_memory_word<Size>::type type;
};
// Loads, stores and exchanges only; fetch_add and its companions take integers and floats.
template <class T>
struct cohort_atomic_word<T, 16> {
  static_assert(cohort_has_instruction_for_sixteen_bytes<T>(), COHORT_NO_SIXTEEN_BYTES);
  static_assert(alignof(T) >= 16, "the __nv_atomic_ functions take 16 bytes at a multiple of 16: use alignas(16)");
  typedef unsigned __int128 __attribute__((may_alias)) type;
};
template <class T>
struct cohort_same_type {
  typedef T type;
};
// A parameter of this type takes no part in the deduction of T.
template <class T>
using cohort_value_of = typename cohort_same_type<T>::type;

template <class T>
COHORT_DEVICE_FUNCTION void __nv_atomic_load(const T* address, T* result, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  typedef typename cohort_atomic_word<T>::type word;
  const word bits = __atomic_load_n(reinterpret_cast<const word*>(address), order);
  __builtin_memcpy(result, &bits, sizeof bits);
}
template <class T>
COHORT_DEVICE_FUNCTION void __nv_atomic_store(T* address, const T* value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  typename cohort_atomic_word<T>::type bits;
  __builtin_memcpy(&bits, value, sizeof bits);
  __atomic_store_n(reinterpret_cast<decltype(bits)*>(address), bits, order);
}
template <class T>
COHORT_DEVICE_FUNCTION void __nv_atomic_exchange(T* address, const T* value, T* result, int order,
                                                 int = __NV_THREAD_SCOPE_SYSTEM) {
  typename cohort_atomic_word<T>::type bits;
  __builtin_memcpy(&bits, value, sizeof bits);
  bits = __atomic_exchange_n(reinterpret_cast<decltype(bits)*>(address), bits, order);
  __builtin_memcpy(result, &bits, sizeof bits);
}
template <class T>
COHORT_DEVICE_FUNCTION bool __nv_atomic_compare_exchange(T* address, T* expected, const T* value, bool, int success,
                                                         int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  typename cohort_atomic_word<T>::type bits, old;
  __builtin_memcpy(&bits, value, sizeof bits);
  __builtin_memcpy(&old, expected, sizeof old);
  const bool exchanged =
      __atomic_compare_exchange_n(reinterpret_cast<decltype(bits)*>(address), &old, bits, false, success, failure);
  __builtin_memcpy(expected, &old, sizeof old);
  return exchanged;
}

// The forms that end in `_n` take and return values, of integers only.
template <class T>
COHORT_DEVICE_FUNCTION T __nv_atomic_load_n(const T* address, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(__is_integral(T), "__nv_atomic_load_n takes integers; use __nv_atomic_load");
  T value;
  __nv_atomic_load(address, &value, order);
  return value;
}
template <class T>
COHORT_DEVICE_FUNCTION void __nv_atomic_store_n(T* address, cohort_value_of<T> value, int order,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(__is_integral(T), "__nv_atomic_store_n takes integers; use __nv_atomic_store");
  __nv_atomic_store(address, &value, order);
}
template <class T>
COHORT_DEVICE_FUNCTION T __nv_atomic_exchange_n(T* address, cohort_value_of<T> value, int order,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(__is_integral(T), "__nv_atomic_exchange_n takes integers; use __nv_atomic_exchange");
  __nv_atomic_exchange(address, &value, &value, order);
  return value;
}
template <class T>
COHORT_DEVICE_FUNCTION bool __nv_atomic_compare_exchange_n(T* address, T* expected, cohort_value_of<T> value, bool weak,
                                                           int success, int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(__is_integral(T), "__nv_atomic_compare_exchange_n takes integers; use __nv_atomic_compare_exchange");
  return __nv_atomic_compare_exchange(address, expected, &value, weak, success, failure);
}

#define COHORT_NV_ATOMIC(operation)                                                                       \
  template <class T>                                                                                      \
  COHORT_DEVICE_FUNCTION T __nv_atomic_fetch_##operation(T* address, cohort_value_of<T> value, int order, \
                                                         int = __NV_THREAD_SCOPE_SYSTEM) {                \
    return __atomic_fetch_##operation(address, value, order);                                             \
  }                                                                                                       \
  template <class T>                                                                                      \
  COHORT_DEVICE_FUNCTION void __nv_atomic_##operation(T* address, cohort_value_of<T> value, int order,    \
                                                      int = __NV_THREAD_SCOPE_SYSTEM) {                   \
    __atomic_fetch_##operation(address, value, order);                                                    \
  }

COHORT_NV_ATOMIC(add)
COHORT_NV_ATOMIC(sub)
COHORT_NV_ATOMIC(and)
COHORT_NV_ATOMIC(or)
COHORT_NV_ATOMIC(xor)
COHORT_NV_ATOMIC(min)
COHORT_NV_ATOMIC(max)
#undef COHORT_NV_ATOMIC

COHORT_DEVICE_FUNCTION void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_thread_fence(order);
}
