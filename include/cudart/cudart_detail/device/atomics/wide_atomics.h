// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicExch() and atomicCAS() of any trivial type of 16 bytes at a multiple of 16 (compute capability 9.0).
#pragma once

#include "../macros.h"
#include "nv_atomics.h"

template <class T, bool = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T)>
struct cohort_if_sixteen_bytes {};
template <class T>
struct cohort_if_sixteen_bytes<T, true> {
  typedef T type;
};

#define COHORT_ATOMIC_SIXTEEN_BYTES(scope)                                                                            \
  template <class T>                                                                                                  \
  COHORT_DEVICE_FUNCTION typename cohort_if_sixteen_bytes<T>::type atomicExch##scope(T* address, T value) {           \
    __nv_atomic_exchange(address, &value, &value, __NV_ATOMIC_RELAXED);                                               \
    return value;                                                                                                     \
  }                                                                                                                   \
  template <class T>                                                                                                  \
  COHORT_DEVICE_FUNCTION typename cohort_if_sixteen_bytes<T>::type atomicCAS##scope(T* address, T compare, T value) { \
    __nv_atomic_compare_exchange(address, &compare, &value, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);         \
    return compare;                                                                                                   \
  }
COHORT_ATOMIC_SIXTEEN_BYTES()
COHORT_ATOMIC_SIXTEEN_BYTES(_block)
COHORT_ATOMIC_SIXTEEN_BYTES(_system)
#undef COHORT_ATOMIC_SIXTEEN_BYTES
