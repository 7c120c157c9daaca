// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of all forms of cuda::memcpy_async. In a kernel a copy is deferred until the thread that started it
// arrives or waits; in host code it is made at once.
#pragma once

#include <cohort/collective/memcpy_async.hpp>
#include <cohort/machine/cpu/copy.hpp>
#include <cohort/machine/cpu/port.hpp>

#include "copy_stages.h"

namespace cuda {

using cohort::aligned_size_t;

// Whether a copy was deferred or made at once.
enum class async_contract_fulfillment { none, async };

namespace detail {

template <class Element, class Size>
COHORT_ANY_SIDE async_contract_fulfillment copy_later(Element* to, const Element* from, const Size& bytes) {
  static_assert(cohort::detail::size_alignment_v<Size> != 0,
                "cuda::memcpy_async: a size must be an integer or a cuda::aligned_size_t");
  if constexpr (!__is_void(Element)) {
    static_assert(__is_trivially_copyable(Element),
                  "cuda::memcpy_async: the elements' type must be trivially copyable");
  }
#if defined(__CUDA_ARCH__)
  cohort_copy_later(to, from, static_cast<size_t>(bytes));
  return async_contract_fulfillment::async;
#else
  __builtin_memcpy(to, from, static_cast<size_t>(bytes));
  return async_contract_fulfillment::none;
#endif
}

// One thread makes the whole copy. CUDA does not specify how a group divides it, and one long copy is fastest on a CPU.
template <class Group, class Element, class Size>
COHORT_ANY_SIDE async_contract_fulfillment copy_later_of(const Group& group, Element* to, const Element* from,
                                                         const Size& bytes) {
#if defined(__CUDA_ARCH__)
  cohort::cpu::copy::join(to, from, static_cast<size_t>(bytes), static_cast<uint32_t>(group.thread_rank()),
                          static_cast<uint32_t>(group.size()));
#endif
  return group.thread_rank() == 0 ? copy_later(to, from, bytes) : async_contract_fulfillment::async;
}

}  // namespace detail
}  // namespace cuda
