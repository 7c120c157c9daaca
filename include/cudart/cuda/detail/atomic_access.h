// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory accesses of <cuda/atomic>, for values of 1, 2, 4 and 8 bytes. Values travel as integers of their size,
// which may alias them. An operation that the CPU lacks is a retry loop; it repeats only if another thread has changed
// the value.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !defined(__CUDA_ARCH__)
#include <sched.h>
#endif

#include "memory_order.h"

namespace cuda {
namespace detail {

template <size_t bytes>
struct atomic_bits {
  static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
                "cuda::atomic: on the CPU a value must have 1, 2, 4 or 8 bytes; use a lock for others");
};
template <>
struct atomic_bits<1> {
  typedef uint8_t __attribute__((may_alias)) type;
};
template <>
struct atomic_bits<2> {
  typedef uint16_t __attribute__((may_alias)) type;
};
template <>
struct atomic_bits<4> {
  typedef uint32_t __attribute__((may_alias)) type;
};
template <>
struct atomic_bits<8> {
  typedef uint64_t __attribute__((may_alias)) type;
};

// The memory order of a compare-and-exchange that fails: it stores nothing.
constexpr std::memory_order order_of_failure(std::memory_order order) {
  return order == std::memory_order::acq_rel   ? std::memory_order::acquire
         : order == std::memory_order::release ? std::memory_order::relaxed
                                               : order;
}

template <class Value>
struct atomic_access {
  static_assert(__is_trivially_copyable(Value), "cuda::atomic: the value's type must be trivially copyable");
  using bits = typename atomic_bits<sizeof(Value)>::type;

  static COHORT_ANY_SIDE bits* word(Value* address) { return reinterpret_cast<bits*>(address); }
  static COHORT_ANY_SIDE bits to_bits(Value value) { return __builtin_bit_cast(bits, value); }

  static COHORT_ANY_SIDE Value load(Value* from, std::memory_order order) {
    return __builtin_bit_cast(Value, __atomic_load_n(word(from), static_cast<int>(order)));
  }
  static COHORT_ANY_SIDE void store(Value* to, Value value, std::memory_order order) {
    __atomic_store_n(word(to), to_bits(value), static_cast<int>(order));
  }
  static COHORT_ANY_SIDE Value exchange(Value* at, Value value, std::memory_order order) {
    return __builtin_bit_cast(Value, __atomic_exchange_n(word(at), to_bits(value), static_cast<int>(order)));
  }
  static COHORT_ANY_SIDE bool compare_exchange(Value* at, Value& expected, Value desired, bool weak,
                                               std::memory_order success, std::memory_order failure) {
    bits found = to_bits(expected);
    const bool changed = __atomic_compare_exchange_n(word(at), &found, to_bits(desired), weak,
                                                     static_cast<int>(success), static_cast<int>(failure));
    if (!changed) expected = __builtin_bit_cast(Value, found);
    return changed;
  }
  // Stores change(old) and returns old.
  template <class Change>
  static COHORT_ANY_SIDE Value update(Value* at, std::memory_order order, const Change& change) {
    bits old = __atomic_load_n(word(at), __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word(at), &old, to_bits(change(__builtin_bit_cast(Value, old))), true,
                                        static_cast<int>(order), static_cast<int>(order_of_failure(order)))) {
    }
    return __builtin_bit_cast(Value, old);
  }
  // Waits until the value's bits differ from those of `old`.
  static COHORT_ANY_SIDE void wait(Value* at, Value old, std::memory_order order) {
    while (__atomic_load_n(word(at), static_cast<int>(order)) == to_bits(old)) {
#if !defined(__CUDA_ARCH__)
      ::sched_yield();  // in a kernel the compiler's plugin adds a yield
#endif
    }
  }
};

}  // namespace detail
}  // namespace cuda
