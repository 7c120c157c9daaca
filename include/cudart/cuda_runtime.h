// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA runtime for C++ sources; cohortcc includes it in front of every source, as nvcc does.
#pragma once

// Users' headers ask by this name whether the file was included.
#define __CUDA_RUNTIME_H__

#include "cudart_detail/types/compiler_macros.h"

// Before the rest: its device overloads must stand before the standard headers.
#include "cudart_detail/device/library.h"

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDA__)
#include "device_launch_parameters.h"
#endif

#if defined(__cplusplus)
#include "cudart_detail/api/launch_templates.h"
#include "cudart_detail/api/memory_templates.h"
#include "cudart_detail/api/occupancy_templates.h"

// What sources written for nvcc get without asking for it.
#include <cmath>
#include <cstdlib>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
