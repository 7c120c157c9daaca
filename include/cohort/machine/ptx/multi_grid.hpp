// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several GPUs. Nothing launches them yet, so no kernel runs in one.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "memory.hpp"

namespace cohort {
namespace ptx {

struct multi_grid {
  COHORT_FN static uint32_t multi_grid_rank() { return 0; }
  COHORT_FN static uint32_t multi_grid_count() { return 0; }
  COHORT_FN static void sync_multi_grid() { refuse(); }
  COHORT_FN static void* multi_grid_scratch(size_t /*bytes*/) {
    refuse();
    return nullptr;
  }

 private:
  COHORT_FN static void refuse() {
    memory::fail("a barrier or collective of multi_grid_group in a launch that is not a multi-device launch");
  }
};

}  // namespace ptx
}  // namespace cohort
