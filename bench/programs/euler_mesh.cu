// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread computes one cell, and reads the values of the neighbours.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 192, faces = problems::euler_mesh::faces;
constexpr float gamma = problems::euler_mesh::gamma;

struct cell {
  float density, energy;
  float3 momentum, velocity;
  float square, pressure, sound;
};

__device__ cell load_cell(const float* state, int i, int elements) {
  cell c;
  c.density = state[i];
  c.momentum = make_float3(state[elements + i], state[2 * elements + i], state[3 * elements + i]);
  c.energy = state[4 * elements + i];
  c.velocity = make_float3(c.momentum.x / c.density, c.momentum.y / c.density, c.momentum.z / c.density);
  c.square = c.velocity.x * c.velocity.x + c.velocity.y * c.velocity.y + c.velocity.z * c.velocity.z;
  c.pressure = (gamma - 1.0f) * (c.energy - 0.5f * c.density * c.square);
  c.sound = sqrtf(gamma * c.pressure / c.density);
  return c;
}

__global__ void find_steps(const float* volume, const float* state, float* length, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  const cell c = load_cell(state, i, elements);
  length[i] = 0.05f / (sqrtf(volume[i]) * (sqrtf(c.square) + c.sound));
}

// Returns the flow of one quantity through a face of a cell. Speeds are those along the normal of the face.
__device__ float flow(float mine, float other, float my_speed, float other_speed, float diffusion) {
  return diffusion * (mine - other) - 0.5f * (mine * my_speed + other * other_speed);
}

__global__ void find_fluxes(const int* neighbour, const float* normal, const float* state, float* flux, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  const cell me = load_cell(state, i, elements);
  float density = 0, energy = 0;
  float3 momentum = make_float3(0, 0, 0);
#pragma unroll
  for (int f = 0; f < faces; ++f) {
    const int other = neighbour[f * elements + i];
    const float nx = normal[(3 * f) * elements + i], ny = normal[(3 * f + 1) * elements + i];
    const float nz = normal[(3 * f + 2) * elements + i];
    if (other >= 0) {
      const cell you = load_cell(state, other, elements);
      const float area = sqrtf(nx * nx + ny * ny + nz * nz);
      const float diffusion = -0.1f * area * (sqrtf(me.square) + sqrtf(you.square) + me.sound + you.sound);
      const float mine = nx * me.velocity.x + ny * me.velocity.y + nz * me.velocity.z;
      const float yours = nx * you.velocity.x + ny * you.velocity.y + nz * you.velocity.z;
      const float push = 0.5f * (me.pressure + you.pressure);
      density += flow(me.density, you.density, mine, yours, diffusion);
      energy +=
          flow(me.energy, you.energy, mine, yours, diffusion) - 0.5f * (me.pressure * mine + you.pressure * yours);
      momentum.x += flow(me.momentum.x, you.momentum.x, mine, yours, diffusion) - push * nx;
      momentum.y += flow(me.momentum.y, you.momentum.y, mine, yours, diffusion) - push * ny;
      momentum.z += flow(me.momentum.z, you.momentum.z, mine, yours, diffusion) - push * nz;
    } else {  // beyond this face is a wall
      momentum.x -= me.pressure * nx;
      momentum.y -= me.pressure * ny;
      momentum.z -= me.pressure * nz;
    }
  }
  flux[i] = density;
  flux[elements + i] = momentum.x;
  flux[2 * elements + i] = momentum.y;
  flux[3 * elements + i] = momentum.z;
  flux[4 * elements + i] = energy;
}

__global__ void advance(float* state, const float* flux, const float* length, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  for (int v = 0; v < problems::euler_mesh::variables; ++v)
    state[v * elements + i] += length[i] * flux[v * elements + i];
}

}  // namespace

void euler_mesh(const problems::euler_mesh& p) {
  const int blocks = (p.elements + threads - 1) / threads;
  for (int s = 0; s < p.steps; ++s) {
    find_steps<<<blocks, threads>>>(p.volume, p.state, p.length, p.elements);
    find_fluxes<<<blocks, threads>>>(p.neighbour, p.normal, p.state, p.flux, p.elements);
    advance<<<blocks, threads>>>(p.state, p.flux, p.length, p.elements);
  }
  finish("euler_mesh");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
