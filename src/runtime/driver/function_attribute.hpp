// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of functions by CUfunction_attribute.
#pragma once

#include "cuda.h"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

// Writes an attribute of a function on a device. CUDA_ERROR_INVALID_VALUE for an unknown one.
CUresult read_function_attribute(function& f, int device, CUfunction_attribute attribute, int* value);

}  // namespace cohort::runtime
