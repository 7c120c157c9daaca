// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: error: __cluster_dims__ takes one, two or three numbers of blocks: x, y and z

template <int N>
__global__ void __cluster_dims__(N, 1, 1, 1) many() {}

int main() { many<2><<<2, 32>>>(); }
