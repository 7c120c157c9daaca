// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of a kernel's parameters, from `kernelParams` or from the buffer that `extra` describes.
#pragma once

#include <vector>

#include "cuda.h"
#include "cuda_runtime_api.h"

namespace cohort::runtime {

class kernel_parameters {
 public:
  // CUDA_ERROR_INVALID_VALUE for both forms at once, or for a buffer that is described wrongly or too short.
  CUresult take(CUfunction function, void** pointers, void** extra) {
    chosen = pointers;
    if (!extra) return CUDA_SUCCESS;
    if (pointers) return CUDA_ERROR_INVALID_VALUE;
    char* buffer = nullptr;
    size_t bytes = 0;
    bool sized = false;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = static_cast<char*>(extra[1]);
      } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1]) {
        bytes = *static_cast<size_t*>(extra[1]);
        sized = true;
      } else {
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    if (!buffer || !sized) return CUDA_ERROR_INVALID_VALUE;
    return take_buffer(function, buffer, bytes);
  }
  // Takes the parameters from a buffer that has each at its offset.
  CUresult take_buffer(CUfunction function, char* buffer, size_t bytes) {
    size_t offset = 0, length = 0;
    for (size_t i = 0; cudaFuncGetParamInfo(function, i, &offset, &length) == cudaSuccess; ++i) {
      if (offset + length > bytes) return CUDA_ERROR_INVALID_VALUE;
      made_.push_back(buffer + offset);
    }
    made_.push_back(nullptr);
    chosen = made_.data();
    return CUDA_SUCCESS;
  }
  void** chosen = nullptr;

 private:
  std::vector<void*> made_;
};

}  // namespace cohort::runtime
