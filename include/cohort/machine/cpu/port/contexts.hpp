// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures between running threads and the engine.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"

// Type of a field, with the extents of an array or the parameters of a function, as in int[3].
template <class T>
using cohort_field = T;

// clang-format off: parts of a structure
#define COHORT_STRUCT(name, bytes) struct name {
#define COHORT_FIELD(type, name) cohort_field<type> name;
#define COHORT_FIELD_OR(type, name, value) cohort_field<type> name = value;
#define COHORT_STRUCT_END };
// clang-format on

#include "contexts.inc"

#undef COHORT_STRUCT
#undef COHORT_FIELD
#undef COHORT_FIELD_OR
#undef COHORT_STRUCT_END
