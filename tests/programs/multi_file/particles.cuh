// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct particle {
  float position, velocity;
  __host__ __device__ void advance(float dt) { position += velocity * dt; }
};

// physics.cu defines these, main.cu uses them.
extern __device__ int collisions;
extern __constant__ float walls[2];
__device__ bool bounce(particle& p);
__global__ void push(particle* particles, int n, float by);

// An inline variable and an inline function, which every including file shares.
inline __device__ int half(int n) { return n / 2; }

template <class T>
__device__ T clamp_to(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

#ifdef __CUDA_ARCH__
inline __host__ __device__ int where_am_i() { return 2; }
#else
inline __host__ __device__ int where_am_i() { return 1; }
#endif

// host_part.cpp defines this; it contains no kernel.
bool check_particles(const particle* particles, int n, int steps, int collisions);
void set_walls(float low, float high);
