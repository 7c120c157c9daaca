// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions with relaxed order, as CUDA's. They return the previous value, and never wait. The `_block` and
// `_system` forms are equal to the plain ones: all threads share one memory.
#pragma once

#include "../../../vector_types.h"
#include "../macros.h"

#define COHORT_ATOMIC_SCOPE(scope, name, type, expression) \
  COHORT_DEVICE_FUNCTION type name##scope(type* address, type value) { return expression; }
#define COHORT_ATOMIC(name, type, expression)         \
  COHORT_ATOMIC_SCOPE(, name, type, expression)       \
  COHORT_ATOMIC_SCOPE(_block, name, type, expression) \
  COHORT_ATOMIC_SCOPE(_system, name, type, expression)

#define COHORT_ATOMIC_FETCH(name, operation, type) \
  COHORT_ATOMIC(name, type, __atomic_fetch_##operation(address, value, __ATOMIC_RELAXED))

COHORT_ATOMIC_FETCH(atomicAdd, add, int)
COHORT_ATOMIC_FETCH(atomicAdd, add, unsigned int)
COHORT_ATOMIC_FETCH(atomicAdd, add, unsigned long long)
COHORT_ATOMIC_FETCH(atomicAdd, add, float)
COHORT_ATOMIC_FETCH(atomicAdd, add, double)
COHORT_ATOMIC_FETCH(atomicSub, sub, int)
COHORT_ATOMIC_FETCH(atomicSub, sub, unsigned int)

COHORT_ATOMIC_FETCH(atomicMin, min, int)
COHORT_ATOMIC_FETCH(atomicMin, min, unsigned int)
COHORT_ATOMIC_FETCH(atomicMin, min, long long)
COHORT_ATOMIC_FETCH(atomicMin, min, unsigned long long)
COHORT_ATOMIC_FETCH(atomicMax, max, int)
COHORT_ATOMIC_FETCH(atomicMax, max, unsigned int)
COHORT_ATOMIC_FETCH(atomicMax, max, long long)
COHORT_ATOMIC_FETCH(atomicMax, max, unsigned long long)

COHORT_ATOMIC_FETCH(atomicAnd, and, int)
COHORT_ATOMIC_FETCH(atomicAnd, and, unsigned int)
COHORT_ATOMIC_FETCH(atomicAnd, and, unsigned long long)
COHORT_ATOMIC_FETCH(atomicOr, or, int)
COHORT_ATOMIC_FETCH(atomicOr, or, unsigned int)
COHORT_ATOMIC_FETCH(atomicOr, or, unsigned long long)
COHORT_ATOMIC_FETCH(atomicXor, xor, int)
COHORT_ATOMIC_FETCH(atomicXor, xor, unsigned int)
COHORT_ATOMIC_FETCH(atomicXor, xor, unsigned long long)
#undef COHORT_ATOMIC_FETCH

#define COHORT_ATOMIC_EXCHANGE(type, bits)                                                     \
  COHORT_ATOMIC(atomicExch, type,                                                              \
                __builtin_bit_cast(type, __atomic_exchange_n(reinterpret_cast<bits*>(address), \
                                                             __builtin_bit_cast(bits, value), __ATOMIC_RELAXED)))

// Accesses a float as an integer of its size, which may alias it.
typedef unsigned int __attribute__((may_alias)) cohort_float_bits;
COHORT_ATOMIC_EXCHANGE(int, int)
COHORT_ATOMIC_EXCHANGE(unsigned int, unsigned int)
COHORT_ATOMIC_EXCHANGE(unsigned long long, unsigned long long)
COHORT_ATOMIC_EXCHANGE(float, cohort_float_bits)
#undef COHORT_ATOMIC_EXCHANGE

template <class T>
COHORT_DEVICE_FUNCTION T cohort_compare_and_swap(T* address, T expected, T desired) {
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

#define COHORT_ATOMIC_CAS_SCOPE(scope, type)                                              \
  COHORT_DEVICE_FUNCTION type atomicCAS##scope(type* address, type compare, type value) { \
    return cohort_compare_and_swap(address, compare, value);                              \
  }
#define COHORT_ATOMIC_CAS(type)         \
  COHORT_ATOMIC_CAS_SCOPE(, type)       \
  COHORT_ATOMIC_CAS_SCOPE(_block, type) \
  COHORT_ATOMIC_CAS_SCOPE(_system, type)

COHORT_ATOMIC_CAS(int)
COHORT_ATOMIC_CAS(unsigned int)
COHORT_ATOMIC_CAS(unsigned long long)
COHORT_ATOMIC_CAS(unsigned short)
#undef COHORT_ATOMIC_CAS
#undef COHORT_ATOMIC_CAS_SCOPE

// Counters that wrap at `value`.
template <bool Up>
COHORT_DEVICE_FUNCTION unsigned int cohort_atomic_wrap(unsigned int* address, unsigned int value) {
  unsigned int old = __atomic_load_n(address, __ATOMIC_RELAXED);
  unsigned int next;
  do {
    next = Up ? (old >= value ? 0u : old + 1u) : (old == 0u || old > value ? value : old - 1u);
  } while (!__atomic_compare_exchange_n(address, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
COHORT_ATOMIC(atomicInc, unsigned int, cohort_atomic_wrap<true>(address, value))
COHORT_ATOMIC(atomicDec, unsigned int, cohort_atomic_wrap<false>(address, value))

// Vectors: each element is atomic, the whole is not (compute capability 9.0).
COHORT_DEVICE_FUNCTION float2 cohort_atomic_add(float2* address, float2 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
COHORT_DEVICE_FUNCTION float4 cohort_atomic_add(float4* address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
          atomicAdd(&address->w, value.w)};
}
COHORT_ATOMIC(atomicAdd, float2, cohort_atomic_add(address, value))
COHORT_ATOMIC(atomicAdd, float4, cohort_atomic_add(address, value))

#undef COHORT_ATOMIC
#undef COHORT_ATOMIC_SCOPE
