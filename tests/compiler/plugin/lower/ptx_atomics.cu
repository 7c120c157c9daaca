// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atom.add and red.add of 16-bit floats and their pairs: each sum against the host's, each order and scope, and
// concurrent additions of many threads, none of which may be lost.
#include <vector>

#include "../check.hpp"
#include "number_formats.hpp"

struct sums {
  uint16_t half, bfloat, old_half, old_bfloat;
  uint32_t halves, bfloats, old_halves, old_bfloats;
};

__global__ void add(sums* out, const uint16_t* numbers) {
  const uint16_t x = numbers[blockIdx.x], y = numbers[blockIdx.y];
  const uint32_t pair = y << 16 | x, added = x << 16 | x;
  sums& s = out[blockIdx.y * gridDim.x + blockIdx.x];
  s.half = s.bfloat = x;
  s.halves = s.bfloats = pair;
  asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(s.old_half) : "l"(&s.half), "h"(y) : "memory");
  asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;" : "=h"(s.old_bfloat) : "l"(&s.bfloat), "h"(y) : "memory");
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(s.old_halves) : "l"(&s.halves), "r"(added) : "memory");
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(s.old_bfloats) : "l"(&s.bfloats), "r"(added) : "memory");
}

// The bits of a NaN are unspecified: only that the result is a NaN is compared.
static void expect_sum(unsigned got, unsigned x, unsigned y, const format& type, const char* what, int at) {
  const long double sum = round_to(decode(x, type) + decode(y, type), type, 'n');
  if (std::isnan(sum)) {
    expect_equal(std::isnan(decode(got, type)), true, what, at);
  } else {
    expect_equal(got, encode(sum, type), what, at);
  }
}

static void test_sums() {
  // Edge values of halves and of bfloat16: zeros, denormals, ties, the largest numbers, infinities, NaN.
  std::vector<uint16_t> numbers = {0,      0x8000, 1,      0x8001, 0x03ff, 0x007f, 0x0080, 0x3c00, 0x3f80,
                                   0xbf80, 0x1000, 0x1001, 0x3b80, 0x3b81, 0x6800, 0x7bff, 0xfbff, 0x7c00,
                                   0xfc00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7e00, 0x7fff, 0x4248, 0xc049};
  for (unsigned i = 0; i < 40; ++i) numbers.push_back(static_cast<uint16_t>(i * 40503u + 977));
  const unsigned count = static_cast<unsigned>(numbers.size());
  uint16_t* in;
  sums* out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, count * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, count * count * sizeof *out));
  for (unsigned i = 0; i < count; ++i) in[i] = numbers[i];
  add<<<dim3(count, count), 1>>>(out, in);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < count * count; ++i) {
    const sums& s = out[i];
    const unsigned x = numbers[i % count], y = numbers[i / count];
    const int at = static_cast<int>(i);
    expect_equal(s.old_half, x, "the number before", at);
    expect_equal(s.old_bfloat, x, "the number before", at);
    expect_equal(s.old_halves, y << 16 | x, "the pair before", at);
    expect_equal(s.old_bfloats, y << 16 | x, "the pair before", at);
    expect_sum(s.half, x, y, f16, "f16", at);
    expect_sum(s.bfloat, x, y, bf16, "bf16", at);
    expect_sum(s.halves >> 16, x, y, f16, "f16x2, upper", at);
    expect_sum(s.halves & 0xffff, x, x, f16, "f16x2, lower", at);
    expect_sum(s.bfloats >> 16, x, y, bf16, "bf16x2, upper", at);
    expect_sum(s.bfloats & 0xffff, x, x, bf16, "bf16x2, lower", at);
  }
}

struct counters {
  uint32_t halves, bfloats;
  uint16_t half, bfloat, ordered, of_block[8];
};

#define ADD_ONE(words) asm volatile("red." words "add.noftz.f16 [%0], %1;" ::"l"(&c->ordered), "h"(one) : "memory");
#define FETCH_AND_ADD_ONE(words) \
  asm volatile("atom." words "add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(&c->ordered), "h"(one) : "memory");

// All sums are whole numbers that the format can represent.
__global__ void count(counters* c) {
  __shared__ uint16_t of_block;
  const uint16_t one = 0x3c00, bfloat_one = 0x3f80;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  asm volatile("red.global.add.noftz.f16 [%0], %1;" ::"l"(&c->half), "h"(one) : "memory");
  asm volatile("red.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(&c->halves), "r"(0xbc003c00u) : "memory");
  const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(&of_block));
  asm volatile("red.relaxed.cta.shared.add.noftz.f16 [%0], %1;" ::"r"(shared), "h"(one) : "memory");
  if (threadIdx.x < 16) {
    asm volatile("red.release.sys.global.add.noftz.bf16 [%0], %1;" ::"l"(&c->bfloat), "h"(bfloat_one) : "memory");
    asm volatile("red.add.noftz.bf16x2 [%0], %1;" ::"l"(&c->bfloats), "r"(0xbf803f80u) : "memory");
  }
  if (threadIdx.x == 0) {
    uint16_t old;
    ADD_ONE("")
    ADD_ONE("relaxed.cta.")
    FETCH_AND_ADD_ONE("acquire.gpu.global.")
    ADD_ONE("release.cluster.global.")
    FETCH_AND_ADD_ONE("acq_rel.sys.")
  }
  __syncthreads();
  if (threadIdx.x == 0) c->of_block[blockIdx.x] = of_block;
}

static void test_counts() {
  counters* c;
  EXPECT_SUCCESS(cudaMallocManaged(&c, sizeof *c));
  *c = {};
  count<<<8, 128>>>(c);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(c->half, encode(1024, f16), "red.f16");
  expect_equal(c->halves, static_cast<uint32_t>(encode(-1024, f16) << 16 | encode(1024, f16)), "red.f16x2");
  expect_equal(c->bfloat, encode(128, bf16), "red.bf16");
  expect_equal(c->bfloats, static_cast<uint32_t>(encode(-128, bf16) << 16 | encode(128, bf16)), "red.bf16x2");
  for (int i = 0; i < 8; ++i) expect_equal(c->of_block[i], encode(128, f16), "shared memory", i);
  expect_equal(c->ordered, encode(40, f16), "orders and scopes");
}

int main() {
  test_sums();
  test_counts();
  return result();
}
