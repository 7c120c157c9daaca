// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernels on any device.
#pragma once

#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

cudaFuncAttributes describe_function(function& f, int device);
// cudaErrorInvalidValue for a value or an attribute that cannot be set, cudaErrorNotPermitted for the cluster of a
// kernel with __cluster_dims__.
cudaError_t set_function_attribute(function& f, int device, cudaFuncAttribute attribute, int value);
// Writes the place of a parameter in the buffer of all parameters. `bytes` may be null. cudaErrorInvalidValue without
// `offset`, or for an index without a parameter.
cudaError_t find_parameter(const function& f, size_t index, size_t* offset, size_t* bytes);

}  // namespace cohort::runtime
