// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named barriers of a block: all forms of PTX's barrier, and CUDA's __barrier_sync and __barrier_sync_count.
#include "check.hpp"

// Adjacent pairs of warps meet at one barrier each; a warp writes, the pair waits, the other warp reads. The number and
// the count are registers, or immediates.
template <int Form>
__global__ void swap_halves(int* out, int rounds) {
  __shared__ int values[1024];
  const int rank = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  const int pair = rank / 64, other = rank ^ 32;
  int value = rank;
  for (int round = 0; round < rounds; ++round) {
    values[rank] = value;
    for (int twice = 0; twice < 2; ++twice) {
      switch (Form) {
        case 0:
          asm volatile("bar.sync %0, %1;" ::"r"(pair + 1), "r"(64) : "memory");
          break;
        case 1:
          asm volatile("barrier.cta.sync %0, 64;" ::"r"(pair) : "memory");
          break;
        case 2:
          if (pair == 0) asm volatile("barrier.sync.aligned 3, 64;" ::: "memory");
          if (pair == 1) asm volatile("bar.cta.sync 4, 64;" ::: "memory");
          if (pair > 1) asm volatile("barrier.cta.sync.aligned %0, 64;" ::"r"(pair + 4) : "memory");
          break;
        case 3:
          __barrier_sync_count(static_cast<unsigned>(15 - pair), 64);
          break;
        case 4:
          __barrier_sync(static_cast<unsigned>(round % 16));
          break;
        default:
          asm volatile("bar.sync 7;" ::: "memory");
      }
      if (twice == 0) value += 3 * values[other];
    }
  }
  out[rank] = value;
}

template <int Form>
static void test_pairs() {
  for (const dim3 shape : {dim3(64), dim3(128), dim3(16, 16), dim3(40, 8), dim3(512)}) {
    const int threads = static_cast<int>(shape.x * shape.y), rounds = 9;
    check::managed<int> out(static_cast<unsigned>(threads));
    swap_halves<Form><<<1, shape>>>(out.data, rounds);
    check::synchronize();
    for (int rank = 0; rank < threads; ++rank) {
      int mine = rank, others = rank ^ 32;
      for (int round = 0; round < rounds; ++round) {
        const int before = mine;
        mine += 3 * others;
        others += 3 * before;
      }
      check::equal("pair of warps", out[static_cast<unsigned>(rank)], mine, Form, threads, rank);
    }
  }
}

// The first warps fill one half of a buffer while the others read the other half.
__global__ void pipeline(const int* in, long long* sums, int stages) {
  __shared__ int buffer[2][256];
  const int half = static_cast<int>(blockDim.x) / 2, rank = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  long long sum = 0;
  if (rank < half) {
    for (int stage = 0; stage < stages; ++stage) {
      const int slot = stage % 2;
      if (stage >= 2) asm volatile("bar.sync %0, %1;" ::"r"(3 + slot), "r"(threads) : "memory");  // the slot is empty
      buffer[slot][rank] = in[stage * half + rank];
      asm volatile("bar.arrive %0, %1;" ::"r"(1 + slot), "r"(threads) : "memory");  // the slot is full
    }
  } else {
    for (int stage = 0; stage < stages; ++stage) {
      const int slot = stage % 2;
      asm volatile("barrier.cta.sync %0, %1;" ::"r"(1 + slot), "r"(threads) : "memory");
      sum += static_cast<long long>(stage + 1) * buffer[slot][threads - 1 - rank];
      if (stage + 2 < stages) asm volatile("barrier.arrive.aligned %0, %1;" ::"r"(3 + slot), "r"(threads) : "memory");
    }
    sums[rank - half] = sum;
  }
}

static void test_pipeline() {
  for (const int threads : {64, 192, 512}) {
    const int half = threads / 2, stages = 13;
    check::managed<int> in(static_cast<unsigned>(stages * half));
    check::managed<long long> sums(static_cast<unsigned>(half));
    for (int i = 0; i < stages * half; ++i) in.data[i] = i * 37 % 1001;
    pipeline<<<1, threads>>>(in.data, sums.data, stages);
    check::synchronize();
    for (int i = 0; i < half; ++i) {
      long long sum = 0;
      for (int stage = 0; stage < stages; ++stage) sum += (stage + 1LL) * in.data[stage * half + half - 1 - i];
      check::equal("pipeline", sums[static_cast<unsigned>(i)], sum, threads, i);
    }
  }
}

struct votes {
  unsigned count, whole_count;
  int all, any, none, block_all;
};

// Each warp votes at its own barrier, then the block at one.
__global__ void vote(votes* out) {
  const unsigned rank = threadIdx.x, warp = rank / 32;
  votes v;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; bar.red.popc.u32 %0, %1, 32, p; }"
               : "=r"(v.count)
               : "r"(warp), "r"(rank % (warp + 2))
               : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 32; barrier.cta.red.and.pred q, %2, 32, p; selp.s32 %0, 1, 0, q; }"
      : "=r"(v.all)
      : "r"(rank), "r"(warp)
      : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.eq.u32 p, %1, 40; barrier.red.or.aligned.pred q, %2, 32, p; selp.s32 %0, 1, 0, q; }"
      : "=r"(v.any)
      : "r"(rank), "r"(warp)
      : "memory");
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 5000; bar.cta.red.or.pred q, %2, 32, !p; selp.s32 %0, 0, 1, q; }"
               : "=r"(v.none)
               : "r"(rank), "r"(warp)
               : "memory");
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, 10; bar.red.popc.u32 %0, 9, p; }"
               : "=r"(v.whole_count)
               : "r"(rank)
               : "memory");
  asm volatile("{ .reg .pred p, q; setp.ge.u32 p, %1, 0; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(v.block_all)
               : "r"(rank)
               : "memory");
  out[rank] = v;
}

static void test_votes() {
  for (const unsigned threads : {32u, 96u, 256u}) {
    check::managed<votes> out(threads);
    vote<<<1, threads>>>(out.data);
    check::synchronize();
    for (unsigned rank = 0; rank < threads; ++rank) {
      const unsigned warp = rank / 32;
      unsigned count = 0;
      for (unsigned i = warp * 32; i < warp * 32 + 32; ++i) count += i % (warp + 2) != 0;
      const votes& v = out.data[rank];
      check::equal("red.popc", v.count, count, threads, rank);
      check::equal("red.and", v.all, warp == 0 ? 1 : 0, threads, rank);
      check::equal("red.or", v.any, warp == 1 ? 1 : 0, threads, rank);
      check::equal("red.or of !p", v.none, 0, threads, rank);
      check::equal("red.popc of the block", v.whole_count, threads - 10, threads, rank);
      check::equal("red.and of the block", v.block_all, 1, threads, rank);
    }
  }
}

// The last warp has 8 lanes and counts as 32 threads.
__global__ void partial_warp(int* out) {
  __shared__ int values[40];
  const int rank = static_cast<int>(threadIdx.x);
  values[rank] = rank * rank;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[rank] = values[39 - rank];
  if (rank % 2 == 0) asm volatile("barrier.sync 2;" ::: "memory");
  if (rank % 2 == 1) asm volatile("barrier.sync 2;" ::: "memory");
}

static void test_partial_warp() {
  check::managed<int> out(40);
  partial_warp<<<1, 40>>>(out.data);
  check::synchronize();
  for (int rank = 0; rank < 40; ++rank) {
    check::equal("partial warp", out[static_cast<unsigned>(rank)], (39 - rank) * (39 - rank), rank);
  }
}

// Thread 0 misses the barrier of its warp and the next one.
__global__ void stuck(int* out) {
  if (threadIdx.x == 0) return __syncthreads();
  asm volatile("barrier.sync 6, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}

int main(int argc, char**) {
  if (argc > 1) {
    check::managed<int> out(64);
    stuck<<<1, 64>>>(out.data);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
  }
  test_pairs<0>();
  test_pairs<1>();
  test_pairs<2>();
  test_pairs<3>();
  test_pairs<4>();
  test_pairs<5>();
  test_pipeline();
  test_votes();
  test_partial_warp();
  return check::finish();
}
