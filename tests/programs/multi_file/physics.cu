// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "particles.cuh"

__device__ int collisions = 0;
__constant__ float walls[2] = {0.0f, 1.0f};
static __device__ int calls = 0;  // main.cu has another variable with this name

__device__ bool bounce(particle& p) {
  atomicAdd(&calls, 1);
  if (p.position >= walls[0] && p.position <= walls[1]) return false;
  p.position = clamp_to(p.position, walls[0], walls[1]);
  p.velocity = -p.velocity;
  return true;
}

__global__ void push(particle* particles, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].velocity += by;
  if (i < half(n)) particles[i].velocity += by;
}

void set_walls(float low, float high) {
  const float both[2] = {low, high};
  cudaMemcpyToSymbol(walls, both, sizeof(both));
}
