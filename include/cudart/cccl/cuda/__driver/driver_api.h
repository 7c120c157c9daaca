// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CCCL looks up the driver's functions in libcuda.so.1. Here they are in the runtime that the program is linked with,
// and a library of that name would bring a second one. So the header is read with other names for dlopen and dlsym.
#pragma once

#if !defined(__CUDACC_RTC__)
#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

inline void* cohort_open_driver(const char*, int) {
  static char library;
  return &library;
}
// The only function that CCCL takes from the library: it finds the others.
inline void* cohort_find_in_driver(void*, const char* name) {
  return strcmp(name, "cuGetProcAddress_v2") == 0 ? reinterpret_cast<void*>(&cuGetProcAddress_v2) : nullptr;
}
#define dlopen cohort_open_driver
#define dlsym cohort_find_in_driver
#endif

#include_next <cuda/__driver/driver_api.h>

#if !defined(__CUDACC_RTC__)
#undef dlopen
#undef dlsym
#endif
