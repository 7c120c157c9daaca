// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that declare the functions of the device library. A C++ file that clang does not compile as CUDA has only the
// functions for both sides, as ordinary functions.
#pragma once

#define COHORT_DEVICE_FUNCTION static inline __attribute__((device, always_inline))
// A template without a parameter that matters: what its body calls is instantiated in the sources that call it, where a
// function would have it instantiated in all. Its parameters' types do not depend on the template's, so overload
// resolution prefers it to a program's own template of the same name, as it does a function.
#define COHORT_DEVICE_FUNCTION_ON_USE \
  template <class = void>             \
  COHORT_DEVICE_FUNCTION
#if defined(__CUDA__)
#define COHORT_BOTH_MEMBER __attribute__((host, device, always_inline))
#else
#define COHORT_BOTH_MEMBER __attribute__((always_inline))
#endif
#define COHORT_BOTH_FUNCTION static inline COHORT_BOTH_MEMBER
// A function for both sides that is too long to be inlined everywhere.
#if defined(__CUDA__)
#define COHORT_BOTH_INLINE inline __attribute__((host, device))
#else
#define COHORT_BOTH_INLINE inline
#endif
