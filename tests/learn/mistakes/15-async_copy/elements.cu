// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: the size is in elements
cg::memcpy_async(block, part, from, n);
cg::wait(block);
