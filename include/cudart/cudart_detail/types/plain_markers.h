// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The qualifiers of device code as empty macros for plain C and C++ sources: a header shared with .cu sources compiles
// there.
#pragma once

#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
