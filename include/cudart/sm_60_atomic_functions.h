// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's header of atomic functions. Cohort's device library is one header.
#pragma once
#include "cudart_detail/device/library.h"
