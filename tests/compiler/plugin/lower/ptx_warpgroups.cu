// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The moment at which wgmma executes: a group of products at its wait and not before, products with one accumulator in
// order, and each warp of several warpgroups separately. All elements are small integers, so sums are exact.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../check.hpp"

constexpr unsigned warpgroups = 2, threads = 128 * warpgroups;

// A descriptor of a matrix with rows of 32 bytes and no swizzle: 8 rows fill 256 bytes.
__device__ uint64_t matrix_at(const void* memory) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  return (address & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}

__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b, bool adds) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(static_cast<int>(adds)));
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int Left>
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}
__device__ void keep(float& value) { asm volatile("" : "+f"(value)::"memory"); }

// The bits of 0, 1, 2 or 3 in f16.
__device__ uint16_t half_of(unsigned value) {
  return value == 0 ? 0 : value == 1 ? 0x3c00 : value == 2 ? 0x4000 : 0x4200;
}

// Fills A with `a` and B with `b`: each element of the product is 16 a b.
__device__ void fill(uint16_t* memory, unsigned count, unsigned value) {
  for (unsigned i = threadIdx.x % 128; i < count; i += 128) memory[i] = half_of(value);
}

struct matrices {
  uint16_t a[64 * 16], b[8 * 16], other_b[8 * 16];
};

__global__ void run(float* out) {
  __shared__ alignas(128) matrices all[warpgroups];
  matrices& own = all[threadIdx.x / 128];
  fill(own.a, 64 * 16, 1 + threadIdx.x / 128);
  fill(own.b, 8 * 16, 1);
  fill(own.other_b, 8 * 16, 3);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t a = matrix_at(own.a), b = matrix_at(own.b), other = matrix_at(own.other_b);
  float d[4] = {1, 2, 3, 4}, e[4] = {5, 6, 7, 8}, f[4] = {0, 0, 0, 0};
  float* mine = out + threadIdx.x * 24;
  auto store = [&](int at, const float(&of)[4]) {
    for (int i = 0; i < 4; ++i) mine[at + i] = of[i];
  };
  fence();
  multiply(d, a, b, true);
  multiply(d, a, other, true);  // executed in program order
  commit();
  multiply(e, a, b, false);
  commit();
  store(0, d);  // before the wait: stores the old values
  for (float& each : d) keep(each);
  wait<1>();
  store(4, d);
  store(8, e);  // not executed yet
  __syncthreads();
  fill(own.b, 8 * 16, 2);  // too early: the second product reads the changed B
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  wait<0>();
  store(12, e);
  fence();
  for (int k = 0; k < 3; ++k) {  // accumulators stay in flight from one turn to the next
    multiply(f, a, k == 1 ? other : b, k != 0);
    commit();
    wait<1>();
    for (float& each : f) keep(each);
  }
  wait<0>();
  store(16, f);
  fence();
  multiply(f, a, b, true);  // belongs to no group
  wait<0>();
  store(20, f);
}

// Accumulators that an asm statement declares itself, and an accumulator in global memory.
__global__ void own_registers(float* out) {
  __shared__ alignas(128) matrices all[warpgroups];
  matrices& own = all[threadIdx.x / 128];
  fill(own.a, 64 * 16, 2);
  fill(own.b, 8 * 16, 1);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float sum;
  asm volatile(
      "{.reg .f32 d<4>; .reg .pred p; setp.ne.b32 p, 0, 0; mov.f32 d2, 1.0;\n"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, %1, %2, p, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
      "add.f32 %0, d0, d3;}"
      : "=f"(sum)
      : "l"(matrix_at(own.a)), "l"(matrix_at(own.b)));
  out[threadIdx.x] = sum;
  float* mine = out + threads + 4 * threadIdx.x;
  for (int i = 0; i < 4; ++i) mine[i] = 7;
  fence();
  multiply(*reinterpret_cast<float(*)[4]>(mine), matrix_at(own.a), matrix_at(own.b), true);
  commit();
  wait<0>();
}

int main() {
  std::vector<float> got(threads * 24);
  float* out = copy_of(got);
  run<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (unsigned thread = 0; thread < threads; ++thread) {
    const float a = thread < 128 ? 16 : 32;
    for (unsigned i = 0; i < 4; ++i) {
      const float* mine = got.data() + thread * 24 + i;
      const float d = static_cast<float>(i + 1);
      const long long index = thread * 4 + i;
      expect_equal(mine[0], d, "before the wait", index);
      expect_equal(mine[4], d + a * 1 + a * 3, "after the wait", index);
      expect_equal(mine[8], d + 4, "in the later group", index);
      expect_equal(mine[12], a * 2, "with the matrix that was overwritten", index);
      expect_equal(mine[16], a * (2 + 3 + 2), "in a loop", index);
      expect_equal(mine[20], a * (2 + 3 + 2), "without a group", index);
    }
  }
  cudaFree(out);
  got.resize(threads * 5);
  out = copy_of(got);
  own_registers<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (unsigned thread = 0; thread < threads; ++thread) {
    expect_equal(got[thread], 64.0F, "in registers of the assembly", thread);
    for (unsigned i = 0; i < 4; ++i) {
      expect_equal(got[threads + 4 * thread + i], 39.0F, "in global memory", thread * 4 + i);
    }
  }
  cudaFree(out);
  return result();
}
