// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: must not depend on the condition
before = 0;
if (is_above) before = __popc(warp.ballot(true) & ((1u << warp.thread_rank()) - 1));
