// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's <cooperative_groups/scan.h>: scans and the operators.
#pragma once

#include "../../cohort/base/user_macros/off.hpp"

#include "../../cohort/base/op.hpp"
#include "../../cohort/collective/scan.hpp"
#include "../../cohort/collective/update.hpp"

#include "../cooperative_groups.h"

// NVIDIA's header includes it, and sources rely on that.
#if !defined(_CG_LIMIT_INCLUDED_DEPENDENCIES) && __has_include(<cuda/std/functional>)
#include <cuda/std/functional>
#endif

namespace cooperative_groups {

using cohort::bit_and;
using cohort::bit_or;
using cohort::bit_xor;
using cohort::greater;
using cohort::less;
using cohort::plus;

using cohort::exclusive_scan;
using cohort::exclusive_scan_update;
using cohort::inclusive_scan;
using cohort::inclusive_scan_update;

// CUDA 11 declares these functions here.
namespace experimental {
using cohort::exclusive_scan_update;
using cohort::inclusive_scan_update;
}  // namespace experimental

}  // namespace cooperative_groups

#include "../../cohort/base/user_macros/on.hpp"
