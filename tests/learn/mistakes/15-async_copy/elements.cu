// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: The size of the copy is in bytes
cg::memcpy_async(block, part, from, n);
cg::wait(block);
