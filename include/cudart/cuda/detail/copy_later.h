// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the forms of cuda::memcpy_async have in common. The copy is made as late as the thread that starts it allows;
// in host code at once.
#pragma once

#include <cohort/collective/memcpy_async.hpp>
#include <cohort/machine/cpu/port.hpp>

namespace cuda {

using cohort::aligned_size_t;

// Whether a copy is made later or was made at once.
enum class async_contract_fulfillment { none, async };

namespace detail {

// Makes the caller's copies that are still to be made: they are due when it arrives at a barrier or waits.
COHORT_ANY_SIDE void make_copies_due() {
#if defined(__CUDA_ARCH__)
  cohort_copy_commit();  // only what is in an ended stage is waited for
  cohort_wait_copies(0);
#endif
}
// Makes those of all the caller's stages but the latest `left`.
COHORT_ANY_SIDE void make_copies_of_stages(uint32_t left) {
#if defined(__CUDA_ARCH__)
  cohort_wait_copies(left);
#else
  (void)left;
#endif
}
COHORT_ANY_SIDE void end_copy_stage() {
#if defined(__CUDA_ARCH__)
  cohort_copy_commit();
#endif
}

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

// One thread makes the whole copy: who shares it out between them is not said, and one long copy is the fastest here.
template <class Group, class Element, class Size>
COHORT_ANY_SIDE async_contract_fulfillment copy_later_of(const Group& group, Element* to, const Element* from,
                                                         const Size& bytes) {
  return group.thread_rank() == 0 ? copy_later(to, from, bytes) : async_contract_fulfillment::async;
}

}  // namespace detail
}  // namespace cuda
