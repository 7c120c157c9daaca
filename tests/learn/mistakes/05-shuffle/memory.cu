// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: tiles are separate
step = block.thread_rank() > 0 ? mine - in[block.thread_rank() - 1] : 0;
