// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: cluster_dims.cu:5:37: error: a dimension of __cluster_dims__ is a number of blocks, known when compiling, from 1 to 2147483647

__global__ void fine() __cluster_dims__(2, 2);
__global__ void __cluster_dims__(2, 0, 1) empty() {}
