// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: threadIdx.x repeats for each y and z
mine[threadIdx.x] = 10 * threadIdx.x;
