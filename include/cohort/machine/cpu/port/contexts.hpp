// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures between running threads and the engine.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"

// Type of a field, with the extents of an array or the parameters of a function, as in int[3].
template <class T>
using cohort_field = T;

#include "structures_begin.inc"

#include "contexts.inc"

#include "structures_end.inc"
