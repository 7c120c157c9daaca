// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX with labels and branches, and registers of every kind, compared with the same computation in C++.
#include <cstdint>
#include <cstring>

#include "../check.hpp"

// The steps of the Collatz sequence: a loop with two ways through its body.
__device__ uint32_t steps_by_ptx(uint32_t n) {
  uint32_t steps;
  asm("{\n"
      "  .reg .pred at_end, is_odd;\n"
      "  .reg .u32 value, bit;\n"
      "  mov.u32 %0, 0;\n"
      "  mov.u32 value, %1;\n"
      "LOOP:\n"
      "  setp.eq.u32 at_end, value, 1;\n"
      "  @at_end bra DONE;\n"
      "  and.b32 bit, value, 1;\n"
      "  setp.ne.u32 is_odd, bit, 0;\n"
      "  @!is_odd bra EVEN;\n"
      "  mad.lo.u32 value, value, 3, 1;\n"
      "  bra.uni NEXT;\n"
      "EVEN: shr.u32 value, value, 1;\n"
      "NEXT:\n"
      "  add.u32 %0, %0, 1;\n"
      "  bra LOOP;\n"
      "DONE:\n"
      "}"
      : "=r"(steps)
      : "r"(n));
  return steps;
}

static uint32_t steps_of(uint32_t n) {
  uint32_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

__global__ void count_steps(uint32_t* out) { out[threadIdx.x] = steps_by_ptx(threadIdx.x + 1); }

// A wait in the form of CUTLASS and CCCL, in each warp but the first. Labels in two blocks have one name; those in
// nested braces hide the outer ones.
__global__ void wait_for_flag(unsigned* flag, unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  if (warp == 0) {
    asm volatile("nanosleep.u32 100; st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(7u) : "memory");
  } else {
    asm volatile(
        "{ .reg .pred P1; .reg .b32 seen;\n"
        "LAB_WAIT: ld.acquire.gpu.global.u32 seen, [%1]; setp.eq.u32 P1, seen, 7;\n"
        "@P1 bra DONE; bra LAB_WAIT;\n"
        "DONE: mov.u32 %0, seen; }"
        : "=r"(out[threadIdx.x])
        : "l"(flag)
        : "memory");
  }
}

__global__ void branches(int* out) {
  int a = 1, b = 0, c = 5;
  asm volatile("bra END; mov.u32 %0, 9; END:" : "+r"(a));
  asm volatile("{ { bra END; add.u32 %0, %0, 1; END: add.u32 %0, %0, 10; } bra END; add.u32 %0, %0, 1; END: }"
               : "+r"(b));
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 3; @p bra HERE_%=; add.s32 %0, %0, 1; HERE_%=: add.s32 %0, %0, 20; }"
               : "+r"(c)
               : "r"(static_cast<int>(threadIdx.x)));
  int* mine = out + threadIdx.x * 3;
  mine[0] = a;
  mine[1] = b;
  mine[2] = c;
}

// A carry that a branch may skip, and a guarded store.
__global__ void guarded(uint32_t* out) {
  uint32_t low, high = 0;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; add.cc.u32 %0, 0xffffffff, 0; @p add.cc.u32 %0, 0xffffffff, 1;\n"
      "addc.u32 %1, 0, 5; @!p st.global.u32 [%3], 77; }"
      : "=r"(low), "=r"(high)
      : "r"(threadIdx.x % 2), "l"(out + 2 * 64 + threadIdx.x)
      : "memory");
  out[2 * threadIdx.x] = low;
  out[2 * threadIdx.x + 1] = high;
}

struct kinds {
  uint32_t bytes, sum, odd, pair;
  uint64_t wide;
  float x, w, product;
  double half;
};

__global__ void registers(kinds* out, const float* from) {
  kinds k;
  asm("{ .reg .b8 b<4>; .reg .u16 h; .reg .s16 g; cvt.u8.u32 b0, %1; cvt.u8.u32 b3, 0x1ff; cvt.u32.u8 %0, b0;\n"
      ".reg .u32 t; cvt.u32.u8 t, b3; shl.b32 t, t, 8; or.b32 %0, %0, t; }"
      : "=r"(k.bytes)
      : "r"(0x1234u));
  asm("{ .reg.u32 %%r<10>;\n .reg .pred %%p<2>; mov.u32 %%r9, 4; mov.u32 %%r0, 30; add.u32 %0, %%r9, %%r0;\n"
      "setp.eq.u32 %%p1|%%p0, %0, 35; selp.u32 %1, 1, 2, %%p0; }"
      : "=r"(k.sum), "=r"(k.odd));
  asm("{ .reg .b128 q; .reg .b64 low, high; mov.b128 q, {%1, %2}; mov.b128 {low, high}, q; mov.b64 %0, high; }"
      : "=l"(k.wide)
      : "l"(uint64_t{3}), "l"(uint64_t{0x123456789abcdef0}));
  asm("{ .reg .v4 .f32 v; ld.global.v4.f32 v, [%3]; add.f32 v.x, v.x, v.r; mov.f32 %0, v.x; mov.f32 %1, v.w;\n"
      "mul.f32 %2, v.y, v.b; }"
      : "=f"(k.x), "=f"(k.w), "=f"(k.product)
      : "l"(from));
  asm("{ .reg .f64 d; .reg .f16 a; .reg .f16x2 ab; cvt.f64.f32 d, %1; mul.f64 %0, d, 0d3fe0000000000000; }"
      : "=d"(k.half)
      : "f"(3.0f));
  asm("{ .reg .f16x2 ab; .reg .f16 a, b; mov.b32 ab, 0x40003c00; mov.b32 {a, b}, ab; mov.b32 %0, {b, a}; }"
      : "=r"(k.pair));
  *out = k;
}

template <class T>
static T* managed(size_t count) {
  T* memory = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&memory, count * sizeof(T)));
  memset(memory, 0, count * sizeof(T));
  return memory;
}

int main() {
  auto* words = managed<uint32_t>(512);
  count_steps<<<1, 77>>>(words);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (uint32_t i = 0; i < 77; ++i) expect_equal(words[i], steps_of(i + 1), "steps", i);
  auto* flags = managed<uint32_t>(97);
  wait_for_flag<<<1, 96>>>(flags, flags + 1);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (uint32_t i = 32; i < 96; ++i) expect_equal(flags[1 + i], 7u, "wait for a flag", i);
  auto* numbers = managed<int>(3 * 33);
  branches<<<1, 33>>>(numbers);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 33; ++i) {
    expect_equal(numbers[3 * i], 1, "branch over a statement", i);
    expect_equal(numbers[3 * i + 1], 10, "labels in nested braces", i);
    expect_equal(numbers[3 * i + 2], i > 3 ? 25 : 26, "conditional branch", i);
  }
  auto* sums = managed<uint32_t>(3 * 64);
  guarded<<<1, 64>>>(sums);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (uint32_t i = 0; i < 64; ++i) {
    expect_equal(sums[2 * i], i % 2 ? 0 : ~0u, "guarded sum", i);
    expect_equal(sums[2 * i + 1], i % 2 ? 6u : 5u, "guarded carry", i);
    expect_equal(sums[128 + i], i % 2 ? 0u : 77u, "guarded store", i);
  }
  auto* k = managed<kinds>(1);
  auto* from = managed<float>(4);
  for (int i = 0; i < 4; ++i) from[i] = static_cast<float>(i + 2);
  registers<<<1, 1>>>(k, from);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(k->bytes, 0xff34u, "8-bit registers");
  expect_equal(k->sum, 34u, "arrays of registers");
  expect_equal(k->odd, 1u, "arrays of predicates");
  expect_equal(k->wide, 0x123456789abcdef0u, "128 bits");
  expect_equal(k->pair, 0x3c004000u, "16-bit registers");
  expect_equal(k->x, 4.0f, "first of a vector");
  expect_equal(k->w, 5.0f, "last of a vector");
  expect_equal(k->product, 12.0f, "second and third of a vector");
  expect_equal(k->half, 1.5, "a double");
  return result();
}
