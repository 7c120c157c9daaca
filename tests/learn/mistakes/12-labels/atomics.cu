// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: rule: the task is to do without
atomicAdd(&bins[key], 1);
