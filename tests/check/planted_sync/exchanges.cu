// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that one thread passes to another by barriers, flags and copies, and memory that is wrongly assumed to be
// cleared. `@case.x` marks the lines of a finding.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "cases.hpp"

namespace cg = cooperative_groups;

// Bins in shared memory, without the barrier between their zeroing and the first count.
template <bool wrong>
__global__ void count_values(const int* x, int n, int* bins) {
  __shared__ int mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;  // @bins.zero
  if constexpr (!wrong) __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&mine[x[i] % 16], 1);  // @bins.count
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = mine[threadIdx.x];
}
template <bool wrong>
void run_bins() {
  count_values<wrong><<<1, 96>>>(device_numbers<int>(96), 96, device_array<int>(16));
}

// The last block adds what all blocks have written, but no fence precedes the ticket.
template <bool wrong>
__global__ void sum_in_last_block(const int* x, int* partial, unsigned* tickets, int* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x];  // @ticket.write
    if constexpr (!wrong) __threadfence();
    last = atomicAdd(tickets, 1) == gridDim.x - 1;
    if constexpr (!wrong) __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(sum, partial[threadIdx.x]);  // @ticket.read
}
template <bool wrong>
void run_ticket() {
  sum_in_last_block<wrong>
      <<<5, 32>>>(device_numbers<int>(5), device_array<int>(5), device_array<unsigned>(1), device_array<int>(1));
}

// A flag that is set before the value is stored.
template <bool wrong>
__global__ void hand_over(int* box) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(box[0]);
  if (threadIdx.x == 0) {
    if constexpr (wrong) {
      flag.store(1, cuda::memory_order_release);
      box[1] = 42;  // @flag.write
    } else {
      box[1] = 42;
      flag.store(1, cuda::memory_order_release);
    }
  } else if (threadIdx.x == 32) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    box[2] = box[1];  // @flag.read
  }
}
template <bool wrong>
void run_flag() {
  hand_over<wrong><<<1, 64>>>(device_array<int>(3));
}

// A ring of two slots: consumers announce that a slot is empty before they read it.
template <bool wrong>
__global__ void ring(const int* x, int rounds, int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier full[2], empty[2];
  __shared__ int slots[2][32];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      init(&full[s], 64);
      init(&empty[s], 64);
    }
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  int sum = 0;
  if (threadIdx.x >= 32) {
    for (int s = 0; s < 2; ++s) (void)empty[s].arrive();
  }
  for (int r = 0; r < rounds; ++r) {
    const int s = r % 2;
    if (threadIdx.x < 32) {
      empty[s].arrive_and_wait();
      slots[s][lane] = x[r * 32 + lane];  // @ring.fill
      (void)full[s].arrive();
    } else {
      full[s].arrive_and_wait();
      if constexpr (wrong) (void)empty[s].arrive();
      sum += slots[s][31 - lane];  // @ring.take
      if constexpr (!wrong) (void)empty[s].arrive();
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}
template <bool wrong>
void run_ring() {
  ring<wrong><<<1, 64>>>(device_numbers<int>(192), 6, device_array<int>(32));
}

// Pairs are written as vectors. A neighbour in another warp reads half of a pair as a number.
template <bool wrong>
__global__ void pairs(int* out) {
  __shared__ float2 both[64];
  both[threadIdx.x] = make_float2(threadIdx.x, 1);  // @pairs.write
  if constexpr (wrong) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  const float* flat = &both[0].x;
  out[threadIdx.x] = static_cast<int>(flat[(2 * threadIdx.x + 3) % 128]);  // @pairs.read
}
template <bool wrong>
void run_pairs() {
  pairs<wrong><<<1, 64>>>(device_array<int>(64));
}

// Blocks of a cluster write to the next block's memory, and read their own without a barrier of the cluster.
template <bool wrong>
__global__ void __cluster_dims__(2) pass_on(int* out) {
  __shared__ int mine[32];
  const auto cluster = cg::this_cluster();
  int* next = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  cluster.sync();
  next[threadIdx.x] = threadIdx.x;  // @next.write
  if constexpr (wrong) {
    __syncthreads();
  } else {
    cluster.sync();
  }
  out[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x];  // @next.read
  cluster.sync();
}
template <bool wrong>
void run_next() {
  pass_on<wrong><<<2, 32>>>(device_array<int>(64));
}

// The reduction of the second row reuses the array from which the first one's result is read.
template <bool wrong>
__global__ void two_sums(const int* x, int* sums) {
  __shared__ int part[64];
  for (int row = 0; row < 2; ++row) {
    part[threadIdx.x] = x[row * 64 + threadIdx.x];  // @rows.fill
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
      if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];  // @rows.add
      __syncthreads();
    }
    atomicAdd(&sums[threadIdx.x % 2], part[0]);  // @rows.read
    if constexpr (!wrong) __syncthreads();
  }
}
template <bool wrong>
void run_rows() {
  two_sums<wrong><<<1, 64>>>(device_numbers<int>(128), device_array<int>(2));
}

// Flags of one bit each in a byte, set by ordinary writes of several threads.
template <bool wrong>
__global__ void mark(unsigned char* seen, unsigned* words) {
  if constexpr (wrong) {
    seen[threadIdx.x / 8] |= 1u << threadIdx.x % 8;  // @bits.set
  } else {
    atomicOr(&words[threadIdx.x / 32], 1u << threadIdx.x % 32);
  }
}
template <bool wrong>
void run_bits() {
  mark<wrong><<<1, 64>>>(device_array<unsigned char>(8), device_array<unsigned>(2));
}

// Sums into memory of cudaMalloc that is not cleared.
__global__ void add_all(const int* x, int* sums) {
  atomicAdd(&sums[threadIdx.x % 2], x[threadIdx.x]);  // @sums.add
}
template <bool wrong>
void run_sums() {
  int* sums = nullptr;
  cudaMalloc(&sums, 2 * sizeof(int));
  if (!wrong) cudaMemset(sums, 0, 2 * sizeof(int));
  add_all<<<1, 64>>>(device_numbers<int>(64), sums);
}

// An array is cleared with its number of elements in place of its number of bytes.
template <class T>
__global__ void copy_all(const T* from, T* to) {
  to[threadIdx.x] = from[threadIdx.x];  // @clear.read
}
template <bool wrong>
void run_clear() {
  int* from = nullptr;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMemset(from, 0, wrong ? 64 : 64 * sizeof(int));
  copy_all<<<1, 64>>>(from, device_array<int>(64));
}

// The host overwrites its staging buffer during the copy from it.
template <bool wrong>
void run_staging() {
  int *host = nullptr, *device = device_array<int>(64);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMallocHost(reinterpret_cast<void**>(&host), 64 * sizeof(int));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 64; ++i) host[i] = round + i;                                 // @staging.write
    cudaMemcpyAsync(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice, stream);  // @staging.copy
    if (!wrong) cudaStreamSynchronize(stream);
  }
  cudaStreamSynchronize(stream);
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(bins), CASE(ticket), CASE(flag), CASE(ring),  CASE(pairs),  CASE(next),
                              CASE(rows), CASE(bits),   CASE(sums), CASE(clear), CASE(staging)};

int main(int words, char** word) { return run_case(cases, words, word); }
