// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of a CUtensorMap. The driver API encodes it, kernels change fields (tensormap.replace), and the engine
// reads it when a tensor copy starts. CUDA leaves the content opaque, so it need not be a GPU's.
#pragma once

#include <stdint.h>

// The numbers of CUtensorMapDataType.
enum cohort_tensor_type {
  cohort_tensor_u8,
  cohort_tensor_u16,
  cohort_tensor_u32,
  cohort_tensor_s32,
  cohort_tensor_u64,
  cohort_tensor_s64,
  cohort_tensor_f16,
  cohort_tensor_f32,
  cohort_tensor_f64,
  cohort_tensor_bf16,
  cohort_tensor_f32_ftz,
  cohort_tensor_tf32,
  cohort_tensor_tf32_ftz,
  cohort_tensor_types,
};

enum cohort_tensor_mode { cohort_tensor_tile, cohort_tensor_im2col };

// The fields that tensormap.replace changes.
enum cohort_tensor_field {
  cohort_tensor_address,
  cohort_tensor_rank,
  cohort_tensor_box,
  cohort_tensor_size,
  cohort_tensor_stride,
  cohort_tensor_step,
  cohort_tensor_element,
  cohort_tensor_interleave,
  cohort_tensor_swizzle,
  cohort_tensor_fill,
};

// Marks an encoded map; a map of zeros or of other bytes is refused where a kernel uses it. Bit 21 is 0: in maps of
// less than 128 KiB, CUTLASS clears bit 21 of the second word, where GPUs have a flag.
#define COHORT_TENSOR_MAP_MARK 0x70616d546380c0deULL

#define COHORT_TENSOR_RANKS 5

struct cohort_tensor_map {
  uint64_t address;                           // the address of element 0 in every dimension
  uint64_t mark;                              // must be the second word: CUTLASS changes a bit of that word
  uint64_t strides[COHORT_TENSOR_RANKS - 1];  // in bytes, of dimension 1 and up
  uint32_t last[COHORT_TENSOR_RANKS];         // size - 1 of each dimension
  uint16_t box[COHORT_TENSOR_RANKS];          // extents; im2col: channels of a pixel, pixels of a column
  uint8_t steps[COHORT_TENSOR_RANKS];         // distance between copied elements
  uint8_t type, rank, mode;
  uint8_t interleave;          // 0, or the number of CUtensorMapInterleave
  uint8_t swizzle;             // 0, or 1 to 3 for spans of 32, 64 and 128 bytes
  uint8_t fill;                // 1: elements out of bounds are NaN
  int16_t lower[3], upper[3];  // im2col: corners of the bounding box, W first
};
static_assert(sizeof(cohort_tensor_map) <= 128, "a tensor map has 128 bytes");
