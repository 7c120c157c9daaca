// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer reductions by hardware (PTX ISA, redux.sync, sm_80): one instruction for 32 bits, two or three for 64.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/op.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace ptx {

struct redux {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  static constexpr bool exists = true;
#else
  static constexpr bool exists = false;
#endif

  /// True if the hardware reduces values of type T with Op.
  template <class T, class Op>
  static constexpr bool supports = exists && detail::is_integer_op_v<Op, T>;

  /// Reduction over the lanes of `mask`.
  /// @pre supports<T, Op>
  template <class Op, class T>
  COHORT_FN static T reduce(uint32_t mask, T value) {
    constexpr detail::known_op op = detail::known_op_v<Op, T>;
    constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    if constexpr (sizeof(T) <= 4) {
      if constexpr (is_signed) {
        return static_cast<T>(
            static_cast<int32_t>(word<op, true>(mask, static_cast<uint32_t>(static_cast<int32_t>(value)))));
      } else {
        return static_cast<T>(word<op, false>(mask, static_cast<uint32_t>(value)));
      }
    } else {
      return static_cast<T>(two_words<op, is_signed>(mask, static_cast<uint64_t>(value)));
    }
  }

  /// Bitwise or over the lanes of `mask`.
  COHORT_FN static uint32_t or_lanes([[maybe_unused]] uint32_t mask, uint32_t value) {
    return word<detail::known_op::bit_or, false>(mask, value);
  }

 private:
  template <detail::known_op Op, bool IsSigned>
  COHORT_FN static uint32_t word([[maybe_unused]] uint32_t mask, uint32_t value) {
    uint32_t result = value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (Op == detail::known_op::plus) {
      asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::less && IsSigned) {
      asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::less) {
      asm volatile("redux.sync.min.u32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::greater && IsSigned) {
      asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::greater) {
      asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::bit_and) {
      asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else if constexpr (Op == detail::known_op::bit_or) {
      asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    } else {
      asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    }
#endif
    return result;
  }

  template <detail::known_op Op, bool IsSigned>
  COHORT_FN static uint64_t two_words(uint32_t mask, uint64_t value) {
    const uint32_t low = static_cast<uint32_t>(value);
    const uint32_t high = static_cast<uint32_t>(value >> 32);
    if constexpr (Op == detail::known_op::plus) {
      // A sum of 32 numbers of 16 bits has at most 21 bits, so no partial sum overflows.
      const uint64_t lowest = word<Op, false>(mask, low & 0xffffu);
      const uint64_t middle = word<Op, false>(mask, low >> 16);
      const uint64_t highest = word<Op, false>(mask, high);
      return lowest + (middle << 16) + (highest << 32);
    } else if constexpr (Op == detail::known_op::less || Op == detail::known_op::greater) {
      // Only lanes with the best high word compete with their low words.
      const uint32_t best = word<Op, IsSigned>(mask, high);
      const uint32_t worst = Op == detail::known_op::less ? 0xffffffffu : 0u;
      return static_cast<uint64_t>(best) << 32 | word<Op, false>(mask, high == best ? low : worst);
    } else {
      return static_cast<uint64_t>(word<Op, false>(mask, high)) << 32 | word<Op, false>(mask, low);
    }
  }
};

}  // namespace ptx
}  // namespace cohort
