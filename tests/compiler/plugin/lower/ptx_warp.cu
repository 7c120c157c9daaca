// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp as inline PTX, compared with a host model of the PTX ISA: shfl.sync with all clamps and
// segments, votes, matches, reductions, the elected lane; full masks, part masks, a partial last warp.
#include <cstdint>
#include <vector>

#include "../check.hpp"

constexpr unsigned threads = 72;  // the third warp has 8 lanes
constexpr unsigned words = 18;

__device__ uint32_t value_of(unsigned thread) { return thread * 2654435761u >> 7; }

enum mode { up, down, bfly, idx };

template <int Mode>
__device__ void shuffle(uint32_t value, uint32_t b, uint32_t c, uint32_t mask, uint32_t& result, uint32_t& in_range) {
#define SHUFFLE(name)                                                                                        \
  asm volatile("{\n .reg .pred p;\n shfl.sync." name ".b32 %0|p, %2, %3, %4, %5;\n selp.u32 %1, 1, 0, p;\n}" \
               : "=r"(result), "=r"(in_range)                                                                \
               : "r"(value), "r"(b), "r"(c), "r"(mask))
  if (Mode == up) SHUFFLE("up");
  if (Mode == down) SHUFFLE("down");
  if (Mode == bfly) SHUFFLE("bfly");
  if (Mode == idx) SHUFFLE("idx");
}

template <int Mode>
__global__ void shuffles(uint2* out, const uint2* arguments, int count) {
  for (int i = 0; i < count; ++i) {
    uint2 got;
    shuffle<Mode>(value_of(threadIdx.x), arguments[i].x, arguments[i].y, 0xffffffffu, got.x, got.y);
    out[i * threads + threadIdx.x] = got;
  }
}

__global__ void collectives(uint32_t* out) {
  const unsigned thread = threadIdx.x, lane = thread % 32;
  const uint32_t mask = lane % 2 ? 0xaaaaaaaau : 0x55555555u;  // each lane's mask names the lanes of its parity
  const uint32_t word = value_of(thread);
  const uint64_t pair = static_cast<uint64_t>(lane / 8) << 40;
  uint32_t* mine = out + thread * words;
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %3, 20;"
      " vote.sync.any.pred q, p, %4; selp.b32 %0, 1, 0, q;"
      " vote.sync.all.pred q, !p, %4; selp.b32 %1, 1, 0, q;"
      " vote.sync.uni.pred q, p, %4; selp.b32 %2, 1, 0, q; }"
      : "=r"(mine[0]), "=r"(mine[1]), "=r"(mine[2])
      : "r"(lane), "r"(mask));
  asm volatile("{.reg .pred p; setp.gt.s32 p, %1, -1; vote.sync.ballot.b32 %0, !p, %2;}"
               : "=r"(mine[3])
               : "r"(word << 3), "r"(mask));
  asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 3; vote.ballot.sync.b32 %0, p, 0xffffffff;}"
               : "=r"(mine[4])
               : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(mine[5]) : "r"(lane / 5), "r"(mask));
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(mine[6]) : "l"(pair), "r"(mask));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.u32 %1, 7, 9, p; }"
               : "=r"(mine[7]), "=r"(mine[8])
               : "r"(lane % 2), "r"(mask));
  asm volatile("match.all.sync.b64 %0, %1, %2;" : "=r"(mine[9]) : "l"(pair), "r"(mask));
  asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(mine[10]) : "r"(word), "r"(mask));
  asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(mine[11]) : "r"(word << 3), "r"(mask));
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(mine[12]) : "r"(word << 3), "r"(mask));
  asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(mine[13]) : "r"(word | 0xff00u), "r"(mask));
  asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(mine[14]) : "r"(word), "r"(mask));
  asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(mine[15]) : "r"(word), "r"(mask));
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(mine[16]), "=r"(mine[17])
               : "r"(mask));
  asm volatile("bar.warp.sync 0xffffffff;");
}

static uint32_t host_value(unsigned thread) { return thread * 2654435761u >> 7; }

// The rule for shuffles in the PTX ISA, over signed numbers.
static uint2 host_shuffle(int mode, int thread, uint32_t b, uint32_t c) {
  const int lane = thread % 32, bound = b & 31, segment = c >> 8 & 31, clamp = c & 31;
  const int last = (lane & segment) | (clamp & ~segment & 31), first = lane & segment;
  int from = mode == up ? lane - bound : mode == down ? lane + bound : mode == bfly ? lane ^ bound : 0;
  from = mode == idx ? first | (bound & ~segment & 31) : from;
  const bool in_range = mode == up ? from >= last : from <= last;
  const int source = thread / 32 * 32 + (in_range ? from : lane);
  return {source < static_cast<int>(threads) ? host_value(source) : 0, in_range};  // a missing source lane yields 0
}

template <int Mode>
void test_shuffles(uint2* out, const uint2* arguments, int count) {
  shuffles<Mode><<<1, threads>>>(out, arguments, count);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      const uint2 wanted = host_shuffle(Mode, thread, arguments[i].x, arguments[i].y);
      expect_equal(out[i * threads + thread].x, wanted.x, "shfl.sync", Mode * 1000000 + i * threads + thread);
      expect_equal(out[i * threads + thread].y, wanted.y, "shfl.sync's predicate",
                   Mode * 1000000 + i * threads + thread);
    }
  }
}

static void test_collectives(const uint32_t* out) {
  for (unsigned thread = 0; thread < threads; ++thread) {
    const unsigned warp = thread / 32, lane = thread % 32, lanes = warp == 2 ? 8 : 32;
    uint32_t mask = 0, below = 0, negative = 0, fives = 0, pairs = 0, sum = 0, ors = 0, xors = 0, ands = ~0u,
             highest = 0;
    int32_t lowest = INT32_MAX;
    for (unsigned other = lane % 2; other < lanes; other += 2) {
      const uint32_t word = host_value(warp * 32 + other);
      mask |= 1u << other;
      below |= (other < 20u) << other;
      negative |= (word << 3 >> 31) << other;
      fives |= (other / 5 == lane / 5 ? 1u : 0u) << other;
      pairs |= (other / 8 == lane / 8 ? 1u : 0u) << other;
      sum += word, ors |= word, xors ^= word, ands &= word | 0xff00u;
      highest = word << 3 > highest ? word << 3 : highest;
      lowest = static_cast<int32_t>(word << 3) < lowest ? static_cast<int32_t>(word << 3) : lowest;
    }
    const uint32_t all = lanes == 32 ? ~0u : 0xffu;
    const uint32_t wanted[words] = {below != 0,
                                    below == 0,
                                    below == 0 || below == mask,
                                    negative,
                                    all & ~8u,
                                    fives,
                                    pairs,
                                    mask,
                                    7,
                                    pairs == mask ? mask : 0,
                                    sum,
                                    static_cast<uint32_t>(lowest),
                                    highest,
                                    ands,
                                    ors,
                                    xors,
                                    lane % 2,
                                    lane < 2};
    for (unsigned i = 0; i < words; ++i)
      expect_equal(out[thread * words + i], wanted[i], "collective", thread * 100 + i);
  }
}

int main() {
  std::vector<uint2> all;
  for (unsigned segment : {0u, 16u, 24u, 30u, 31u, 5u}) {
    for (unsigned clamp : {0u, 1u, 7u, 15u, 31u}) {
      for (unsigned b : {0u, 1u, 2u, 5u, 16u, 31u, 33u}) all.push_back({b, segment << 8 | clamp});
    }
  }
  uint2 *arguments, *out;
  uint32_t* results;
  EXPECT_SUCCESS(cudaMallocManaged(&arguments, all.size() * sizeof(uint2)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, all.size() * threads * sizeof(uint2)));
  EXPECT_SUCCESS(cudaMallocManaged(&results, threads * words * sizeof(uint32_t)));
  for (size_t i = 0; i < all.size(); ++i) arguments[i] = all[i];
  const int count = static_cast<int>(all.size());
  test_shuffles<up>(out, arguments, count);
  test_shuffles<down>(out, arguments, count);
  test_shuffles<bfly>(out, arguments, count);
  test_shuffles<idx>(out, arguments, count);
  collectives<<<1, threads>>>(results);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  test_collectives(results);
  return result();
}
