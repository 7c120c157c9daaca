// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of gangs to members of structures: members of each size, one after another, at positions that follow the
// threads or not. Accesses in between touch the same bytes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "../check.hpp"

struct particle {
  float x, y, z;
  std::int16_t kind;
  std::uint8_t flags[3];
  bool alive;
  double mass;
  std::int64_t id;
};

constexpr int steps = 3;

__host__ __device__ void advance(particle& p, int step) {
  p.x += static_cast<float>(p.kind) * 0.5f;
  p.y = p.x * 2.0f - p.y;
  p.z = p.alive ? p.z + 1.0f : p.y;
  p.flags[step % 3] = static_cast<std::uint8_t>(p.flags[0] + p.flags[1] + p.id);
  p.alive = (p.flags[2] & 1) != 0;
  p.mass *= 1.5;
  p.id += p.kind;
}

// The words of a union: bytes that a later store changes again.
__host__ __device__ void overlap(std::uint8_t* object, std::uint32_t value) {
  *reinterpret_cast<std::uint32_t*>(object) = value;
  object[1] = static_cast<std::uint8_t>(value + 1);
  *reinterpret_cast<std::uint16_t*>(object + 2) = static_cast<std::uint16_t>(value * 3);
  const std::uint32_t all = *reinterpret_cast<std::uint32_t*>(object);
  object[4] = static_cast<std::uint8_t>(all >> 8);
  object[5] = static_cast<std::uint8_t>(all >> 16);
}

// Each thread has a position of its own, because `count` is not divisible by 7.
__host__ __device__ int place_of(int thread, int count, bool in_order) {
  return in_order ? thread : thread * 7 % count;
}

__global__ void move(const particle* from, particle* to, std::uint8_t* bytes, int count, bool in_order) {
  const int thread = static_cast<int>((blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  if (thread >= count) return;
  const int place = place_of(thread, count, in_order);
  particle mine = from[place];
  for (int step = 0; step < steps; ++step) {
    if ((thread + step) % 3 != 0) advance(mine, step);
  }
  if (thread % 5 == 4) {
    to[place].x = mine.x;
    to[place].flags[1] = mine.flags[1];
    to[place].id = mine.id;
  } else {
    to[place] = mine;
  }
  overlap(bytes + 8 * place, static_cast<std::uint32_t>(thread * 2654435761u));
}

template <class T>
T* at_end(int count, void*& allocation) {  // the last element ends where the allocation ends
  EXPECT_SUCCESS(cudaMallocManaged(&allocation, count * sizeof(T)));
  return static_cast<T*>(allocation);
}

void check_move(dim3 block, int count, bool in_order) {
  void *all_from, *all_to, *all_bytes;
  particle* from = at_end<particle>(count, all_from);
  particle* to = at_end<particle>(count, all_to);
  std::uint8_t* bytes = at_end<std::uint8_t>(8 * count, all_bytes);
  std::vector<particle> expected(count);
  std::vector<std::uint8_t> expected_bytes(8 * count, 0xaa);
  std::memset(static_cast<void*>(from), 0, count * sizeof(particle));
  std::memset(static_cast<void*>(to), 0, count * sizeof(particle));
  std::memset(bytes, 0xaa, 8 * count);
  for (int i = 0; i < count; ++i) {
    particle& p = from[i];
    p.x = static_cast<float>(i), p.y = 1.0f, p.z = static_cast<float>(-i), p.kind = static_cast<std::int16_t>(i % 100);
    for (int k = 0; k < 3; ++k) p.flags[k] = static_cast<std::uint8_t>(i * (k + 3));
    p.alive = i % 2 != 0, p.mass = i * 0.25, p.id = i * 1000;
  }
  const int threads = static_cast<int>(block.x * block.y);
  move<<<(count + threads - 1) / threads, block>>>(from, to, bytes, count, in_order);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int thread = 0; thread < count; ++thread) {
    const int place = place_of(thread, count, in_order);
    particle mine = from[place];
    for (int step = 0; step < steps; ++step) {
      if ((thread + step) % 3 != 0) advance(mine, step);
    }
    particle& p = expected[place];
    if (thread % 5 == 4) {
      p = {}, p.x = mine.x, p.flags[1] = mine.flags[1], p.id = mine.id;
    } else {
      p = mine;
    }
    overlap(&expected_bytes[8 * place], static_cast<std::uint32_t>(thread * 2654435761u));
  }
  for (int i = 0; i < count; ++i) {
    const particle &a = to[i], &b = expected[i];
    const bool equal = a.x == b.x && a.y == b.y && a.z == b.z && a.kind == b.kind && a.flags[0] == b.flags[0] &&
                       a.flags[1] == b.flags[1] && a.flags[2] == b.flags[2] && a.alive == b.alive && a.mass == b.mass &&
                       a.id == b.id;
    expect_equal(equal, true, in_order ? "structure in order" : "structure out of order", i);
    expect_equal(std::memcmp(&bytes[8 * i], &expected_bytes[8 * i], 8), 0, "overlapping parts", i);
  }
  for (void* allocation : {all_from, all_to, all_bytes}) EXPECT_SUCCESS(cudaFree(allocation));
}

int main() {
  for (const bool in_order : {true, false}) {
    check_move(dim3(128), 1024, in_order);  // all lanes, in rows of full gangs
    check_move(dim3(128), 1000, in_order);
    check_move(dim3(16, 16), 4096 / 8 + 1, in_order);
    check_move(dim3(100), 333, in_order);
    check_move(dim3(5, 7), 71, in_order);
  }
  return result();
}
