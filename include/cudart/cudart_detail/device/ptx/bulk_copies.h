// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for cp.async.bulk and its companions. They describe the copy to the engine, which
// checks and executes it.
#pragma once

#include <cohort/machine/cpu/port/bulk_copy.hpp>

#include "collectives.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

COHORT_PTX_FUNCTION void cohort_ptx_bulk_copy(unsigned int direction, unsigned int reduction, unsigned int type,
                                              void* to, const void* from, unsigned int bytes, void* mbarrier,
                                              unsigned int blocks, const char* name) {
  cohort_bulk_copy copy = {};
  copy.to = to;
  copy.from = from;
  copy.mbarrier = static_cast<uint64_t*>(mbarrier);
  copy.name = name;
  copy.bytes = bytes;
  copy.blocks = blocks;
  copy.direction = static_cast<uint8_t>(direction);
  copy.reduction = static_cast<uint8_t>(reduction);
  copy.type = static_cast<uint8_t>(type);
  cohort_wait_bulk_start(&copy);
}

COHORT_PTX_FUNCTION void cohort_ptx_bulk_tensor(unsigned int direction, unsigned int reduction, void* shared,
                                                const void* map, void* mbarrier, unsigned int blocks, unsigned int rank,
                                                unsigned int mode, int c0, int c1, int c2, int c3, int c4,
                                                unsigned short o0, unsigned short o1, unsigned short o2,
                                                const char* name) {
  cohort_bulk_copy copy = {};
  if (direction == cohort_bulk_store) {
    copy.from = shared;
  } else {
    copy.to = shared;
  }
  copy.map = static_cast<const cohort_tensor_map*>(map);
  copy.mbarrier = static_cast<uint64_t*>(mbarrier);
  copy.name = name;
  const int coordinates[] = {c0, c1, c2, c3, c4};
  for (int i = 0; i < COHORT_TENSOR_RANKS; ++i) copy.coordinates[i] = coordinates[i];
  copy.offsets[0] = o0;
  copy.offsets[1] = o1;
  copy.offsets[2] = o2;
  copy.blocks = blocks;
  copy.direction = static_cast<uint8_t>(direction);
  copy.reduction = static_cast<uint8_t>(reduction);
  copy.rank = static_cast<uint8_t>(rank);
  copy.mode = static_cast<uint8_t>(mode);
  cohort_wait_bulk_start(&copy);
}

// tensormap.replace. A map that was all zeros becomes a map by it.
COHORT_PTX_FUNCTION void cohort_ptx_replace_in_map(void* map, unsigned int field, unsigned int dimension,
                                                   unsigned long long value) {
  // PTX's numbers of element types; others than these need compute capability 10.0.
  constexpr uint8_t types[] = {cohort_tensor_u8,      cohort_tensor_u16, cohort_tensor_u32,  cohort_tensor_s32,
                               cohort_tensor_u64,     cohort_tensor_s64, cohort_tensor_f16,  cohort_tensor_f32,
                               cohort_tensor_f32_ftz, cohort_tensor_f64, cohort_tensor_bf16, cohort_tensor_tf32,
                               cohort_tensor_tf32_ftz};
  cohort_tensor_map* const m = static_cast<cohort_tensor_map*>(map);
  const unsigned long long ends[] = {1ull << 57, 5, 257, 1ull << 32, 1ull << 40, 9, 13, 3, 4, 2};
  const unsigned int dimensions = field == cohort_tensor_stride ? COHORT_TENSOR_RANKS - 1 : COHORT_TENSOR_RANKS;
  if (value >= ends[field] || dimension >= dimensions) {
    cohort_fail(715, "tensormap.replace: the value %llu for dimension %u is out of range", value, dimension);
  }
  m->mark = COHORT_TENSOR_MAP_MARK;
  switch (field) {
    case cohort_tensor_address:
      m->address = value;
      break;
    case cohort_tensor_rank:
      m->rank = static_cast<uint8_t>(value + 1);
      break;
    case cohort_tensor_box:
      m->box[dimension] = static_cast<uint16_t>(value);
      break;
    case cohort_tensor_size:
      m->last[dimension] = static_cast<uint32_t>(value - 1);
      break;
    case cohort_tensor_stride:
      m->strides[dimension] = value;
      break;
    case cohort_tensor_step:
      m->steps[dimension] = static_cast<uint8_t>(dimension == 0 ? 1 : value);
      break;
    case cohort_tensor_element:
      m->type = types[value];
      break;
    case cohort_tensor_interleave:
      m->interleave = static_cast<uint8_t>(value);
      break;
    case cohort_tensor_swizzle:
      m->swizzle = static_cast<uint8_t>(value);
      break;
    default:
      m->fill = static_cast<uint8_t>(value);
  }
}

// tensormap.cp_fenceproxy: a collective of the warp that copies 128 bytes.
COHORT_PTX_FUNCTION void cohort_ptx_copy_map(void* to, const void* from) {
  cohort_ptx_sync_lanes(cohort_tile_lanes(32), "tensormap.cp_fenceproxy");
  __builtin_memcpy(to, from, 128);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
