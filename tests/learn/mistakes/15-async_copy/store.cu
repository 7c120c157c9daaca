// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: rule: cg::memcpy_async
part[block.thread_rank()] = from[block.thread_rank()];  // no memcpy_async(
block.sync();
