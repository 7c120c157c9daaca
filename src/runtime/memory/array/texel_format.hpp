// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of texels.
#pragma once

#include <cstddef>

#include <cohort/machine/cpu/port/texture.hpp>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct texel_format {
  cohort_channel channel = cohort_channel_unsigned;
  unsigned channels = 0;
  unsigned channel_bytes = 0;
  bool is_normalized = false;  // fetched as numbers of [0, 1] or [-1, 1] in each read mode

  size_t bytes() const { return size_t{channels} * channel_bytes; }
  bool operator==(const texel_format&) const = default;
};

// cudaErrorInvalidChannelDescriptor for a descriptor that CUDA refuses, cudaErrorNotSupported for block-compressed,
// packed and planar formats.
cudaError_t to_texel_format(const cudaChannelFormatDesc& desc, texel_format* format);
// The format of a resource view; cudaErrorNotSupported for block-compressed ones. pre: not cudaResViewFormatNone
cudaError_t to_texel_format(cudaResourceViewFormat view, texel_format* format);

}  // namespace cohort::runtime
