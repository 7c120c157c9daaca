// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of a mixed build that only the host compiler compiles, as C, an old C++ or a new C++. BESIDE_CUDA adds the
// toolkit's headers before (1) or after (0) Cohort's.
#if defined(BESIDE_CUDA) && BESIDE_CUDA == 1
#include <cuda_runtime.h>
#include <cuda/atomic>
#endif
#include <cooperative_groups.h>
#if defined(BESIDE_CUDA)
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include <cuda_runtime.h>
#include <cuda/atomic>
#include <cuda/barrier>

cuda::atomic<int, cuda::thread_scope_block> counter(0);
cuda::aligned_size_t<16> bytes(64);
dim3 shape(3, 2);
#endif

#if defined(USES_GROUPS)
namespace groups = cooperative_groups;
groups::thread_block* block;
#endif

int main(void) { return 0; }
