// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions: many threads of many blocks update few addresses, and the totals are known. Returned values are
// checked as a set: each old value is returned once.
#include <algorithm>

#include "check.hpp"

constexpr unsigned blocks = 37, threads = 96, all = blocks * threads;

struct totals {
  int add, sub, min_value, max_value, and_bits, or_bits, xor_bits, exchanged;
  unsigned uadd, usub, umin, umax, uand, uor, uxor, inc, dec;
  unsigned long long ladd, lmin, lmax, land, lor, lxor;
  long long smin, smax;
  float fadd;
  double dadd;
  float2 pair;
  float4 quad;
  unsigned cas;
  unsigned long long cas64;
  unsigned short cas16[4];
};

__device__ unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Uses the three scopes in turn; on the CPU they are equivalent.
#define EACH_SCOPE(name, i, ...) \
  ((i) % 3 == 0 ? name(__VA_ARGS__) : (i) % 3 == 1 ? name##_block(__VA_ARGS__) : name##_system(__VA_ARGS__))

__global__ void update(totals* t, unsigned* tickets, unsigned* wrapped, unsigned* down) {
  const unsigned i = thread();
  const int signed_value = static_cast<int>(i * 2654435761u);
  const unsigned long long wide = i * 0x9e3779b97f4a7c15ull;
  EACH_SCOPE(atomicAdd, i, &t->add, signed_value);
  EACH_SCOPE(atomicSub, i, &t->sub, signed_value);
  EACH_SCOPE(atomicMin, i, &t->min_value, signed_value);
  EACH_SCOPE(atomicMax, i, &t->max_value, signed_value);
  EACH_SCOPE(atomicAnd, i, &t->and_bits, ~(1 << i % 16));
  EACH_SCOPE(atomicOr, i, &t->or_bits, 1 << i % 30);
  EACH_SCOPE(atomicXor, i, &t->xor_bits, signed_value);
  tickets[i] = EACH_SCOPE(atomicAdd, i, &t->uadd, 1u);
  EACH_SCOPE(atomicSub, i, &t->usub, i);
  EACH_SCOPE(atomicMin, i, &t->umin, i * 2654435761u | 1u);
  EACH_SCOPE(atomicMax, i, &t->umax, i * 2654435761u);
  EACH_SCOPE(atomicAnd, i, &t->uand, ~(1u << i % 31));
  EACH_SCOPE(atomicOr, i, &t->uor, 1u << i % 31);
  EACH_SCOPE(atomicXor, i, &t->uxor, i * 2654435761u);
  wrapped[i] = EACH_SCOPE(atomicInc, i, &t->inc, 99u);
  down[i] = EACH_SCOPE(atomicDec, i, &t->dec, 49u);
  EACH_SCOPE(atomicAdd, i, &t->ladd, wide);
  EACH_SCOPE(atomicMin, i, &t->lmin, wide | 1);
  EACH_SCOPE(atomicMax, i, &t->lmax, wide);
  EACH_SCOPE(atomicAnd, i, &t->land, ~(1ull << i % 63));
  EACH_SCOPE(atomicOr, i, &t->lor, 1ull << i % 63);
  EACH_SCOPE(atomicXor, i, &t->lxor, wide);
  EACH_SCOPE(atomicMin, i, &t->smin, static_cast<long long>(wide));
  EACH_SCOPE(atomicMax, i, &t->smax, static_cast<long long>(wide));
  EACH_SCOPE(atomicAdd, i, &t->fadd, 0.5f);
  EACH_SCOPE(atomicAdd, i, &t->dadd, i + 0.25);
  EACH_SCOPE(atomicAdd, i, &t->pair, make_float2(1.0f, 2.0f));
  EACH_SCOPE(atomicAdd, i, &t->quad, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
}

// Sums by compare-and-swap of 16, 32 and 64 bits. The neighbours of 16-bit values must not change.
__global__ void swap_loops(totals* t) {
  const unsigned i = thread();
  unsigned seen = t->cas;
  for (unsigned before = ~seen; before != seen;) {
    before = seen;
    seen = EACH_SCOPE(atomicCAS, i, &t->cas, before, before + i);
  }
  unsigned long long seen64 = t->cas64;
  for (unsigned long long before = ~seen64; before != seen64;) {
    before = seen64;
    seen64 = EACH_SCOPE(atomicCAS, i, &t->cas64, before, before + 0x100000001ull);
  }
  unsigned short* cell = &t->cas16[i % 2 ? 1 : 2];
  unsigned short seen16 = *cell;
  for (unsigned short before = static_cast<unsigned short>(~seen16); before != seen16;) {
    before = seen16;
    seen16 = EACH_SCOPE(atomicCAS, i, cell, before, static_cast<unsigned short>(before + 1));
  }
}

// A chain of exchanges: every value is stored once and returned once, except the last.
__global__ void exchange(int* i32, unsigned* u32, unsigned long long* u64, float* f32, unsigned* seen) {
  const unsigned i = thread();
  atomicAdd(&seen[EACH_SCOPE(atomicExch, i, i32, static_cast<int>(i + 1))], 1u);
  atomicAdd(&seen[EACH_SCOPE(atomicExch, i, u32, i + 1)], 1u);
  atomicAdd(&seen[EACH_SCOPE(atomicExch, i, u64, i + 1ull)], 1u);
  atomicAdd(&seen[static_cast<unsigned>(EACH_SCOPE(atomicExch, i, f32, static_cast<float>(i + 1)))], 1u);
}

// Atomic functions on shared memory.
__global__ void histogram(const unsigned* values, unsigned* bins) {
  __shared__ unsigned mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[values[thread()] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static void test_updates() {
  check::managed<totals> memory(1);
  check::managed<unsigned> tickets(all), wrapped(all), down(all);
  totals& t = memory[0];
  t.min_value = INT32_MAX, t.max_value = INT32_MIN, t.and_bits = -1, t.uand = ~0u, t.land = ~0ull;
  t.umin = ~0u, t.lmin = ~0ull, t.smin = INT64_MAX, t.smax = INT64_MIN, t.dec = 1000;
  update<<<blocks, threads>>>(memory.data, tickets.data, wrapped.data, down.data);
  check::synchronize();

  totals w{};
  w.min_value = INT32_MAX, w.max_value = INT32_MIN, w.umin = ~0u, w.lmin = ~0ull, w.smin = INT64_MAX,
  w.smax = INT64_MIN;
  unsigned sum = 0, xored = 0;
  unsigned long long wide_sum = 0, wide_xor = 0;
  for (unsigned i = 0; i < all; ++i) {
    const unsigned v = i * 2654435761u;
    const unsigned long long wide = i * 0x9e3779b97f4a7c15ull;
    sum += v, xored ^= v, wide_sum += wide, wide_xor ^= wide;
    w.min_value = std::min(w.min_value, static_cast<int>(v)), w.max_value = std::max(w.max_value, static_cast<int>(v));
    w.umin = std::min(w.umin, v | 1), w.umax = std::max(w.umax, v);
    w.lmin = std::min(w.lmin, wide | 1), w.lmax = std::max(w.lmax, wide);
    w.smin = std::min(w.smin, static_cast<long long>(wide)), w.smax = std::max(w.smax, static_cast<long long>(wide));
  }
  check::equal("atomicAdd int", t.add, static_cast<int>(sum));
  check::equal("atomicSub int", t.sub, static_cast<int>(0u - sum));
  check::equal("atomicMin int", t.min_value, w.min_value);
  check::equal("atomicMax int", t.max_value, w.max_value);
  check::equal("atomicAnd int", t.and_bits, ~0xffff);
  check::equal("atomicOr int", t.or_bits, (1 << 30) - 1);
  check::equal("atomicXor int", t.xor_bits, static_cast<int>(xored));
  check::equal("atomicAdd unsigned", t.uadd, all);
  check::equal("atomicSub unsigned", t.usub, 0u - all * (all - 1) / 2);
  check::equal("atomicMin unsigned", t.umin, w.umin);
  check::equal("atomicMax unsigned", t.umax, w.umax);
  check::equal("atomicAnd unsigned", t.uand, 1u << 31);
  check::equal("atomicOr unsigned", t.uor, ~0u >> 1);
  check::equal("atomicXor unsigned", t.uxor, xored);
  check::equal("atomicAdd 64", t.ladd, wide_sum);
  check::equal("atomicMin 64", t.lmin, w.lmin);
  check::equal("atomicMax 64", t.lmax, w.lmax);
  check::equal("atomicAnd 64", t.land, 1ull << 63);
  check::equal("atomicOr 64", t.lor, ~0ull >> 1);
  check::equal("atomicXor 64", t.lxor, wide_xor);
  check::equal("atomicMin signed 64", t.smin, w.smin);
  check::equal("atomicMax signed 64", t.smax, w.smax);
  check::equal("atomicAdd float", t.fadd, all * 0.5f);
  check::equal("atomicAdd double", t.dadd, all * (all - 1) / 2 + all * 0.25);
  check::equal("atomicAdd float2", t.pair.x + 1e5f * t.pair.y, all + 1e5f * (2.0f * all));
  check::equal("atomicAdd float4", t.quad.x + t.quad.y - 2 * t.quad.z + t.quad.w, 1.0f * all);

  std::vector<unsigned> sorted(tickets.data, tickets.data + all);
  std::sort(sorted.begin(), sorted.end());
  for (unsigned i = 0; i < all; ++i) check::equal("ticket", sorted[i], i);

  std::vector<unsigned> times(100), times_down(50);
  for (unsigned i = 0; i < all; ++i) {
    if (wrapped[i] < 100) ++times[wrapped[i]];
    if (down[i] < 50) ++times_down[down[i]];
  }
  check::equal("atomicInc", t.inc, all % 100);
  for (unsigned v = 0; v < 100; ++v) check::equal("atomicInc returned", times[v], all / 100 + (v < all % 100), v);
  // The first call reads 1000, which is above the bound.
  check::equal("atomicDec first", static_cast<unsigned>(std::count(down.data, down.data + all, 1000u)), 1u);
  check::equal("atomicDec", t.dec, 49 - (all - 1) % 50);
  for (unsigned v = 0; v < 50; ++v)
    check::equal("atomicDec returned", times_down[v], (all - 1) / 50 + (49 - v < (all - 1) % 50), v);
}

static void test_swaps() {
  check::managed<totals> memory(1);
  swap_loops<<<blocks, threads>>>(memory.data);
  check::synchronize();
  check::equal("atomicCAS", memory[0].cas, all * (all - 1) / 2);
  check::equal("atomicCAS 64", memory[0].cas64, all * 0x100000001ull);
  check::equal<unsigned short>("atomicCAS 16", memory[0].cas16[0], 0);
  check::equal<unsigned short>("atomicCAS 16", memory[0].cas16[1], all / 2);
  check::equal<unsigned short>("atomicCAS 16", memory[0].cas16[2], all / 2);
  check::equal<unsigned short>("atomicCAS 16", memory[0].cas16[3], 0);

  check::managed<int> i32(1);
  check::managed<unsigned> u32(1), seen(all + 1);
  check::managed<unsigned long long> u64(1);
  check::managed<float> f32(1);
  exchange<<<blocks, threads>>>(i32.data, u32.data, u64.data, f32.data, seen.data);
  check::synchronize();
  ++seen[i32[0]], ++seen[u32[0]], ++seen[u64[0]], ++seen[static_cast<unsigned>(f32[0])];
  for (unsigned i = 0; i <= all; ++i) check::equal("atomicExch", seen[i], 4u, i);
}

static void test_shared() {
  std::vector<unsigned> values = check::integer_inputs<unsigned>(all);
  check::managed<unsigned> input(values), bins(16);
  histogram<<<blocks, threads>>>(input.data, bins.data);
  check::synchronize();
  for (unsigned bin = 0; bin < 16; ++bin) {
    const auto count = std::count_if(values.begin(), values.end(), [=](unsigned v) { return v % 16 == bin; });
    check::equal("histogram", bins[bin], static_cast<unsigned>(count), bin);
  }
}

int main() {
  test_updates();
  test_swaps();
  test_shared();
  return check::finish();
}
