// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several translation units: device functions, __device__ and __constant__ variables and kernels of another file,
// internal names that several files define, and a host file in plain C++.
#include <cstdio>
#include <vector>

#include "particles.cuh"

static __device__ int calls = 100;

__global__ void move(particle* particles, int n, int steps, int* sides) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) sides[0] = where_am_i();
  if (i >= n) return;
  particle p = particles[i];
  for (int s = 0; s < steps; ++s) {
    p.advance(0.25f);
    if (bounce(p)) atomicAdd(&collisions, 1);
  }
  particles[i] = p;
  atomicAdd(&calls, 1);
  if (clamp_to(static_cast<float>(i), walls[0], walls[1]) == walls[1]) atomicExch(&sides[1], 1);
}

int main() {
  const int n = 100, steps = 40;
  std::vector<particle> particles(n);
  for (int i = 0; i < n; ++i) particles[i] = {static_cast<float>(i % 8), 0.0f};
  particle* d_particles;
  int *d_sides, sides[2], collided = 0, own_calls = 0;
  if (cudaMalloc(&d_particles, n * sizeof(particle)) || cudaMalloc(&d_sides, sizeof(sides))) return 1;
  cudaMemset(d_sides, 0, sizeof(sides));
  cudaMemcpy(d_particles, particles.data(), n * sizeof(particle), cudaMemcpyHostToDevice);
  set_walls(0.0f, 8.0f);
  push<<<4, 32>>>(d_particles, n, 1.0f);
  move<<<2, 64>>>(d_particles, n, steps, d_sides);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(particles.data(), d_particles, n * sizeof(particle), cudaMemcpyDeviceToHost);
  cudaMemcpy(sides, d_sides, sizeof(sides), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&collided, collisions, sizeof(int));
  cudaMemcpyFromSymbol(&own_calls, calls, sizeof(int));
  cudaFree(d_particles);
  cudaFree(d_sides);
  const bool ok = check_particles(particles.data(), n, steps, collided) && where_am_i() == 1 && sides[0] == 2 &&
                  sides[1] == 1 && own_calls == 100 + n;
  std::printf("%d collisions, side %d on the host and %d on the device: %s\n", collided, where_am_i(), sides[0],
              ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
