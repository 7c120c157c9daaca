// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All-pairs gravity: positions pass through dynamic shared memory as float4, forces with rsqrtf; two integration steps
// against a double precision loop on the host.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

__constant__ float softeningSquared;

__device__ __forceinline__ float3 bodyBodyInteraction(float3 ai, const float4 bi, const float4 bj) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
  distSqr += softeningSquared;
  float invDist = rsqrtf(distSqr);
  float invDistCube = invDist * invDist * invDist;
  float s = bj.w * invDistCube;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__device__ float3 computeBodyAccel(float4 bodyPos, const float4* __restrict__ positions, int numTiles) {
  extern __shared__ float4 sharedPos[];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (unsigned int counter = 0; counter < blockDim.x; counter++)
      acc = bodyBodyInteraction(acc, bodyPos, sharedPos[counter]);
    __syncthreads();
  }
  return acc;
}

__global__ void integrateBodies(float4* __restrict__ newPos, const float4* __restrict__ oldPos, float4* vel,
                                unsigned int numBodies, float deltaTime, float damping, int numTiles) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  const bool live = index < static_cast<int>(numBodies);
  float4 position = live ? oldPos[index] : make_float4(0, 0, 0, 0);
  float3 accel = computeBodyAccel(position, oldPos, numTiles);
  if (!live) return;
  float4 velocity = vel[index];
  velocity.x = (velocity.x + accel.x * deltaTime) * damping;
  velocity.y = (velocity.y + accel.y * deltaTime) * damping;
  velocity.z = (velocity.z + accel.z * deltaTime) * damping;
  position.x += velocity.x * deltaTime;
  position.y += velocity.y * deltaTime;
  position.z += velocity.z * deltaTime;
  newPos[index] = position;
  vel[index] = velocity;
}

int main() {
  const unsigned n = 512, p = 128;
  const float dt = 0.01f, damping = 0.995f, softening = 0.05f;
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float4> pos(n), vel(n, make_float4(0, 0, 0, 0));
  for (float4& b : pos)
    b = make_float4(uniform(generator), uniform(generator), uniform(generator), 1.0f + 0.5f * uniform(generator));

  const float squared = softening * softening;
  cudaMemcpyToSymbol(softeningSquared, &squared, sizeof(float), 0, cudaMemcpyHostToDevice);
  float4 *d_pos[2], *d_vel;
  for (auto& d : d_pos) cudaMalloc(&d, n * sizeof(float4));
  cudaMalloc(&d_vel, n * sizeof(float4));
  cudaMemcpy(d_pos[0], pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(d_vel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  int current = 0;
  for (int step = 0; step < 2; ++step, current ^= 1) {
    integrateBodies<<<(n + p - 1) / p, p, p * sizeof(float4)>>>(d_pos[current ^ 1], d_pos[current], d_vel, n, dt,
                                                                damping, n / p);
  }
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::vector<float4> out(n);
  cudaMemcpy(out.data(), d_pos[current], n * sizeof(float4), cudaMemcpyDeviceToHost);

  std::vector<double> x(3 * n), v(3 * n, 0.0), m(n);
  for (unsigned i = 0; i < n; ++i)
    x[3 * i] = pos[i].x, x[3 * i + 1] = pos[i].y, x[3 * i + 2] = pos[i].z, m[i] = pos[i].w;
  for (int step = 0; step < 2; ++step) {
    std::vector<double> a(3 * n, 0.0);
    for (unsigned i = 0; i < n; ++i) {
      for (unsigned j = 0; j < n; ++j) {
        double r[3], d2 = static_cast<double>(squared);
        for (int k = 0; k < 3; ++k) r[k] = x[3 * j + k] - x[3 * i + k], d2 += r[k] * r[k];
        for (int k = 0; k < 3; ++k) a[3 * i + k] += m[j] * r[k] / (d2 * std::sqrt(d2));
      }
    }
    for (unsigned k = 0; k < 3 * n; ++k) v[k] = (v[k] + a[k] * dt) * damping, x[k] += v[k] * dt;
  }
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    worst = std::fmax(worst, std::fabs(out[i].x - x[3 * i]));
    worst = std::fmax(worst, std::fabs(out[i].y - x[3 * i + 1]));
    worst = std::fmax(worst, std::fabs(out[i].z - x[3 * i + 2]));
  }
  double moved = std::fabs(out[0].x - pos[0].x);
  cudaFree(d_pos[0]);
  cudaFree(d_pos[1]);
  cudaFree(d_vel);
  std::printf("nbody: worst error %.2e, body 0 moved %.2e\n", worst, moved);
  const bool ok = worst < 1e-3 && moved > 1e-4;
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
