// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for products of a warpgroup (wgmma). Each warp passes its part to the engine, which
// executes it when the warp waits.
#pragma once

#include <cohort/machine/cpu/port/warpgroup.hpp>
#include <cohort/machine/this_machine.hpp>

#include "../macros.h"
#include "function.h"
#include "matrices.h"

#if defined(__CUDA_ARCH__)

COHORT_DEVICE_FUNCTION void cohort_check_warpgroup(unsigned int status, const char* name) {
  switch (status) {
    case cohort_warpgroup_is_done:
      return;
    case cohort_warpgroup_lacks_lanes:
      cohort_fail(719, "%s: threads of the warp have returned from the kernel; all 32 execute it", name);
    case cohort_warpgroup_lanes_differ:
      cohort_fail(719,
                  "%s: threads of the warp pass different instructions, matrix descriptors or scales; all 128 threads "
                  "of the warpgroup pass the same ones",
                  name);
    case cohort_warpgroup_warps_differ:
      cohort_fail(
          719,
          "%s: warp %u passes another instruction, matrix descriptor or scale than an earlier warp of warpgroup "
          "%u; its four warps execute the same products in one order",
          name, cohort_thread_rank() / 32, cohort_thread_rank() / 128);
    case cohort_warpgroup_lacks_warps:
      cohort_fail(719,
                  "%s: warpgroup %u of the block has fewer than four warps; make the block a multiple of 128 threads",
                  name, cohort_thread_rank() / 128);
    default:
      cohort_fail(700, "%s: matrix %s reaches beyond the block's shared memory; compare its descriptor with the shape",
                  name, status == cohort_warpgroup_a_is_beyond_shared ? "A" : "B");  // cudaErrorIllegalAddress
  }
}

COHORT_PTX_FUNCTION void cohort_ptx_warpgroup_multiply(void* operand, const char* name) {
  cohort_require_full_warp(name);
  auto* product = static_cast<cohort_warpgroup_product*>(operand);
  product->thread = cohort_thread_rank();
  cohort_wait_warp(0xffffffffu, cohort_start_warpgroup_product, product, name);
  cohort_check_warpgroup(product->status, name);
}

COHORT_DEVICE_FUNCTION void cohort_step_warpgroup(cohort_resolve resolve, unsigned int left, const char* name) {
  cohort_require_full_warp(name);
  cohort_warpgroup_step step = {};
  step.thread = cohort_thread_rank();
  step.left = left;
  cohort_wait_warp(0xffffffffu, resolve, &step, name);
  cohort_check_warpgroup(step.status, name);
}

COHORT_PTX_FUNCTION void cohort_ptx_warpgroup_fence(const char* name) {
  cohort_step_warpgroup(cohort_fence_warpgroup, 0, name);
}

COHORT_PTX_FUNCTION void cohort_ptx_warpgroup_commit(const char* name) {
  cohort_step_warpgroup(cohort_commit_warpgroup_products, 0, name);
}

COHORT_PTX_FUNCTION void cohort_ptx_warpgroup_wait(unsigned int left, const char* name) {
  cohort_step_warpgroup(cohort_finish_warpgroup_products, left, name);
}

#endif
