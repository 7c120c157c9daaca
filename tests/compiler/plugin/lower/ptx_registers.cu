// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers that are wider than the types of loads, stores and conversions (PTX ISA 9.0, 9.4.1), and numbers as
// operands. The host extends and truncates the values independently. Special registers of the grid and of its memory.
#include <cstdint>
#include <cstring>
#include <vector>

#include "../check.hpp"

struct results {
  uint32_t unsigned_byte, signed_byte, bits_of_half;
  uint64_t single, signed_half, pair[2];
  uint32_t from_long;
  int32_t byte_of_word, converted_byte;
  float from_bits, from_word;
  uint8_t stored_byte[2];
  uint16_t stored_half;
  float stored_single;
  uint32_t selected, both, moved;
  uint64_t real;
};

__global__ void run(results* out, const uint64_t* in) {
  const unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
  results& r = out[i];
  const uint64_t* word = in + i;
  const auto low = static_cast<uint32_t>(*word);
  asm("ld.u8 %0, [%1];" : "=r"(r.unsigned_byte) : "l"(word));
  asm("ld.s8 %0, [%1];" : "=r"(r.signed_byte) : "l"(word));
  asm("ld.b16 %0, [%1];" : "=r"(r.bits_of_half) : "l"(word));
  asm("ld.f32 %0, [%1];" : "=l"(r.single) : "l"(word));
  asm("ld.s16 %0, [%1];" : "=l"(r.signed_half) : "l"(word));
  asm("ld.v2.s8 {%0, %1}, [%2];" : "=l"(r.pair[0]), "=l"(r.pair[1]) : "l"(word));
  asm("cvt.u32.u16 %0, %1;" : "=r"(r.from_long) : "l"(*word));
  asm("cvt.s32.s8 %0, %1;" : "=r"(r.byte_of_word) : "r"(low));
  asm("cvt.s8.s32 %0, %1;" : "=r"(r.converted_byte) : "r"(low));
  asm("cvt.rn.f32.u16 %0, %1;" : "=f"(r.from_word) : "r"(low));
  asm("cvt.rn.f32.s8 %0, %1;" : "=f"(r.from_bits) : "l"(*word));
  asm volatile("st.u8 [%0], %1;" ::"l"(&r.stored_byte[0]), "r"(low) : "memory");
  asm volatile("st.b8 [%0], %1;" ::"l"(&r.stored_byte[1]), "l"(*word >> 8) : "memory");
  asm volatile("st.b16 [%0], %1;" ::"l"(&r.stored_half), "l"(*word) : "memory");
  asm volatile("st.f32 [%0], %1;" ::"l"(&r.stored_single), "l"(*word) : "memory");
  asm("{ .reg .pred p; setp.lt.u32 p, %1, 7; selp.b32 %0, 3, 4, 1; @p selp.b32 %0, 3, 4, 0; }"
      : "=r"(r.selected)
      : "r"(i));
  asm("{ .reg .pred p, q; setp.lt.u32 p, %1, 7; and.pred q, p, 1; selp.u32 %0, 1, 0, q; }" : "=r"(r.both) : "r"(i));
  asm("{ .reg .pred p; mov.pred p, 0; selp.u32 %0, 1, 2, p; }" : "=r"(r.moved));
  asm("mov.b64 %0, 1.5;" : "=l"(r.real));
}

template <class T>
static T low_bytes(uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

static void check(const results& r, uint64_t word, unsigned i) {
  expect_equal(r.unsigned_byte, low_bytes<uint8_t>(word), "ld.u8", i);
  expect_equal(r.signed_byte, static_cast<uint32_t>(low_bytes<int8_t>(word)), "ld.s8", i);
  expect_equal(r.bits_of_half, low_bytes<uint16_t>(word), "ld.b16", i);
  expect_equal(r.single, low_bytes<uint32_t>(word), "ld.f32", i);
  expect_equal(r.signed_half, static_cast<uint64_t>(low_bytes<int16_t>(word)), "ld.s16", i);
  expect_equal(r.pair[0], static_cast<uint64_t>(low_bytes<int8_t>(word)), "ld.v2.s8 {x,", i);
  expect_equal(r.pair[1], static_cast<uint64_t>(low_bytes<int8_t>(word >> 8)), "ld.v2.s8 , y}", i);
  expect_equal(r.from_long, low_bytes<uint16_t>(word), "cvt.u32.u16", i);
  expect_equal(r.byte_of_word, low_bytes<int8_t>(word), "cvt.s32.s8", i);
  expect_equal(r.converted_byte, low_bytes<int8_t>(word), "cvt.s8.s32", i);
  expect_equal(r.from_word, low_bytes<uint16_t>(word), "cvt.rn.f32.u16", i);
  expect_equal(r.from_bits, low_bytes<int8_t>(word), "cvt.rn.f32.s8", i);
  expect_equal(r.stored_byte[0], low_bytes<uint8_t>(word), "st.u8", i);
  expect_equal(r.stored_byte[1], low_bytes<uint8_t>(word >> 8), "st.b8", i);
  expect_equal(r.stored_half, low_bytes<uint16_t>(word), "st.b16", i);
  expect_equal(std::memcmp(&r.stored_single, &word, sizeof(float)), 0, "st.f32", i);
  expect_equal(r.selected, i < 7 ? 4u : 3u, "selp by a number", i);
  expect_equal(r.both, i < 7 ? 1u : 0u, "and.pred", i);
  expect_equal(r.moved, 2u, "mov.pred", i);
  expect_equal(r.real, 0x3ff8000000000000ull, "mov.b64", i);
}

struct grid_facts {
  uint64_t grid, graph;
  uint32_t short_grid, dynamic_bytes, total_bytes, all_bytes, explicit_cluster;
};

template <unsigned Bytes>
__device__ void read_facts(grid_facts* out) {
  __shared__ volatile char own[Bytes];
  own[threadIdx.x] = 1;
  grid_facts f;
  asm("mov.u64 %0, %%gridid;" : "=l"(f.grid));
  asm("mov.u32 %0, %%gridid;" : "=r"(f.short_grid));
  asm("mov.u64 %0, %%current_graph_exec;" : "=l"(f.graph));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(f.dynamic_bytes));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(f.total_bytes));
  asm("mov.u32 %0, %%aggr_smem_size;" : "=r"(f.all_bytes));
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(f.explicit_cluster));
  out[blockIdx.x * blockDim.x + threadIdx.x] = f;
}
template <unsigned Bytes>
__global__ void facts(grid_facts* out) {
  read_facts<Bytes>(out);
}
__global__ void __cluster_dims__(1) facts_of_cluster(grid_facts* out) { read_facts<100>(out); }

// Registers by the definitions in PTX ISA 9.0: sizes are multiples of the unit of shared memory.
static void check_facts(void (*kernel)(grid_facts*), uint32_t own, uint32_t dynamic_bytes, bool is_explicit) {
  constexpr unsigned blocks = 3, threads = 37;
  static uint64_t last_grid = 0;
  int reserved = 0;
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
  grid_facts* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * threads * sizeof *out));
  kernel<<<blocks, threads, dynamic_bytes>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const grid_facts& f = out[i];
    expect_equal(f.grid, out[0].grid, "%gridid", i);
    expect_equal(f.short_grid, static_cast<uint32_t>(out[0].grid), "%gridid, short", i);
    expect_equal(f.graph, uint64_t{0}, "%current_graph_exec", i);
    expect_equal(f.dynamic_bytes, dynamic_bytes, "%dynamic_smem_size", i);
    expect_equal(f.total_bytes % 128, 0u, "unit of %total_smem_size", i);
    expect_equal((f.total_bytes - own - dynamic_bytes) / 128, 0u, "%total_smem_size", i);
    expect_equal((f.all_bytes - own - dynamic_bytes - static_cast<uint32_t>(reserved)) / 128, 0u, "%aggr_smem_size", i);
    expect_equal(f.explicit_cluster, is_explicit ? 1u : 0u, "%is_explicit_cluster", i);
  }
  expect_equal(out[0].grid > last_grid, true, "later grid", 0);
  last_grid = out[0].grid;
  cudaFree(out);
}

int main() {
  constexpr unsigned threads = 11 * 3;
  std::vector<uint64_t> words(threads);
  for (unsigned i = 0; i < threads; ++i) words[i] = 0x9e3779b97f4a7c15ull * (i + 1);
  results* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof *out));
  run<<<1, dim3(11, 3)>>>(out, copy_of(words));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < threads; ++i) check(out[i], words[i], i);
  check_facts(facts<40>, 40, 0, false);
  check_facts(facts<256>, 256, 1000, false);
  check_facts(facts<1001>, 1001, 12345, false);
  check_facts(facts_of_cluster, 100, 77, true);
  return result();
}
