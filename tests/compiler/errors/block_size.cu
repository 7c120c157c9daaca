// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: error: cohortcc does not support __block_size__: use __launch_bounds__ and __cluster_dims__

__global__ void __block_size__((128, 1, 1), (2, 1, 1)) sized() {}
