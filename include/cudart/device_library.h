// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a kernel uses without naming a header: C library functions, CUDA's intrinsics, atomics, barriers.
// cuda_runtime.h includes this page first of all: the device overloads must stand before the standard headers.
#pragma once

#if defined(__CUDA__)

#include "host_defines.h"

#include "device/c_library.h"
#include "device/c_math.h"

// nvcc gives every source these.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "device/atomics.h"
#include "device/bit_casts.h"
#include "device/conversions.h"
#include "device/cuda_math.h"
#include "device/fast_math.h"
#include "device/integer_intrinsics.h"
#include "device/memory_access.h"
#include "device/min_max.h"
#include "device/rounded_arithmetic.h"
#include "device/shuffles.h"
#include "device/simd_in_word.h"
#include "device/special_functions.h"
#include "device/synchronization.h"
#include "device/votes.h"

#endif

#include "vector_functions.h"
#include "vector_types.h"
