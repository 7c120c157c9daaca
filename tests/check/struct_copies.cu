// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of structures: the implicit assignment is a memcpy, the last call of its kernel. test_races.py defines the
// comments.
#include <cstdio>

struct particle {
  float position[3];
  float velocity[3];
  int id;
};

struct outer {
  particle first;
  int4 second;
};

struct counted {
  double value;
  char text[20];
  counted& operator=(const counted&) = default;
};

// race: a a 32
__global__ void copy_int4(int4* to, const int4* from) {
  const int i = threadIdx.x % 32;
  to[i] = from[i];  // [a]
}

// race: a a 32
__global__ void copy_float4(float4* to, const float4* from) {
  const int i = threadIdx.x % 32;
  to[i] = from[i];  // [a]
}

// race: a a 32
__global__ void copy_particle(particle* to, const particle* from) {
  const int i = threadIdx.x % 32;
  to[i] = from[i];  // [a]
}

// race: a a 32
__global__ void copy_outer(outer* to, const outer* from) {
  const int i = threadIdx.x % 32;
  to[i] = from[i];  // [a]
}

// race: a a 32
__global__ void copy_counted(counted* to, const counted* from) {
  const int i = threadIdx.x % 32;
  to[i] = from[i];  // [a]
}

// race: a b 32
__global__ void copy_and_read(particle* to, const particle* from) {
  const int i = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    if (to[i].id != 0) to[i + 32].id = 1;  // [a]
  } else {
    to[i] = from[i];  // [b]
  }
}

// race: a a 32
__global__ void fill_by_memset(particle* to, const particle*) {
  memset(&to[threadIdx.x % 32], 0, sizeof(particle));  // [a]
}

// race: a a 32
__global__ void copy_by_memmove(particle* to, const particle* from) {
  memmove(&to[threadIdx.x % 32], &from[threadIdx.x], sizeof(particle));  // [a]
}

__global__ void copy_own(particle* to, const particle* from) { to[threadIdx.x] = from[threadIdx.x]; }

template <class T>
void run(void (*kernel)(T*, const T*)) {
  T *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 64 * sizeof(T));
  cudaMalloc(&to, 64 * sizeof(T));
  cudaMemset(from, 0, 64 * sizeof(T));
  cudaMemset(to, 0, 64 * sizeof(T));
  kernel<<<1, 64>>>(to, from);
  cudaDeviceSynchronize();
}

int main() {
  run(copy_int4);
  run(copy_float4);
  run(copy_particle);
  run(copy_outer);
  run(copy_counted);
  run(copy_and_read);
  run(fill_by_memset);
  run(copy_by_memmove);
  run(copy_own);
  std::puts(cudaGetErrorString(cudaGetLastError()));
}
