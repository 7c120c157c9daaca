// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 32 x 8 threads walk along z: each plane with its halo is in shared memory, the planes above and below are
// in registers.
#include <cooperative_groups.h>

#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile_x = 32, tile_y = 8;

__global__ void jacobi_planes(const float* in, float* out, int width, int height, int depth) {
  __shared__ float plane[tile_y + 2][tile_x + 2];
  const auto block = cg::this_thread_block();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * tile_x + threadIdx.x, y = blockIdx.y * tile_y + threadIdx.y;
  const bool exists = x < width && y < height;
  const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  const int area = width * height, at = y * width + x;
  float below = 0, here = exists ? in[at] : 0, above = exists ? in[area + at] : 0;
  for (int z = 1; z < depth - 1; ++z) {
    below = here;
    here = above;
    above = exists ? in[(z + 1) * area + at] : 0;
    const float* of_plane = in + z * area + at;
    plane[ty][tx] = here;
    if (inner && threadIdx.x == 0) plane[ty][0] = of_plane[-1];
    if (inner && threadIdx.x == tile_x - 1) plane[ty][tile_x + 1] = of_plane[1];
    if (inner && threadIdx.y == 0) plane[0][tx] = of_plane[-width];
    if (inner && threadIdx.y == tile_y - 1) plane[tile_y + 1][tx] = of_plane[width];
    block.sync();
    if (inner) {
      out[z * area + at] = 0.4f * here + 0.1f * (below + above + plane[ty][tx - 1] + plane[ty][tx + 1] +
                                                 plane[ty - 1][tx] + plane[ty + 1][tx]);
    }
    block.sync();
  }
}

}  // namespace

void stencil_3d(const problems::stencil_3d& p) {
  const dim3 blocks((p.width + tile_x - 1) / tile_x, (p.height + tile_y - 1) / tile_y);
  float *from = p.first, *to = p.second;
  for (int s = 0; s < p.steps; ++s) {
    jacobi_planes<<<blocks, dim3(tile_x, tile_y)>>>(from, to, p.width, p.height, p.depth);
    std::swap(from, to);
  }
  finish("stencil_3d");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
