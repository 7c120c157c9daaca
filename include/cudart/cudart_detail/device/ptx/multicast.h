// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for each element of a `multimem` instruction. The element of each device of the
// multicast object is read or written by an atomic access of its own, in the order of the devices.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/bulk_copy.hpp>

#include "../macros.h"
#include "../runtime_ports.h"
#include "../small_floats/bfloat16_bits.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

// The element of device `number`; null behind the last one. Fails the launch where the address has none.
COHORT_DEVICE_FUNCTION void* cohort_multimem_place(void* address, unsigned int bytes, unsigned int number) {
  void* place;
  switch (cohort_runtime_multicast_place(address, bytes, number, &place)) {
    case cohort_multicast_none:
      cohort_fail(700, "multimem: no multicast object (cuMulticastCreate) is mapped at address %p", address);
      break;
    case cohort_multicast_no_access:
      cohort_fail(700, "multimem: no call of cuMemSetAccess has made address %p accessible for device %u", address,
                  cohort_device_index());
      break;
    case cohort_multicast_unbound:
      cohort_fail(700, "multimem: member %u of the multicast object has bound no memory to address %p", number,
                  address);
      break;
    default:
      break;
  }
  return place;
}

COHORT_PTX_FUNCTION void cohort_ptx_multimem_check(void* address, unsigned int bytes) {
  if (reinterpret_cast<size_t>(address) % bytes != 0)
    cohort_fail(716, "multimem: address %p is no multiple of the access's size, %u bytes", address, bytes);
}

COHORT_DEVICE_FUNCTION unsigned long long cohort_multimem_word(const void* place, unsigned int bytes) {
  typedef unsigned short __attribute__((may_alias)) half;
  typedef unsigned int __attribute__((may_alias)) word;
  typedef unsigned long long __attribute__((may_alias)) wide;
  if (bytes == 2) return __atomic_load_n(static_cast<const half*>(place), __ATOMIC_RELAXED);
  if (bytes == 4) return __atomic_load_n(static_cast<const word*>(place), __ATOMIC_RELAXED);
  return __atomic_load_n(static_cast<const wide*>(place), __ATOMIC_RELAXED);
}

// Floats of 16 bits in `number` halves of a word.
COHORT_DEVICE_FUNCTION float cohort_multimem_float(unsigned long long word, unsigned int number, unsigned int type) {
  const auto bits = static_cast<unsigned short>(word >> 16 * number);
  return type == cohort_tensor_f16 ? static_cast<float>(__builtin_bit_cast(_Float16, bits))
                                   : cohort_bfloat16_value(bits);
}
COHORT_DEVICE_FUNCTION unsigned long long cohort_multimem_rounded(float value, unsigned int number, unsigned int type) {
  const unsigned short bits = type == cohort_tensor_f16
                                  ? __builtin_bit_cast(unsigned short, static_cast<_Float16>(value))
                                  : cohort_bfloat16_bits(value);
  return static_cast<unsigned long long>(value == value ? bits : 0x7fff) << 16 * number;
}

COHORT_PTX_FUNCTION unsigned long long cohort_ptx_multimem_load(void* address, unsigned int bytes,
                                                                unsigned int reduction, unsigned int type,
                                                                unsigned int in_float, int order) {
  unsigned long long result = 0;
  float sums[2] = {-0.0f, -0.0f};
  for (unsigned int n = 0; void* const place = cohort_multimem_place(address, bytes, n); ++n) {
    unsigned long long word = cohort_multimem_word(place, bytes);
    if (in_float) {
      for (unsigned int i = 0; i < bytes / 2; ++i) sums[i] += cohort_multimem_float(word, i, type);
    } else if (n == 0) {
      result = word;
    } else {
      cohort_reduce_numbers(&result, &word, bytes, reduction, type);
    }
  }
  if (order == __ATOMIC_ACQUIRE) __atomic_thread_fence(__ATOMIC_ACQUIRE);
  for (unsigned int i = 0; in_float && i < bytes / 2; ++i) result |= cohort_multimem_rounded(sums[i], i, type);
  return result;
}

COHORT_PTX_FUNCTION void cohort_ptx_multimem_store(void* address, unsigned long long value, unsigned int bytes,
                                                   int order) {
  typedef unsigned short __attribute__((may_alias)) half;
  typedef unsigned int __attribute__((may_alias)) word;
  typedef unsigned long long __attribute__((may_alias)) wide;
  if (order == __ATOMIC_RELEASE) __atomic_thread_fence(__ATOMIC_RELEASE);
  for (unsigned int n = 0; void* const place = cohort_multimem_place(address, bytes, n); ++n) {
    if (bytes == 2) {
      __atomic_store_n(static_cast<half*>(place), static_cast<unsigned short>(value), __ATOMIC_RELAXED);
    } else if (bytes == 4) {
      __atomic_store_n(static_cast<word*>(place), static_cast<unsigned int>(value), __ATOMIC_RELAXED);
    } else {
      __atomic_store_n(static_cast<wide*>(place), value, __ATOMIC_RELAXED);
    }
  }
}

#define COHORT_PTX_MULTIMEM_EXCHANGE(type_of_word)                                                       \
  do {                                                                                                   \
    typedef type_of_word __attribute__((may_alias)) word;                                                \
    word old = static_cast<word>(cohort_multimem_word(place, bytes)), next;                              \
    do {                                                                                                 \
      next = old;                                                                                        \
      cohort_reduce_numbers(&next, &value, bytes, reduction, type);                                      \
    } while (!__atomic_compare_exchange_n(static_cast<word*>(place), &old, next, true, __ATOMIC_RELAXED, \
                                          __ATOMIC_RELAXED));                                            \
  } while (0)

COHORT_PTX_FUNCTION void cohort_ptx_multimem_reduce(void* address, unsigned long long value, unsigned int bytes,
                                                    unsigned int reduction, unsigned int type, int order) {
  if (order == __ATOMIC_RELEASE) __atomic_thread_fence(__ATOMIC_RELEASE);
  for (unsigned int n = 0; void* const place = cohort_multimem_place(address, bytes, n); ++n) {
    if (bytes == 2) {
      COHORT_PTX_MULTIMEM_EXCHANGE(unsigned short);
    } else if (bytes == 4) {
      COHORT_PTX_MULTIMEM_EXCHANGE(unsigned int);
    } else {
      COHORT_PTX_MULTIMEM_EXCHANGE(unsigned long long);
    }
  }
}
#undef COHORT_PTX_MULTIMEM_EXCHANGE

#endif
