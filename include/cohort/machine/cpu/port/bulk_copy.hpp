// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bulk copy or a bulk reduction (PTX: cp.async.bulk, cp.reduce.async.bulk) as a kernel starts it.
#pragma once

#include <stdint.h>

#include "tensor_map.hpp"

enum cohort_bulk_reduction {
  cohort_bulk_copies,
  cohort_bulk_add,
  cohort_bulk_min,
  cohort_bulk_max,
  cohort_bulk_inc,
  cohort_bulk_dec,
  cohort_bulk_and,
  cohort_bulk_or,
  cohort_bulk_xor,
};

// The memory of the destination and of the source.
enum cohort_bulk_direction { cohort_bulk_load, cohort_bulk_store, cohort_bulk_between_shared };

#define COHORT_BULK_MULTICAST 0x10000U

struct cohort_bulk_copy {
  void* to;                      // null if the tensor map determines the destination
  const void* from;              // null if the tensor map determines the source
  const cohort_tensor_map* map;  // null: the copy is of `bytes` adjacent bytes
  uint64_t* mbarrier;            // counts the bytes; null: the copy belongs to a bulk group
  const char* name;              // the instruction's name, for reports
  uint32_t bytes;
  int32_t coordinates[COHORT_TENSOR_RANKS];
  uint16_t offsets[3];  // im2col: offsets of the pixels, W first
  uint32_t blocks;      // COHORT_BULK_MULTICAST and a bit for each block of the cluster; 0: the block of `to` alone
  uint8_t direction, reduction;
  uint8_t type;        // cohort_tensor_type of a reduction without a map
  uint8_t rank, mode;  // the instruction's rank and mode; they equal the map's
};
