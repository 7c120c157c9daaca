// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of the calling thread's deferred copies. Declares no public name, so CUDA's C-style headers
// (<cuda_awbarrier_primitives.h>) can use it beside CCCL's <cuda/barrier> and <cuda/pipeline>.
#pragma once

#include <stdint.h>

#include <cohort/base/config.hpp>
#include <cohort/machine/cpu/port.hpp>

namespace cuda {
namespace detail {

// Executes the calling thread's deferred copies. Called at arrivals and waits, where CUDA's rules allow others to see
// them.
COHORT_ANY_SIDE void make_copies_due() {
#if defined(__CUDA_ARCH__)
  cohort_copy_commit();  // a wait covers ended stages only
  cohort_wait_copies(0);
#endif
}
// Makes the copies of all the caller's stages but the last `left`.
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

}  // namespace detail
}  // namespace cuda
