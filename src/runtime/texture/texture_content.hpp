// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of texture and surface objects, from the descriptions of CUDA.
#pragma once

#include <cohort/machine/cpu/port/texture.hpp>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// describe_texture() and describe_surface() return the error with which CUDA refuses the description. `view` may be
// null.
cudaError_t describe_texture(const cudaResourceDesc& resource, const cudaTextureDesc& sampler,
                             const cudaResourceViewDesc* view, cohort_texture* made);
cudaError_t describe_surface(const cudaResourceDesc& resource, cohort_surface* made);

}  // namespace cohort::runtime
