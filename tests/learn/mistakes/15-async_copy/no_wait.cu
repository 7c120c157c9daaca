// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: copy: use cg::wait(block)
cg::memcpy_async(block, part, from, n * sizeof(int));
block.sync();
