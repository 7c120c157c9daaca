// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The declarations of the runtime's functions that device code of these headers calls. Not for users.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "macros.h"

extern "C" {
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) COHORT_DEVICE result name parameters;

#include <cohort/machine/cpu/port/calls.inc>
}
