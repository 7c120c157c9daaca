// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the label must be an integer or a pointer
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum class colour { red };

void kernel() {
#if WRONG
  cg::labeled_partition(cg::coalesced_threads(), colour::red);
#else
  cg::labeled_partition(cg::coalesced_threads(), static_cast<int>(colour::red));
#endif
}
