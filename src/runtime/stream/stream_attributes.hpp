// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of streams and of kernel nodes that are hints for a GPU: they are checked and stored.
#pragma once

#include "cuda_runtime_api.h"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// set_hint() and get_hint() return cudaErrorInvalidValue for an attribute that is no hint, and for a value that CUDA
// does not permit.
cudaError_t set_hint(stream_attributes& kept, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value);
cudaError_t get_hint(const stream_attributes& kept, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value);

}  // namespace cohort::runtime
