// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: shfl_down moves values to lower ranks
for (int m = 4; m > 0; m /= 2) value += tile.shfl_down(value, m);
