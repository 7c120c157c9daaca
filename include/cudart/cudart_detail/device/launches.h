// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The configuration of a launch in device code. Not for users.
#pragma once

#include <stddef.h>

#include <cohort/machine/cpu/port.hpp>

#include "../../vector_types.h"

#if defined(__CUDA_ARCH__)
extern "C" {

// The compiler calls this function for each launch, with the configuration that the launch passes on.
__attribute__((device)) inline void cohort_set_launch_shape(cohort_launch_shape* shape, dim3 grid, dim3 block,
                                                            size_t shared_bytes, void* stream) {
  *shape = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream};
}

// clang makes a call of this function of `<<<...>>>`, for which the compiler puts the one above.
__attribute__((host, device)) inline unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block = 1,
                                                                              size_t shared_bytes = 0,
                                                                              struct CUstream_st* stream = 0) {
  cohort_launch_shape shape;
  cohort_set_launch_shape(&shape, grid, block, shared_bytes, stream);
  return 0;
}

}  // extern "C"
#endif
