// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// va_arg in device code.
#pragma once

#include "../../host_defines.h"

#if defined(__CUDA_ARCH__)

namespace cohort::cpu {

// clang refuses __builtin_va_arg in device functions. The initializer of a member belongs to its class.
template <class T, class List>
struct next_argument {
  __host__ __device__ explicit next_argument(List of) : list(of) {}
  List list;
  T value = __builtin_va_arg(list, T);
};

}  // namespace cohort::cpu

// `va_arg` of <stdarg.h> becomes this name. The type may contain commas.
#define __builtin_va_arg(list, ...) (::cohort::cpu::next_argument<__VA_ARGS__, decltype((list))>(list).value)

#endif
