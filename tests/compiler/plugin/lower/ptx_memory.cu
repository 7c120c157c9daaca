// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that reads and writes memory, compared with plain C++ on the host.
#include <cstdint>
#include <cstring>

#include "../check.hpp"

struct memory {
  uint8_t bytes[16];
  int8_t small;
  uint16_t half;
  alignas(16) uint32_t words[8];
  uint64_t large;
  float single;
  double number;
  uint32_t counter, highest, ring, bits, swapped;
  int32_t lowest;
  uint64_t wide;
  float total;
};

struct seen {
  uint32_t byte, half, volatile_word, vector[4], pair[2], offset, acquired, old_add, old_cas, old_exchange, old_max;
  int32_t sign;
  uint64_t large;
  float single;
  double number;
};

__global__ void access(memory* m, seen* out) {
  seen s = {};
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(s.byte) : "l"(&m->bytes[3]) : "memory");
  asm volatile("ld.s8 %0, [%1];" : "=r"(s.sign) : "l"(&m->small));
  asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=r"(s.half) : "l"(&m->half));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(s.volatile_word) : "l"(m->words) : "memory");
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(s.vector[0]), "=r"(s.vector[1]), "=r"(s.vector[2]), "=r"(s.vector[3])
               : "l"(m->words));
  asm volatile("ld.global.cg.v2.b32 {%0,%1}, [%2+8];" : "=r"(s.pair[0]), "=r"(s.pair[1]) : "l"(m->words));
  asm volatile("ld.b32 %0, [%1 + 16];" : "=r"(s.offset) : "l"(m->words));
  asm volatile("ld.u64 %0, [%1];" : "=l"(s.large) : "l"(&m->large));
  asm volatile("ld.f32 %0, [%1];" : "=f"(s.single) : "l"(&m->single));
  asm volatile("ld.relaxed.gpu.f64 %0, [%1];" : "=d"(s.number) : "l"(&m->number));

  asm volatile("st.release.sys.global.u8 [%1], %0;" ::"r"(0x1ffu), "l"(&m->bytes[0]) : "memory");
  asm volatile("ld.acquire.sys.global.u8 %0, [%1];" : "=r"(s.acquired) : "l"(&m->bytes[0]) : "memory");
  asm volatile("st.global.wb.u16 [%0+2], %1;" ::"l"(&m->bytes[0]), "h"(static_cast<uint16_t>(0xabcd)) : "memory");
  asm volatile("st.v2.u32 [%0], {%1, %2};" ::"l"(&m->words[6]), "r"(61u), "r"(71u) : "memory");
  asm volatile("st.volatile.f32 [%0], %1;" ::"l"(&m->single), "f"(2.5f) : "memory");
  asm volatile("st.u64 [%0], -2;" ::"l"(&m->large) : "memory");

  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(s.old_add) : "l"(&m->counter), "r"(5u) : "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(&m->counter), "r"(2u) : "memory");
  asm volatile("atom.acq_rel.sys.cas.b32 %0, [%1], %2, %3;" : "=r"(s.old_cas) : "l"(&m->swapped), "r"(9u), "r"(10u));
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(s.old_exchange) : "l"(&m->bits), "r"(6u) : "memory");
  asm volatile("red.or.b32 [%0], %1;" ::"l"(&m->bits), "r"(8u) : "memory");
  asm volatile("atom.max.u32 %0, [%1], %2;" : "=r"(s.old_max) : "l"(&m->highest), "r"(0xfffffff0u) : "memory");
  asm volatile("red.min.s32 [%0], %1;" ::"l"(&m->lowest), "r"(-3) : "memory");
  asm volatile("red.inc.u32 [%0], 3; red.inc.u32 [%0], 3;" ::"l"(&m->ring) : "memory");
  asm volatile("red.relaxed.cta.add.u64 [%0], %1;" ::"l"(&m->wide), "l"(uint64_t{1} << 40) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(&m->total), "f"(0.25f) : "memory");
  *out = s;
}

// Block 0 stores pairs of equal numbers, and the other blocks read them: 16 bytes are one access, so no pair is torn.
__global__ void pairs(uint64_t* pair, uint32_t* torn) {
  for (uint64_t i = 1; i <= 20000; ++i) {
    uint64_t first, second;
    if (blockIdx.x == 0) {
      asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" ::"l"(pair), "l"(i), "l"(i) : "memory");
    } else {
      asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(pair) : "memory");
      if (first != second) atomicAdd(torn, 1u);
    }
  }
}

static void test_pairs() {
  uint64_t* pair;
  uint32_t* torn;
  EXPECT_SUCCESS(cudaMallocManaged(&pair, 16));
  EXPECT_SUCCESS(cudaMallocManaged(&torn, 4));
  pair[0] = pair[1] = 0;
  *torn = 0;
  pairs<<<4, 1>>>(pair, torn);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*torn, 0u, "torn pairs");
  expect_equal(pair[0], uint64_t{20000}, "the last pair");
}

// Programs for GPUs without ld.relaxed poll with ld.cg: a load that the optimizer takes out of the loop never ends it.
__global__ void poll(uint32_t* flags) {
  uint32_t seen = 0;
  asm volatile("st.cg.u32 [%0], 1;" ::"l"(flags) : "memory");
  while (seen != 7) {
    asm volatile("ld.cg.u32 %0, [%1];" : "=r"(seen) : "l"(flags + 1) : "memory");
  }
}

static void test_poll() {
  uint32_t* flags;
  EXPECT_SUCCESS(cudaMallocManaged(&flags, 8));
  flags[0] = flags[1] = 0;
  poll<<<1, 1>>>(flags);
  volatile uint32_t* shared = flags;
  while (shared[0] != 1) {
  }
  shared[1] = 7;
  EXPECT_SUCCESS(cudaDeviceSynchronize());
}

int main() {
  memory* m;
  seen* s;
  EXPECT_SUCCESS(cudaMallocManaged(&m, sizeof *m));
  EXPECT_SUCCESS(cudaMallocManaged(&s, sizeof *s));
  for (unsigned i = 0; i < 16; ++i) m->bytes[i] = static_cast<uint8_t>(200 + i);
  for (unsigned i = 0; i < 8; ++i) m->words[i] = 1000 + i;
  m->small = -4, m->half = 60000, m->large = uint64_t{7} << 50, m->single = 1.5f, m->number = -0.125;
  m->counter = 40, m->highest = 3, m->ring = 3, m->bits = 5, m->swapped = 9, m->lowest = 4, m->wide = 1, m->total = 1;
  access<<<1, 1>>>(m, s);
  EXPECT_SUCCESS(cudaDeviceSynchronize());

  expect_equal(s->byte, 203u, "ld.u8", 0);
  expect_equal(s->sign, -4, "ld.s8", 0);
  expect_equal(s->half, 60000u, "ld.u16", 0);
  expect_equal(s->volatile_word, 1000u, "ld.volatile", 0);
  for (unsigned i = 0; i < 4; ++i) expect_equal(s->vector[i], 1000 + i, "ld.v4", i);
  for (unsigned i = 0; i < 2; ++i) expect_equal(s->pair[i], 1002 + i, "ld.v2 with an offset", i);
  expect_equal(s->offset, 1004u, "an offset", 0);
  expect_equal(s->large, uint64_t{7} << 50, "ld.u64", 0);
  expect_equal(s->single, 1.5f, "ld.f32", 0);
  expect_equal(s->number, -0.125, "ld.f64", 0);
  expect_equal(s->acquired, 0xffu, "st.release and ld.acquire of a byte", 0);

  uint16_t stored = 0;
  std::memcpy(&stored, &m->bytes[2], 2);
  expect_equal(stored, uint16_t{0xabcd}, "st.u16", 0);
  expect_equal(m->bytes[1], uint8_t{201}, "the byte behind a stored byte", 0);
  expect_equal(m->words[5], 1005u, "the word before st.v2", 0);
  expect_equal(m->words[6] * 100 + m->words[7], 6171u, "st.v2", 0);
  expect_equal(m->single, 2.5f, "st.f32", 0);
  expect_equal(m->large, ~uint64_t{1}, "st of a number", 0);

  expect_equal(s->old_add, 40u, "atom.add", 0);
  expect_equal(m->counter, 47u, "red.add", 0);
  expect_equal(s->old_cas * 100 + m->swapped, 910u, "atom.cas", 0);
  expect_equal(s->old_exchange, 5u, "atom.exch", 0);
  expect_equal(m->bits, 14u, "red.or", 0);
  expect_equal(s->old_max, 3u, "atom.max", 0);
  expect_equal(m->highest, 0xfffffff0u, "atom.max in memory", 0);
  expect_equal(m->lowest, -3, "red.min", 0);
  expect_equal(m->ring, 1u, "red.inc", 0);
  expect_equal(m->wide, (uint64_t{1} << 40) + 1, "red.add.u64", 0);
  expect_equal(m->total, 1.25f, "red.add.f32", 0);
  test_pairs();
  test_poll();
  return result();
}
