// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The game of life on a torus: 2D tiles with halos; many generations in one cooperative launch through
// cudaLaunchKernelEx, counted with votes; then the generations again by plain launches.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

using cell = unsigned char;

#define TRY(x)                                                  \
  do {                                                          \
    cudaError_t e = (x);                                        \
    if (e != cudaSuccess) {                                     \
      std::printf("%d: %s\n", __LINE__, cudaGetErrorString(e)); \
      return 1;                                                 \
    }                                                           \
  } while (false)

template <int W, int H>
__device__ cell step_tile(const cell* world, int nx, int ny, int bx, int by, const cg::thread_block& block) {
  __shared__ cell tile[H + 2][W + 2];
  for (unsigned i = block.thread_rank(); i < (W + 2) * (H + 2); i += block.size()) {
    const int x = (bx * W + static_cast<int>(i % (W + 2)) - 1 + nx) % nx,
              y = (by * H + static_cast<int>(i / (W + 2)) - 1 + ny) % ny;
    tile[i / (W + 2)][i % (W + 2)] = world[y * nx + x];
  }
  block.sync();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int n = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
    for (int dx = -1; dx <= 1; ++dx) n += (dx || dy) ? tile[ty + dy][tx + dx] : 0;
  const cell next = n == 3 || (n == 2 && tile[ty][tx]);
  block.sync();
  return next;
}

template <int W, int H>
__global__ void life(cell* a, cell* b, int nx, int ny, int generations, unsigned* population) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  for (int g = 0; g < generations; ++g) {
    // Each block takes several tiles of the world.
    for (int t = blockIdx.x; t < (nx / W) * (ny / H); t += gridDim.x) {
      const int bx = t % (nx / W), by = t / (nx / W);
      const cell alive = step_tile<W, H>(a, nx, ny, bx, by, block);
      b[(by * H + threadIdx.y) * nx + bx * W + threadIdx.x] = alive;
      const auto warp = cg::tiled_partition<32>(block);
      const unsigned votes = warp.ballot(alive);
      if (warp.thread_rank() == 0) atomicAdd(&population[g], __popc(votes));
    }
    if (generations > 1) grid.sync();
    cell* s = a;
    a = b;
    b = s;
  }
}

int main() {
  const int nx = 96, ny = 64, generations = 12;
  std::vector<cell> world(nx * ny), next(nx * ny);
  unsigned s = 17;
  for (cell& c : world) s = s * 1664525u + 1013904223u, c = (s >> 24) < 90;
  cell *a, *b;
  unsigned* population;
  TRY(cudaMalloc(&a, nx * ny));
  TRY(cudaMalloc(&b, nx * ny));
  TRY(cudaMalloc(&population, generations * sizeof(unsigned)));
  TRY(cudaMemset(population, 0, generations * sizeof(unsigned)));
  TRY(cudaMemcpy(a, world.data(), nx * ny, cudaMemcpyHostToDevice));

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.gridDim = dim3(5);
  config.blockDim = dim3(16, 8);
  config.attrs = attribute;
  config.numAttrs = 1;
  int sms = 0, per_sm = 0;
  TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, life<16, 8>, 128, 0));
  if (sms * per_sm < 5) config.gridDim = dim3(sms * per_sm);
  TRY(cudaLaunchKernelEx(&config, life<16, 8>, a, b, nx, ny, generations, population));
  TRY(cudaDeviceSynchronize());
  std::vector<cell> cooperative(nx * ny), plain(nx * ny);
  std::vector<unsigned> counts(generations), expected(generations);
  TRY(cudaMemcpy(cooperative.data(), generations % 2 ? b : a, nx * ny, cudaMemcpyDeviceToHost));
  TRY(cudaMemcpy(counts.data(), population, generations * sizeof(unsigned), cudaMemcpyDeviceToHost));

  TRY(cudaMemcpy(a, world.data(), nx * ny, cudaMemcpyHostToDevice));
  TRY(cudaMemset(population, 0, generations * sizeof(unsigned)));
  for (int g = 0; g < generations; ++g) {
    life<32, 4><<<(nx / 32) * (ny / 4), dim3(32, 4)>>>(a, b, nx, ny, 1, population + g);
    std::swap(a, b);
  }
  TRY(cudaMemcpy(plain.data(), a, nx * ny, cudaMemcpyDeviceToHost));

  for (int g = 0; g < generations; ++g) {
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        int n = 0;
        for (int dy = ny - 1; dy <= ny + 1; ++dy)
          for (int dx = nx - 1; dx <= nx + 1; ++dx)
            if (dy != ny || dx != nx) n += world[(y + dy) % ny * nx + (x + dx) % nx];
        next[y * nx + x] = n == 3 || (n == 2 && world[y * nx + x]);
        expected[g] += next[y * nx + x];
      }
    world.swap(next);
  }
  const bool ok = cooperative == world && plain == world && counts == expected;
  std::printf("life: %u alive after %d generations (expected %u): %s\n", counts.back(), generations, expected.back(),
              ok ? "PASSED" : "FAILED");
  cudaFree(a), cudaFree(b), cudaFree(population);
  return ok ? 0 : 1;
}
