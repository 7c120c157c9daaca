// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names in libcudart.so.13 of the runtime API's functions that have no body.
#include "runtime/driver/entry/functions_without_body.hpp"

#define COHORT_NO_BODY_CUDA(name) \
  extern "C" int name() { return cohort_call_without_body(#name); }
#include "runtime/driver/entry/functions_without_body.inc"
