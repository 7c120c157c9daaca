// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's second name for vector_functions.h.
#pragma once
#include "vector_functions.h"
