// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that implement cohort::world on CPUs: those of the engine. Their counterpart on GPUs is
// cuda/world/world_calls.hpp.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../machine/cpu/world_port.hpp"

namespace cohort {
namespace detail {

struct world_calls {
  using world = cohort_world;
  using network = cohort_network;
  static int open(const network* n, world** w) { return cohort_world_open(n, w); }
  static int close(world* w) { return cohort_world_close(w); }
  static uint32_t ranks(const world* w) { return cohort_world_ranks(w); }
  static uint32_t first_rank(const world* w) { return cohort_world_first_rank(w); }
  static uint32_t local_ranks(const world* w) { return cohort_world_local_ranks(w); }
  static int is_lost(const world* w) { return cohort_world_is_lost(w); }
  static void keep_after_loss(world* w, int keep) { cohort_world_keep_after_loss(w, keep); }
  static int allocate(world* w, size_t bytes, void** memory) { return cohort_world_allocate(w, bytes, memory); }
  static int free(world* w, void* memory) { return cohort_world_free(w, memory); }
  static void* on(const world* w, const void* address, uint32_t rank) { return cohort_world_on(w, address, rank); }
  static int smallest(world* w, uint64_t value, uint64_t* smallest) {
    return cohort_world_smallest(w, value, smallest);
  }
  static int refuse(world* w, int error) { return cohort_world_refuse(w, error); }
  static uint64_t launches(const world* w) { return cohort_world_launches(w); }
  static uint32_t launched_processes() { return cohort_launched_processes(); }
};

}  // namespace detail
}  // namespace cohort
