// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of cublasLt's descriptors.
#pragma once

#include <cublasLt.h>

#include <cstdint>

namespace cohort::cublas {

struct layout {
  cudaDataType type;
  int32_t order;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batch_count;
  uint32_t batch_mode;
  int64_t batch_stride;
  int64_t plane_offset;
};

struct matmul {
  int32_t compute, scale_type, pointer_mode;
  int32_t transa, transb, transc;
  int32_t fill_mode;
  uint32_t epilogue;
  void* bias;
  int64_t bias_stride;
  void* aux;
  int64_t aux_ld, aux_stride;
  int64_t alpha_stride;
  void *a_scale, *b_scale, *c_scale, *d_scale, *amax_d;
  int32_t sm_count, aux_type, bias_type;
  int8_t fast_accumulation;
};

struct transform {
  int32_t scale_type, pointer_mode, transa, transb;
};

struct preference {
  uint32_t search_mode, reduction_schemes;
  uint64_t workspace_bytes, implementations;
  uint32_t alignment_a, alignment_b, alignment_c, alignment_d;
  float waves;
};

// A type of data that a descriptor does not name.
inline constexpr int32_t no_type = -1;

template <class Contents, class Descriptor>
Contents& contents_of(Descriptor* descriptor) {
  static_assert(sizeof(Contents) <= sizeof *descriptor);
  return *reinterpret_cast<Contents*>(descriptor);
}

}  // namespace cohort::cublas
