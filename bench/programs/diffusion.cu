// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Anisotropic diffusion. First warps compute sums over the plane, then two kernels work on tiles of 16 x 16 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile = problems::diffusion::tile;
constexpr int sum_threads = 256;

// Writes the block's sum and sum of squares.
__device__ void add_block(double sum, double square, double* out) {
  __shared__ double sums[sum_threads / 32], squares[sum_threads / 32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  sum = cg::reduce(warp, sum, cg::plus<double>());
  square = cg::reduce(warp, square, cg::plus<double>());
  if (warp.thread_rank() == 0) {
    sums[warp.meta_group_rank()] = sum;
    squares[warp.meta_group_rank()] = square;
  }
  block.sync();
  if (block.thread_rank() != 0) return;
  for (int w = 1; w < sum_threads / 32; ++w) {
    sum += sums[w];
    square += squares[w];
  }
  out[0] = sum;
  out[1] = square;
}

__global__ void add_points(const float* image, int n, double* sums) {
  double sum = 0, square = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double v = image[i];
    sum += v;
    square += v * v;
  }
  add_block(sum, square, sums + 2 * (blockIdx.x + 1));
}

__global__ void add_blocks(double* sums, int blocks) {
  double sum = 0, square = 0;
  for (int i = threadIdx.x + 1; i <= blocks; i += blockDim.x) {
    sum += sums[2 * i];
    square += sums[2 * i + 1];
  }
  add_block(sum, square, sums);
}

__global__ void find_coefficients(const float* image, const double* sums, float* coefficient, int width, int height) {
  __shared__ float s[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
  const bool inside = x < width && y < height;
  const int at = y * width + x;
  if (inside) s[ty][tx] = image[at];
  __syncthreads();
  if (!inside) return;
  const double points = static_cast<double>(width) * height, mean = sums[0] / points;
  const float q0 = static_cast<float>((sums[1] / points - mean * mean) / (mean * mean));
  const float here = s[ty][tx];
  const float north = ty > 0 ? s[ty - 1][tx] : image[max(y - 1, 0) * width + x];
  const float south = ty < tile - 1 && y < height - 1 ? s[ty + 1][tx] : image[min(y + 1, height - 1) * width + x];
  const float west = tx > 0 ? s[ty][tx - 1] : image[y * width + max(x - 1, 0)];
  const float east = tx < tile - 1 && x < width - 1 ? s[ty][tx + 1] : image[y * width + min(x + 1, width - 1)];
  const float dn = north - here, ds = south - here, dw = west - here, de = east - here;
  const float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
  const float laplacian = (dn + ds + dw + de) / here;
  const float edge = 1.0f + 0.25f * laplacian;
  const float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (edge * edge);
  const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  coefficient[at] = fminf(fmaxf(c, 0.0f), 1.0f);
}

__global__ void diffuse(const float* image, const float* coefficient, float* out, int width, int height, float rate) {
  __shared__ float s[tile][tile], c[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
  const bool inside = x < width && y < height;
  const int at = y * width + x;
  if (inside) {
    s[ty][tx] = image[at];
    c[ty][tx] = coefficient[at];
  }
  __syncthreads();
  if (!inside) return;
  const int below = min(y + 1, height - 1) * width + x, right = y * width + min(x + 1, width - 1);
  const bool row_below = ty < tile - 1 && y < height - 1, column_right = tx < tile - 1 && x < width - 1;
  const float here = s[ty][tx], weight = c[ty][tx];
  const float north = ty > 0 ? s[ty - 1][tx] : image[max(y - 1, 0) * width + x];
  const float west = tx > 0 ? s[ty][tx - 1] : image[y * width + max(x - 1, 0)];
  const float south = row_below ? s[ty + 1][tx] : image[below];
  const float east = column_right ? s[ty][tx + 1] : image[right];
  const float weight_south = row_below ? c[ty + 1][tx] : coefficient[below];
  const float weight_east = column_right ? c[ty][tx + 1] : coefficient[right];
  out[at] = here + 0.25f * rate *
                       (weight * (north - here) + weight * (west - here) + weight_south * (south - here) +
                        weight_east * (east - here));
}

}  // namespace

void diffusion(const problems::diffusion& p) {
  const int points = p.width * p.height;
  const int sum_blocks = min(64, (points + sum_threads - 1) / sum_threads);
  const dim3 blocks(problems::diffusion::tiles(p.width), problems::diffusion::tiles(p.height)), threads(tile, tile);
  float *image = p.image, *other = p.other;
  for (int s = 0; s < p.steps; ++s) {
    add_points<<<sum_blocks, sum_threads>>>(image, points, p.sums);
    add_blocks<<<1, sum_threads>>>(p.sums, sum_blocks);
    find_coefficients<<<blocks, threads>>>(image, p.sums, p.coefficient, p.width, p.height);
    diffuse<<<blocks, threads>>>(image, p.coefficient, other, p.width, p.height, p.rate);
    std::swap(image, other);
  }
  finish("diffusion");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
