// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the alignment must be a power of two
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cuda::aligned_size_t<3> size(12);
  (void)size;
#else
  cuda::aligned_size_t<4> size(12);
  (void)size;
#endif
}
