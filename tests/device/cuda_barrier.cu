// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cuda/barrier>: phases, tokens, parities, drops, completion functions, copies, and the C functions on a 64-bit word.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>
#include <cuda/std/barrier>

#include <type_traits>
#include <utility>

#include "check.hpp"

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// In each round the threads write, pass the barrier, and read their neighbour's value. Only the barrier separates
// rounds.
template <int form>
__global__ void rounds(int* out, int count) {
  __shared__ block_barrier bar;
  __shared__ int values[2][200];
  cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(block.thread_rank()), n = static_cast<int>(block.size());
  if (i == 0) init(&bar, n);
  block.sync();
  int sum = 0;
  for (int round = 0; round < count; ++round) {
    values[round % 2][i] = i * (round + 1);
    if constexpr (form == 0) {
      bar.arrive_and_wait();
    } else if constexpr (form == 1) {
      block_barrier::arrival_token token = bar.arrive();
      sum += round;
      bar.wait(std::move(token));
    } else if constexpr (form == 2) {
      (void)bar.arrive();
      bar.wait_parity(round % 2);
    } else {
      auto token = bar.arrive();
      while (!bar.try_wait(std::move(token))) {
      }
    }
    sum += values[round % 2][(i + 1) % n];
  }
  out[blockIdx.x * n + i] = sum;
}

// In each round one more warp drops out of the barrier.
__global__ void dropping(int* out) {
  __shared__ block_barrier bar;
  __shared__ int arrived;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    arrived = 0;
  }
  __syncthreads();
  const int rounds = static_cast<int>(threadIdx.x / 32) + 1;
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(&arrived, 1);
    if (round + 1 == rounds) {
      bar.arrive_and_drop();
      return;
    }
    bar.arrive_and_wait();
    out[round * blockDim.x + threadIdx.x] = arrived >= static_cast<int>(blockDim.x);
  }
}

struct count_phases {
  int* phases;
  int* seen;
  __device__ void operator()() { seen[(*phases)++] = 1; }
};

__global__ void completion(int* phases, int* seen, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block, count_phases> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x, count_phases{phases, seen});
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    bar.arrive_and_wait();
    out[round * blockDim.x + threadIdx.x] = *phases >= round + 1 && seen[round];
  }
}

// A producer warp fills a buffer that the other warps read; two barriers order them.
__global__ void handing_over(int* out, int items) {
  __shared__ block_barrier filled, emptied;
  __shared__ int item;
  if (threadIdx.x == 0) {
    init(&filled, blockDim.x);
    init(&emptied, blockDim.x);
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < items; ++k) {
    if (threadIdx.x < 32) {
      if (k > 0) emptied.arrive_and_wait();
      if (threadIdx.x == 0) item = 7 * k + 1;
      (void)filled.arrive();
    } else {
      filled.arrive_and_wait();
      sum += item;
      if (k + 1 < items) (void)emptied.arrive();
    }
  }
  out[threadIdx.x] = sum;
}

// `early` receives the destination's contents before the barrier.
template <class Size>
__global__ void copies(const int* from, int* out, int* early, int elements, bool by_group) {
  extern __shared__ int tile[];
  __shared__ block_barrier bar;
  cg::thread_block block = cg::this_thread_block();
  for (int i = threadIdx.x; i < elements; i += blockDim.x) tile[i] = -1;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  block.sync();
  const int* source = from + blockIdx.x * elements;
  if (by_group) {
    cuda::memcpy_async(block, tile, source, Size(elements * sizeof(int)), bar);
  } else if (threadIdx.x == 5) {
    cuda::memcpy_async(tile, source, Size(elements * sizeof(int)), bar);
  }
  if (threadIdx.x == (by_group ? 0 : 5)) early[blockIdx.x] = tile[elements - 1];
  block_barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < elements; i += blockDim.x) out[blockIdx.x * elements + i] = tile[i];
}

// A barrier for all threads of a cooperative grid, in global memory, initialised by the host.
__global__ void grid_wide(cuda::barrier<cuda::thread_scope_device>* bar, int* values, int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), n = static_cast<int>(gridDim.x * blockDim.x);
  for (int round = 1; round < 4; ++round) {
    values[i] = round * i;
    bar->arrive_and_wait();
    out[i] += values[(i + 77) % n];
    bar->arrive_and_wait();
  }
}

__global__ void plain_functions(int* out) {
  __shared__ __mbarrier_t bar;
  __shared__ int values[96];
  if (threadIdx.x == 0) __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = round + static_cast<int>(threadIdx.x);
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
    out[threadIdx.x] = values[95 - threadIdx.x];
    (void)__mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait_parity(&bar, true, 100)) {
    }
  }
}

// Misuse: thread 3 never arrives, or one thread arrives with a larger count than the barrier expects.
__global__ void misused(bool crowded) {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (crowded) {
    bar.wait(bar.arrive(blockDim.x + 1));
  } else if (threadIdx.x != 3) {
    bar.arrive_and_wait();
  }
}

template <int form>
void check_rounds(unsigned threads) {
  check::managed<int> out(3 * threads);
  rounds<form><<<3, threads>>>(out.data, 6);
  check::synchronize();
  for (unsigned i = 0; i < 3 * threads; ++i) {
    const int wanted = static_cast<int>((i % threads + 1) % threads) * 21 + (form == 1 ? 15 : 0);
    check::equal("rounds", out[i], wanted, form, threads, i);
  }
}

template <class Size>
void check_copies(int elements, bool by_group) {
  check::managed<int> from(4 * elements), out(4 * elements), early(4);
  for (int i = 0; i < 4 * elements; ++i) from[i] = 3 * i + 1;
  copies<Size><<<4, 70, elements * sizeof(int)>>>(from.data, out.data, early.data, elements, by_group);
  check::synchronize();
  for (int i = 0; i < 4 * elements; ++i) check::equal("memcpy_async", out[i], from[i], elements, by_group, i);
  for (int i = 0; i < 4; ++i) check::equal("as late as allowed", early[i], -1, elements, by_group);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    misused<<<1, 40>>>(argv[1][0] == 'c');
    check::synchronize();
    return 0;
  }
  static_assert(sizeof(block_barrier) == 8 && std::is_trivially_default_constructible_v<block_barrier>);
  static_assert(!std::is_copy_constructible_v<block_barrier>);
  check::equal("max", block_barrier::max(), std::ptrdiff_t{1048575});
  for (unsigned threads : {1u, 31u, 64u, 200u}) {
    check_rounds<0>(threads);
    check_rounds<1>(threads);
    check_rounds<2>(threads);
    check_rounds<3>(threads);
  }
  check::managed<int> dropped(3 * 96);
  dropping<<<1, 96>>>(dropped.data);
  check::synchronize();
  for (unsigned i = 0; i < 3 * 96; ++i) check::equal("arrive_and_drop", dropped[i], i % 96 / 32 > i / 96 ? 1 : 0, i);

  check::managed<int> phases(1), seen(5), out(5 * 65);
  completion<<<1, 65>>>(phases.data, seen.data, out.data);
  check::synchronize();
  check::equal("completion", phases[0], 5);
  for (int i = 0; i < 5 * 65; ++i) check::equal("completion comes first", out[i], 1, i);

  check::managed<int> handed(160);
  handing_over<<<1, 160>>>(handed.data, 9);
  check::synchronize();
  for (int i = 0; i < 160; ++i) check::equal("handing over", handed[i], i < 32 ? 0 : 7 * 36 + 9, i);

  for (bool by_group : {false, true}) {
    for (int elements : {1, 3, 70, 1000}) check_copies<size_t>(elements, by_group);
    check_copies<cuda::aligned_size_t<16>>(64, by_group);
  }

  check::managed<cuda::barrier<cuda::thread_scope_device>> bar(1);
  constexpr int blocks = 2, threads = 100, all = blocks * threads;
  init(bar.data, all);
  check::managed<int> values(all), sums(all);
  void* arguments[] = {&bar.data, &values.data, &sums.data};
  check::equal("launch", static_cast<int>(cudaLaunchCooperativeKernel(grid_wide, blocks, threads, arguments)), 0);
  check::synchronize();
  for (int i = 0; i < all; ++i) check::equal("grid", sums[i], 6 * ((i + 77) % all), i);

  check::managed<int> plain(96);
  plain_functions<<<1, 96>>>(plain.data);
  check::synchronize();
  for (int i = 0; i < 96; ++i) check::equal("plain functions", plain[i], 2 + 95 - i, i);

  cuda::std::barrier<> on_host(1);
  on_host.arrive_and_wait();
  check::equal("on the host", on_host.try_wait_parity(false), true);
  return check::finish();
}
