// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One family of kernels, compiled twice: in namespace `ours` over Cohort's groups, in namespace `peer` over NVIDIA's.
// compare.py reads the registers and the code of each pair. FAMILY is a file of the folder kernels/.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>
#include <cuda/pipeline>

// Instantiates a kernel: the host's use of its address suffices.
#define KERNEL(...) reinterpret_cast<const void*>(&__VA_ARGS__)

namespace ours {
namespace cg = ::cohort;
#include FAMILY
}  // namespace ours

namespace peer {
namespace cg = ::cooperative_groups;
#include FAMILY
}  // namespace peer
