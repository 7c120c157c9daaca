// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA runtime for C++ sources. cohortcc includes it before every source, as nvcc does.
#pragma once

#include <cohort/base/user_macros/off.hpp>

// Users' headers test this macro to see whether the file was included.
#define __CUDA_RUNTIME_H__

#include "cudart_detail/types/compiler_macros.h"

// First, since its device overloads must precede the standard headers.
#include "cudart_detail/device/library.h"

#include "cuda_runtime_api.h"

#include "cuda_device_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDA__)
#include "device_launch_parameters.h"
#endif

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "channel_descriptor.h"
#include "cudart_detail/api/graph_templates.h"
#include "cudart_detail/api/launch_templates.h"
#include "cudart_detail/api/memory_templates.h"
#include "cudart_detail/api/occupancy_templates.h"
#if defined(__CUDA__)
#include "cudart_detail/device/texture/reference_functions.h"
#endif

// Headers that nvcc includes for every source. In CUDA sources library.h has included them.
#include <cstdlib>
#if defined(COHORT_EXTENDED_LAMBDA)  // the option --extended-lambda
#include <functional>                // with <vector> and <unordered_map>, which sources rely on
#include <utility>
#endif
#if !defined(__CUDA__)
#include <cmath>
#endif
#endif

#if !defined(__CUDA__)
#include <math.h>
#endif
#if !defined(__CUDACC_RTC__)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#include <cohort/base/user_macros/on.hpp>
