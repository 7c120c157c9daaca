// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of warps in gangs: full masks, partial warps, returned lanes, tiles, masks made at the same point. The
// last kernels have masks that the compiler cannot prove and keep a stack for each thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <functional>
#include <vector>

#include "../check.hpp"

namespace cg = cooperative_groups;

__device__ unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

struct weigh {  // neither associative nor commutative
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * 3 + b + 1; }
};

__global__ void intrinsics(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned rank = rank_in_block(), lane = rank % 32;
  if (rank >= n) return;
  const unsigned v = in[rank];
  unsigned* o = out + 16 * rank;
  o[0] = __shfl_sync(~0u, v, v >> 3);
  o[1] = __shfl_up_sync(~0u, v, 3, 8);
  o[2] = __shfl_down_sync(~0u, v, v % 5);
  o[3] = __shfl_xor_sync(~0u, v, 16);
  o[4] = __ballot_sync(~0u, v & 1);
  o[5] = __any_sync(~0u, v % 64 == 0) * 2 + __all_sync(~0u, v % 64 != 1);
  o[6] = __match_any_sync(~0u, v % 3);
  o[7] = __reduce_add_sync(~0u, v) ^ __reduce_max_sync(~0u, v);
  const unsigned long long wide = __shfl_sync(~0u, v * 0x100000001ull, 31 - lane);
  o[8] = static_cast<unsigned>(wide >> 32) + static_cast<unsigned>(wide) * 3;
  o[9] = __match_any_sync(~0u, static_cast<unsigned long long>(v % 4) << 32);
  o[10] = __shfl_sync(~0u, v, 1);
  __syncwarp();
  o[11] = __activemask();
}

template <unsigned Size>
__global__ void tiles(const unsigned* in, unsigned* out) {
  const unsigned rank = rank_in_block();
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned v = in[rank];
  unsigned* o = out + 16 * rank;
  o[0] = tile.shfl(v, v % Size);
  o[1] = tile.shfl_down(v, 1) + tile.shfl_up(v, 2) * 3 + tile.shfl_xor(v, Size / 2) * 5;
  o[2] = tile.ballot(v & 1) + 64 * tile.any(v % 16 == 0) + 128 * tile.all(v % 16 != 0);
  o[3] = tile.match_any(v % 3);
  o[4] = cg::reduce(tile, v, cg::plus<unsigned>());
  o[5] = cg::reduce(tile, v, weigh());
  o[6] = cg::inclusive_scan(tile, v, cg::plus<unsigned>());
  o[7] = cg::exclusive_scan(tile, v, cg::plus<unsigned>());
  o[8] = cg::inclusive_scan(tile, v, weigh());
  const float sum = cg::reduce(tile, v * 0.37f, cg::plus<float>());
  o[9] = __builtin_bit_cast(unsigned, sum);
  const double scan = cg::exclusive_scan(tile, v * 0.37, cg::plus<double>());
  o[10] = static_cast<unsigned>(__builtin_bit_cast(unsigned long long, scan) % 1000003);
  tile.sync();
}

// Masks that are made where they are used.
__global__ void groups(const unsigned* in, unsigned* out) {
  const unsigned rank = rank_in_block();
  const unsigned v = in[rank];
  unsigned* o = out + 16 * rank;
  const unsigned odd = __ballot_sync(~0u, v & 1);
  if (v & 1) o[0] = __shfl_sync(odd, v, __ffs(odd) - 1);
  if (v % 5 < 3) {
    const auto group = cg::coalesced_threads();
    o[1] = group.size() * 64 + group.thread_rank();
    o[2] = group.shfl(v, static_cast<int>(v));
    o[3] = cg::reduce(group, v, weigh());
    const auto label = cg::labeled_partition(group, v % 4);
    o[4] = label.meta_group_rank() * 1000 + label.size();
    o[5] = cg::inclusive_scan(label, v, cg::plus<unsigned>());
    const auto half = cg::binary_partition(group, v % 2 == 0);
    o[6] = cg::reduce(half, v, weigh()) + half.shfl(v, 0);
    if (v % 7 == 0) o[7] = __activemask();
  }
  for (unsigned turn = 0; turn < v % 4; ++turn) o[8] = o[8] * 33 + __popc(__activemask());
}

// Lanes that leave the loop return, so the mask needs only the lanes that stay.
__global__ void leaves(const unsigned* in, unsigned* out) {
  const unsigned rank = rank_in_block();
  unsigned v = in[rank];
  for (unsigned turn = 0; turn < 1 + in[rank] % 9; ++turn) v += __popc(__ballot_sync(~0u, v & 1)) + turn;
  out[16 * rank] = v;
}

// The sum of a block: warps, then the first warp.
__global__ void first_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[32];
  const unsigned rank = rank_in_block(), threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned sum = __reduce_add_sync(~0u, in[rank]);
  if (rank % 32 == 0) sums[rank / 32] = sum;
  __syncthreads();
  if (rank < 32) {
    sum = rank < (threads + 31) / 32 ? sums[rank] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (rank == 0) out[0] = sum;
  }
}

// Two calls of one shuffle, in both arms of a branch.
__global__ void arms(const unsigned* in, unsigned* out) {
  const unsigned rank = rank_in_block();
  if (in[rank] & 1) {
    out[16 * rank] = __shfl_sync(~0u, in[rank], 3);
  } else {
    out[16 * rank] = __shfl_sync(~0u, in[rank], 5);
  }
}

// A mask that is loaded from memory.
__global__ void loaded(const unsigned* in, const unsigned* masks, unsigned* out) {
  const unsigned rank = rank_in_block();
  out[16 * rank] = __reduce_add_sync(masks[rank % 32], in[rank]);
}

unsigned* in;
unsigned* out;
unsigned* masks;

using values = std::vector<unsigned>;
template <class T>
T tree(std::vector<T> all, const std::function<T(T, T)>& op) {
  for (; all.size() > 1;) {
    std::vector<T> pairs;
    for (size_t i = 0; i + 1 < all.size(); i += 2) pairs.push_back(op(all[i], all[i + 1]));
    if (all.size() % 2) pairs.push_back(all.back());
    all = pairs;
  }
  return all[0];
}
// Doubles the length of runs: the second half of a run takes the last value of the first.
template <class T>
std::vector<T> scan(std::vector<T> all, const std::function<T(T, T)>& op) {
  for (size_t run = 1; run < all.size(); run *= 2) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (i & run) all[i] = op(all[i / run * run - 1], all[i]);
    }
  }
  return all;
}

// Threads `first` to `end` are the lanes of a warp, of which `lanes` take part.
struct model_warp {
  unsigned first, lanes;
  unsigned value(unsigned lane) const { return lanes >> lane & 1 ? in[first + lane] : 0; }
  unsigned where(const std::function<bool(unsigned)>& is) const {
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane) result |= unsigned(lanes >> lane & 1 && is(in[first + lane])) << lane;
    return result;
  }
  values of(unsigned some) const {
    values result;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (some >> lane & 1) result.push_back(in[first + lane]);
    }
    return result;
  }
};
unsigned rank_in(unsigned lanes, unsigned lane) {
  return static_cast<unsigned>(__builtin_popcount(lanes & ((1u << lane) - 1)));
}
unsigned lane_in(unsigned lanes, unsigned rank) {
  for (; rank > 0; --rank) lanes &= lanes - 1;
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

template <class Body>
void for_each_lane(unsigned threads, unsigned n, Body body) {
  for (unsigned rank = 0; rank < threads && rank < n; ++rank) {
    const unsigned first = rank / 32 * 32, left = (n < threads ? n : threads) - first;
    body(model_warp{first, left < 32 ? (1u << left) - 1 : ~0u}, rank - first, out + 16 * rank);
  }
}

const std::function<unsigned(unsigned, unsigned)> add = [](unsigned a, unsigned b) { return a + b; };
const std::function<unsigned(unsigned, unsigned)> weighed = weigh();

void check_intrinsics(dim3 block, unsigned threads, unsigned n) {
  intrinsics<<<1, block>>>(in, out, n);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, n, [&](const model_warp& w, unsigned lane, const unsigned* o) {
    const unsigned v = w.value(lane);
    unsigned sum = 0, most = 0;
    for (unsigned x : w.of(w.lanes)) sum += x, most = x > most ? x : most;
    expect_equal(o[0], w.value(v >> 3 & 31), "shfl", lane);
    expect_equal(o[1], w.value(lane % 8 >= 3 ? lane - 3 : lane), "up", lane);
    expect_equal(o[2], w.value(lane + v % 5 < 32 ? lane + v % 5 : lane), "down", lane);
    expect_equal(o[3], w.value(lane ^ 16), "xor", lane);
    expect_equal(o[4], w.where([](unsigned x) { return x & 1; }), "ballot", lane);
    expect_equal(o[5],
                 (w.where([](unsigned x) { return x % 64 == 0; }) != 0) * 2u +
                     (w.where([](unsigned x) { return x % 64 == 1; }) == 0),
                 "votes", lane);
    expect_equal(o[6], w.where([&](unsigned x) { return x % 3 == v % 3; }), "match", lane);
    expect_equal(o[7], sum ^ most, "reduce", lane);
    expect_equal(o[8], w.value(31 - lane) * 4, "shfl64", lane);
    expect_equal(o[9], w.where([&](unsigned x) { return x % 4 == v % 4; }), "match64", lane);
    expect_equal(o[10], w.value(1), "broadcast", lane);
    expect_equal(o[11], w.lanes, "activemask", lane);
  });
}

template <unsigned Size>
void check_tiles(dim3 block, unsigned threads) {
  tiles<Size><<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, threads, [&](const model_warp& warp, unsigned lane, const unsigned* o) {
    const unsigned begin = lane / Size * Size, r = lane - begin;
    const model_warp t{warp.first + begin, warp.lanes >> begin & (~0u >> (32 - Size))};
    const unsigned v = t.value(r);
    const values all = t.of(t.lanes);
    std::vector<float> floats;
    std::vector<double> doubles;
    for (unsigned x : all) floats.push_back(x * 0.37f), doubles.push_back(x * 0.37);
    expect_equal(o[0], t.value(v % Size), "tile.shfl", lane);
    expect_equal(o[1], t.value(r + 1 < Size ? r + 1 : r) + t.value(r >= 2 ? r - 2 : r) * 3 + t.value(r ^ Size / 2) * 5,
                 "tile.shfl_*", lane);
    expect_equal(o[2],
                 t.where([](unsigned x) { return x & 1; }) +
                     64u * (t.where([](unsigned x) { return x % 16 == 0; }) != 0) +
                     128u * (t.where([](unsigned x) { return x % 16 == 0; }) == 0),
                 "tile votes", lane);
    expect_equal(o[3], t.where([&](unsigned x) { return x % 3 == v % 3; }), "tile.match_any", lane);
    expect_equal(o[4], tree(all, add), "tile sum", lane);
    expect_equal(o[5], tree(all, weighed), "tile weighed", lane);
    expect_equal(o[6], scan(all, add)[r], "tile scan", lane);
    expect_equal(o[7], r ? scan(all, add)[r - 1] : 0, "tile exclusive scan", lane);
    expect_equal(o[8], scan(all, weighed)[r], "tile weighed scan", lane);
    expect_equal(o[9], __builtin_bit_cast(unsigned, tree<float>(floats, [](float a, float b) { return a + b; })),
                 "tile float", lane);
    const double before = r ? scan<double>(doubles, [](double a, double b) { return a + b; })[r - 1] : 0;
    expect_equal(o[10], static_cast<unsigned>(__builtin_bit_cast(unsigned long long, before) % 1000003), "tile double",
                 lane);
  });
}

void check_groups(dim3 block, unsigned threads) {
  groups<<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, threads, [&](const model_warp& w, unsigned lane, const unsigned* o) {
    const unsigned v = w.value(lane);
    const unsigned odd = w.where([](unsigned x) { return x & 1; });
    expect_equal(o[0], v & 1 ? w.value(lane_in(odd, 0)) : 0, "ballot's lanes", lane);
    const unsigned group = w.where([](unsigned x) { return x % 5 < 3; });
    if (group >> lane & 1) {
      const unsigned size = static_cast<unsigned>(__builtin_popcount(group));
      expect_equal(o[1], size * 64 + rank_in(group, lane), "coalesced", lane);
      expect_equal(o[2], w.value(lane_in(group, v % size)), "coalesced shfl", lane);
      expect_equal(o[3], tree(w.of(group), weighed), "coalesced reduce", lane);
      unsigned before = 0, met = 0;
      for (unsigned i = 0; i < 32; ++i) {
        if (!(group >> i & 1)) continue;
        if (w.value(i) % 4 == v % 4) break;
        before += !(met >> w.value(i) % 4 & 1);
        met |= 1u << w.value(i) % 4;
      }
      const unsigned label = group & w.where([&](unsigned x) { return x % 4 == v % 4; });
      expect_equal(o[4], before * 1000 + static_cast<unsigned>(__builtin_popcount(label)), "labeled", lane);
      expect_equal(o[5], scan(w.of(label), add)[rank_in(label, lane)], "labeled scan", lane);
      const unsigned half = group & w.where([&](unsigned x) { return x % 2 == v % 2; });
      expect_equal(o[6], tree(w.of(half), weighed) + w.value(lane_in(half, 0)), "binary", lane);
      expect_equal(o[7], v % 7 == 0 ? group & w.where([](unsigned x) { return x % 7 == 0; }) : 0, "activemask", lane);
    }
    unsigned turns = 0;
    for (unsigned turn = 0; turn < v % 4; ++turn) {
      turns = turns * 33 + static_cast<unsigned>(__builtin_popcount(w.where([&](unsigned x) { return turn < x % 4; })));
    }
    expect_equal(o[8], turns, "turns", lane);
  });
}

void check_leaves(dim3 block, unsigned threads) {
  leaves<<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, threads, [&](const model_warp& w, unsigned lane, const unsigned* o) {
    unsigned v[32];
    for (unsigned i = 0; i < 32; ++i) v[i] = w.value(i);
    for (unsigned turn = 0; turn < 9; ++turn) {
      unsigned count = 0;
      for (unsigned i = 0; i < 32; ++i) count += w.lanes >> i & 1 && turn < 1 + w.value(i) % 9 && v[i] & 1;
      for (unsigned i = 0; i < 32; ++i) v[i] += turn < 1 + w.value(i) % 9 ? count + turn : 0;
    }
    expect_equal(o[0], v[lane], "leaves", lane);
  });
}

void check_rest(dim3 block, unsigned threads) {
  unsigned sum = 0;
  for (unsigned i = 0; i < threads; ++i) sum += in[i];
  first_warp<<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], sum, "first_warp", 0);
  arms<<<1, block>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, threads, [&](const model_warp& w, unsigned lane, const unsigned* o) {
    expect_equal(o[0], w.value(w.value(lane) & 1 ? 3 : 5), "arms", lane);
  });
  loaded<<<1, block>>>(in, masks, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for_each_lane(threads, threads, [&](const model_warp& w, unsigned lane, const unsigned* o) {
    expect_equal(o[0], tree(w.of(w.lanes & masks[lane]), add), "loaded", lane);
  });
}

int main() {
  EXPECT_SUCCESS(cudaMallocManaged(&in, 1024 * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 16 * 1024 * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&masks, 32 * sizeof(unsigned)));
  for (unsigned i = 0; i < 1024; ++i) in[i] = i * 2654435761u >> 18;
  for (unsigned i = 0; i < 32; ++i) masks[i] = 0xfu << i / 4 * 4;
  for (const dim3 block : {dim3(1), dim3(32), dim3(33), dim3(100), dim3(256), dim3(16, 16), dim3(32, 8), dim3(7, 5, 3),
                           dim3(64, 2, 2), dim3(1024)}) {
    const unsigned threads = block.x * block.y * block.z;
    for (unsigned i = 0; i < 16 * 1024; ++i) out[i] = 0;
    check_intrinsics(block, threads, threads);
    check_intrinsics(block, threads, threads - threads / 3);
    check_tiles<4>(block, threads);
    check_tiles<8>(block, threads);
    check_tiles<16>(block, threads);
    check_tiles<32>(block, threads);
    for (unsigned i = 0; i < 16 * 1024; ++i) out[i] = 0;
    check_groups(block, threads);
    check_leaves(block, threads);
    check_rest(block, threads);
  }
  return result();
}
