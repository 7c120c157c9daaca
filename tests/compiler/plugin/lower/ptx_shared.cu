// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX on shared memory by 32-bit addresses, and the asynchronous copies into it. The blocks of a grid have
// different shared memory, so that an address of another block shows.
#include <cstdint>

#include "../check.hpp"

constexpr int threads = 64;
constexpr int blocks = 5;

__device__ uint32_t short_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ uint32_t short_address_by_ptx(const void* p) {
  uint32_t address;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(address) : "l"(p));
  return address;
}

__host__ __device__ int value_of(int block, int thread) { return block * 1000 + thread; }

__global__ void access(int* out) {
  __shared__ alignas(16) int fixed[threads * 4];
  __shared__ int total;
  extern __shared__ int dynamic[];
  const int i = threadIdx.x;
  const int value = value_of(blockIdx.x, i);
  if (i == 0) total = 0;
  __syncthreads();
  const uint32_t at = short_address(fixed) + i * 16;
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(value), "r"(-1), "r"(value + 2), "r"(7));
  asm volatile("st.shared::cta.u32 [%0+4], %1;" ::"r"(short_address_by_ptx(&fixed[i * 4])), "r"(value + 1));
  asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(short_address(dynamic + i)), "r"(value + 3));
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(short_address(&total)), "r"(i));
  __syncthreads();
  int read, old, sum = 0;
  const int other = threads - 1 - i;
  for (int k = 0; k < 3; ++k) {
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(read) : "r"(short_address(fixed) + (other * 4 + k) * 4));
    sum += read;
  }
  sum += *static_cast<int*>(__cvta_shared_to_generic(short_address(dynamic + other)));
  __syncthreads();
  asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(old) : "r"(short_address(dynamic + i)), "r"(sum));
  out[blockIdx.x * threads + i] = dynamic[i] + (old - value) + total;
}

static void test_accesses() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * threads * sizeof(int)));
  access<<<blocks, threads, threads * sizeof(int)>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < threads; ++i) {
      const int other = value_of(b, threads - 1 - i);
      expect_equal(out[b * threads + i], 4 * other + 6 + 3 + threads * (threads - 1) / 2, "access", b * threads + i);
    }
  }
}

// Four copies of 16 bytes: full, 8 bytes and zeros, only zeros, none by a predicate. The second stage has one more.
__global__ void copies(const int* from, int* out) {
  __shared__ alignas(16) int tile[threads][20];
  int(&mine)[20] = tile[threadIdx.x];
  for (int& word : mine) word = -5;
  const uint32_t to = short_address(mine);
  const int* source = from + threadIdx.x * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(to), "l"(source), "n"(16) : "memory");
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to + 16), "l"(source), "r"(8));
  asm volatile("cp.async.cg.shared::cta.global [%0], [%1], 16, %2;" ::"r"(to + 32),
               "l"(static_cast<const int*>(nullptr)), "r"(0));
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; cp.async.ca.shared.global [%0+48], [%1], 16, p; }" ::"r"(to),
               "l"(source), "r"(1));
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(__cvta_generic_to_shared(mine + 16)), "l"(source + 1));
  asm volatile("cp.async.commit_group;\n");
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1) : "memory");
  int* result = out + threadIdx.x * 22;
  result[20] = mine[16];  // copies of the second stage, not yet awaited
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to + 72), "l"(source + 2) : "memory");
  result[21] = mine[18];
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 20; ++i) result[i] = mine[i];
}

__global__ void aligned_copies(const int* from, int* out) {
  __shared__ alignas(16) int tile[8];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(short_address(tile) + 4), "l"(from) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  *out = tile[1];
}

static void test_copies() {
  int *from, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&from, threads * 4 * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * 22 * sizeof(int)));
  for (int i = 0; i < threads * 4; ++i) from[i] = 100 + i;
  copies<<<1, threads>>>(from, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < threads; ++t) {
    const int a = 100 + t * 4;
    const int wanted[22] = {a, a + 1, a + 2, a + 3, a, a + 1, 0,  0,     0,     0,  0,
                            0, 0,     0,     0,     0, a + 1, -5, a + 2, a + 3, -5, -5};
    for (int i = 0; i < 22; ++i) expect_equal(out[t * 22 + i], wanted[i], "copies", t * 22 + i);
  }
}

int main() {
  test_accesses();
  test_copies();
  int* words;
  EXPECT_SUCCESS(cudaMallocManaged(&words, 64));
  aligned_copies<<<1, 1>>>(words, words + 8);
  expect_equal(cudaDeviceSynchronize(), cudaErrorMisalignedAddress, "a misaligned copy");
  return result();
}
