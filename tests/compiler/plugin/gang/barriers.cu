// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose gangs wait at block barriers, in blocks of all shapes: a partial last gang, several gangs in a row,
// barriers in loops, values that live across them.
#include <vector>

#include "../check.hpp"

__device__ unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

// Sum of all threads' values by a tree in shared memory. The lower half of each step diverges between barriers.
__global__ void tree(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[1024];
  const unsigned rank = rank_in_block(), threads = block_threads();
  sums[rank] = in[blockIdx.x * threads + rank] * (rank % 3 + 1);
  __syncthreads();
  for (unsigned count = threads; count > 1; count = (count + 1) / 2) {
    if (rank < count / 2) sums[rank] += sums[rank + (count + 1) / 2];
    __syncthreads();
  }
  if (rank == 0) out[blockIdx.x] = sums[0];
}

// Each thread passes its value around the whole block and keeps a value of its own meanwhile.
__global__ void ring(const unsigned* in, unsigned* out, int rounds) {
  __shared__ unsigned slots[2][1024];
  const unsigned rank = rank_in_block(), threads = block_threads();
  unsigned value = in[blockIdx.x * threads + rank], own = value * 7;
  for (int i = 0; i < rounds; ++i) {
    slots[i & 1][rank] = value;
    __syncthreads();
    value = slots[i & 1][(rank + 1) % threads];
    for (unsigned k = 0; k < value % 4; ++k) own = own * 5 + value;
  }
  out[blockIdx.x * threads + rank] = value ^ own;
}

// Lanes that return before a barrier are missing from it.
__global__ void returns(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned values[1024];
  const unsigned rank = rank_in_block();
  if (rank >= n) return;
  values[rank] = in[rank];
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i += 5) sum += values[i];
  out[rank] = sum + rank;
}

// Barriers that count votes, of the threads that have not returned.
__global__ void votes(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned rank = rank_in_block();
  if (rank >= n) return;
  const unsigned value = in[rank];
  unsigned result = __syncthreads_count(value % 3 == 0);
  if (rank % 5 == 4) return;
  result = result * 2 + (__syncthreads_and(value % 4096 != 0) != 0);
  result = result * 2 + (__syncthreads_or(value % 64 == 1) != 0);
  for (unsigned turn = 0; __syncthreads_or(turn < value % 4); ++turn) result += turn < value % 4 ? 3 * turn : 1;
  out[rank] = result;
}

// Each thread writes to another row than its neighbours. Scattering kernels have gangs of 16 for blocks of 16 threads.
__global__ void diagonals(const unsigned* in, unsigned* out, unsigned n, int steps) {
  __shared__ unsigned slots[5][1024];
  const unsigned rank = rank_in_block();
  if (rank >= n) return;
  for (unsigned y = 0; y < 5; ++y) slots[y][rank] = in[rank] + y;
  __syncthreads();
  unsigned count = 0;
  for (int step = 0; step < steps; ++step) {
    unsigned* row = slots[(rank + step) % 5];
    row[rank] = row[rank + 1 < n ? rank + 1 : rank] * 3 + step * blockDim.x;
    count += __syncthreads_count(row[rank] % 3 == 0);
    if (row[rank] % 4 == 1) slots[step % 5][rank] += count;
    __syncthreads();
  }
  for (unsigned y = 0; y < 5; ++y) out[rank * 5 + y] = slots[y][rank] + count;
}

// Lanes that skip a barrier do more work afterwards, so the kernel keeps a stack for each thread. No launch runs it.
__global__ void skips(unsigned* out, unsigned n) {
  const unsigned rank = rank_in_block();
  if (rank < n) {
    out[rank] = 1;
    __syncthreads();
  }
  out[rank + n] = out[rank / 2];
}

unsigned votes_of(const unsigned* in, unsigned t, unsigned n) {
  auto stays = [](unsigned i) { return i % 5 != 4; };
  unsigned count = 0, all = 1, any = 0, turns = 0;
  for (unsigned i = 0; i < n; ++i) {
    count += in[i] % 3 == 0;
    if (!stays(i)) continue;
    all &= in[i] % 4096 != 0;
    any |= in[i] % 64 == 1;
    turns = turns > in[i] % 4 ? turns : in[i] % 4;
  }
  if (t >= n || !stays(t)) return 0;
  unsigned result = (count * 2 + all) * 2 + any;
  for (unsigned turn = 0; turn < turns; ++turn) result += turn < in[t] % 4 ? 3 * turn : 1;
  return result;
}

void expect_diagonals(const unsigned* in, const unsigned* out, unsigned n, int steps, unsigned columns) {
  std::vector<unsigned> slots(5 * n);
  for (unsigned i = 0; i < 5 * n; ++i) slots[i] = in[i % n] + i / n;
  unsigned count = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<unsigned> made(n);
    for (unsigned t = 0; t < n; ++t) made[t] = slots[(t + step) % 5 * n + (t + 1 < n ? t + 1 : t)] * 3 + step * columns;
    for (unsigned t = 0; t < n; ++t) {
      slots[(t + step) % 5 * n + t] = made[t];
      count += made[t] % 3 == 0;
    }
    for (unsigned t = 0; t < n; ++t) slots[step % 5 * n + t] += made[t] % 4 == 1 ? count : 0;
  }
  for (unsigned i = 0; i < 5 * n; ++i) expect_equal(out[i % n * 5 + i / n], slots[i] + count, "diagonals", i);
}

int main() {
  unsigned *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 4096 * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 4096 * sizeof(unsigned)));
  for (unsigned i = 0; i < 4096; ++i) in[i] = i * 2654435761u >> 7;
  for (const dim3 block : {dim3(1), dim3(16), dim3(16, 1, 2), dim3(32), dim3(33), dim3(64), dim3(100), dim3(256),
                           dim3(300), dim3(16, 16), dim3(32, 8), dim3(7, 5, 3), dim3(64, 2, 2), dim3(1024)}) {
    const unsigned threads = block.x * block.y * block.z;
    tree<<<3, block>>>(in, out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned b = 0; b < 3; ++b) {
      unsigned sum = 0;
      for (unsigned t = 0; t < threads; ++t) sum += in[b * threads + t] * (t % 3 + 1);
      expect_equal(out[b], sum, "tree", b);
    }
    const int rounds = 9;
    ring<<<3, block>>>(in, out, rounds);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned b = 0; b < 3; ++b) {
      for (unsigned t = 0; t < threads; ++t) {
        unsigned value = in[b * threads + t], own = value * 7;
        for (int i = 0; i < rounds; ++i) {
          value = in[b * threads + (t + i + 1) % threads];
          for (unsigned k = 0; k < value % 4; ++k) own = own * 5 + value;
        }
        expect_equal(out[b * threads + t], value ^ own, "ring", t);
      }
    }
    const unsigned n = threads - threads / 3;
    for (unsigned i = 0; i < threads; ++i) out[i] = 0;
    returns<<<1, block>>>(in, out, n);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i += 5) sum += in[i];
    for (unsigned t = 0; t < threads; ++t) expect_equal(out[t], t < n ? sum + t : 0, "returns", t);
    for (unsigned i = 0; i < threads; ++i) out[i] = 0;
    votes<<<1, block>>>(in, out, n);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned t = 0; t < threads; ++t) expect_equal(out[t], votes_of(in, t, n), "votes", t);
    const unsigned most = threads < 800 ? threads : 800;  // `out` has 4096 elements
    for (const unsigned some : {most, most - most / 3}) {
      diagonals<<<1, block>>>(in, out, some, 7);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      expect_diagonals(in, out, some, 7, block.x);
    }
  }
  return result();
}
