// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that a kernel uses without an include: C library functions, CUDA's intrinsics, atomics, barriers. cuda_runtime.h
// includes this file first: the device overloads must precede the standard headers.
#pragma once

#if defined(__CUDA__)

#include "../../host_defines.h"

#if !defined(__CUDACC_RTC__)
// The special functions of C++17 take a quarter of the time of an empty source. They come with the source's own <cmath>
// (standard/cmath).
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif

#include "c_library.h"
#include "math/c_math.h"

#if defined(__CUDACC_RTC__)
#include "nvrtc_library.h"
#else
// c_library.h has the function that assert() calls.
#pragma push_macro("__assert_fail")
#define __assert_fail cohort_unused_assert_fail
#include <assert.h>
#pragma pop_macro("__assert_fail")

// Headers that nvcc includes for every source.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

// std::min and std::max. nvcc gets this part of <algorithm> from the special functions.
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif

#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#endif

#include "address_spaces.h"
#include "atomics/atomics.h"
#include "atomics/nv_atomics.h"
#include "atomics/wide_atomics.h"
#include "bit_casts.h"
#include "clusters.h"
#include "conversions.h"
#include "graph_conditions.h"
#include "integer/dpx.h"
#include "integer/integer_intrinsics.h"
#include "integer/simd_in_word.h"
#include "launches.h"
#include "math/cuda_math.h"
#include "math/fast_math.h"
#include "math/min_max.h"
#include "math/rounded_arithmetic.h"
#include "math/special_functions.h"
#include "memory_access.h"
#include "ptx/arithmetic.h"
#include "ptx/atomics.h"
#include "ptx/bulk_copies.h"
#include "ptx/clusters.h"
#include "ptx/collectives.h"
#include "ptx/conversions.h"
#include "ptx/matrices.h"
#include "ptx/mbarriers.h"
#include "ptx/multicast.h"
#include "ptx/spaces.h"
#include "ptx/warpgroups.h"
#include "shuffles.h"
#include "synchronization.h"
#include "texture/surface_functions.h"
#include "texture/texture_functions.h"
#include "variable_arguments.h"
#include "votes.h"

#endif

#include "../../vector_functions.h"
#include "../../vector_types.h"
