// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

// Multiplies `n` values in device memory by `factor`.
cudaError_t scale(float* values, size_t n, float factor);
