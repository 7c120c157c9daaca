// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block for each cell, a thread for each of its particles; the particles of one neighbour at a time are in shared
// memory.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int per_cell = problems::particles::per_cell;

__global__ void add_forces(const float4* position, float4* force, int side) {
  __shared__ float4 others[per_cell];
  const int t = threadIdx.x, x = blockIdx.x, y = blockIdx.y, z = blockIdx.z;
  const int home = ((z * side + y) * side + x) * per_cell + t;
  const float4 me = position[home];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int nz = max(z - 1, 0); nz <= min(z + 1, side - 1); ++nz) {
    for (int ny = max(y - 1, 0); ny <= min(y + 1, side - 1); ++ny) {
      for (int nx = max(x - 1, 0); nx <= min(x + 1, side - 1); ++nx) {
        others[t] = position[((nz * side + ny) * side + nx) * per_cell + t];
        __syncthreads();
        for (int k = 0; k < per_cell; ++k) {
          const float4 other = others[k];
          const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
          const float square = dx * dx + dy * dy + dz * dz;
          if (square < 1.0f) {
            const float near = other.w / (square + 0.05f), pull = near * (1.0f - square);
            sum.x += pull * dx;
            sum.y += pull * dy;
            sum.z += pull * dz;
            sum.w += near;
          }
        }
        __syncthreads();
      }
    }
  }
  force[home] = sum;
}

}  // namespace

void particles(const problems::particles& p) {
  const unsigned side = p.side;
  add_forces<<<dim3(side, side, side), per_cell>>>(reinterpret_cast<const float4*>(p.position),
                                                   reinterpret_cast<float4*>(p.force), p.side);
  finish("particles");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
