// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf, assert, malloc, free, memcpy, memmove and memset in device code. Include it before the standard headers,
// whose `using ::printf` must find these overloads (see c_math.h).
#pragma once

#include <stddef.h>

#include <cohort/machine/cpu/port.hpp>

#include "macros.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COHORT_SANITIZED_HEAP 1
#endif
#endif

// Declares the engine's function a second time: the symbol is the engine's, the name CUDA's.
__attribute__((device, format(printf, 1, 2))) int printf(const char* format, ...) __asm__("cohort_print");

// The C library's assert() calls this function when its expression is false. The line is no `unsigned int`, unlike that
// of glibc: headers such as CCCL's declare glibc's function for both sides, which clang refuses beside a function of
// one side with the same parameters. The compiler defines that one in device code.
__attribute__((device, noreturn)) static inline void __assert_fail(const char* expression, const char* file, int line,
                                                                   const char* function) {
  cohort_fail_assert(expression, file, line, function);
}
extern "C" void cohort_assert_fail_of_libc(const char* expression, const char* file, unsigned int line,
                                           const char* function) __asm__("__assert_fail") __attribute__((noreturn));
__attribute__((host, noreturn, always_inline)) static inline void __assert_fail(const char* expression,
                                                                                const char* file, int line,
                                                                                const char* function) {
  cohort_assert_fail_of_libc(expression, file, static_cast<unsigned int>(line), function);
}

// The runtime's heap for kernels, which checks freed addresses; clang's new and delete call these functions.
// AddressSanitizer checks its own heap.
#if COHORT_SANITIZED_HEAP
__attribute__((device, malloc)) void* malloc(size_t bytes) __asm__("malloc");
__attribute__((device)) void free(void* memory) __asm__("free");
#else
__attribute__((device, malloc)) void* malloc(size_t bytes) __asm__("cohort_heap_allocate");
__attribute__((device)) void free(void* memory) __asm__("cohort_heap_free");
#endif

COHORT_DEVICE_FUNCTION void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
COHORT_DEVICE_FUNCTION void* memmove(void* to, const void* from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
COHORT_DEVICE_FUNCTION void* memset(void* to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
