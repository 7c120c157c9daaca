// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on a block's own shared memory: results in memory, and the values that the operations return.
#include <algorithm>
#include <set>
#include <vector>

#include "../check.hpp"

constexpr unsigned cells = 16;
constexpr unsigned longest = 1024;  // threads of the largest block

struct results {
  unsigned int words[cells];
  int smallest;
  unsigned int last;
  float halves;
  double quarters;
  unsigned long long largest;
  unsigned long long owners[cells];  // rank + 1 of the thread that claimed a cell
  unsigned int tickets[longest];     // the value of a counter that each thread got
  unsigned int previous[longest];
  unsigned long long found[longest];
};

__host__ __device__ unsigned int cell_of(unsigned int thread) { return thread * 7 % cells; }

// Lanes of a warp update one cell, take different branches, and return early.
__global__ void operate(results* all, int rounds) {
  __shared__ results mine;
  extern __shared__ unsigned int tickets[];
  const unsigned int me = threadIdx.x;
  if (me == 0) {
    mine = {};
    mine.smallest = 1 << 30;
    tickets[0] = tickets[1] = 0;
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(&mine.words[cell_of(me + round)], me + 1);
    if (me % 3 == 0) atomicAdd(&mine.halves, 0.5f);
  }
  atomicMin(&mine.smallest, static_cast<int>(me * 37 % 101) - 50);
  atomicAdd(&mine.quarters, 0.25);
  atomicMax(&mine.largest, 1ull << 40 | me);
  mine.found[me] = atomicCAS(&mine.owners[cell_of(me)], 0ull, me + 1ull);
  mine.tickets[me] = me % 2 ? atomicInc(&tickets[0], 9) : atomicAdd(&tickets[0] + 1, 2u);
  mine.previous[me] = atomicExch(&mine.last, me + 1);
  __syncthreads();
  if (me == 0) all[blockIdx.x] = mine;
}

void check_operations(unsigned int threads, int rounds) {
  constexpr unsigned int blocks = 3;
  results* all = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&all, blocks * sizeof(results)));
  operate<<<blocks, threads, 2 * sizeof(unsigned int)>>>(all, rounds);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  std::vector<unsigned int> words(cells);
  int smallest = 1 << 30;
  for (unsigned int me = 0; me < threads; ++me) {
    for (int round = 0; round < rounds; ++round) words[(me + round) * 7 % cells] += me + 1;
    smallest = std::min(smallest, static_cast<int>(me * 37 % 101) - 50);
  }
  for (unsigned int block = 0; block < blocks; ++block) {
    const results& mine = all[block];
    for (unsigned int cell = 0; cell < cells; ++cell) {
      expect_equal(mine.words[cell], words[cell], "word", cell);
    }
    expect_equal(mine.smallest, smallest, "smallest of", threads);
    expect_equal(mine.halves, 0.5f * rounds * ((threads + 2) / 3), "halves of", threads);
    expect_equal(mine.quarters, 0.25 * threads, "quarters of", threads);
    expect_equal(mine.largest, 1ull << 40 | (threads - 1), "largest of", threads);
    // All odd threads share ten numbers; each even thread has a number of its own.
    std::multiset<unsigned int> odd, even, seen_odd, seen_even;
    // A chain of exchanges: each stored value is returned once, except the last one.
    std::multiset<unsigned int> put{0}, got{mine.last};
    for (unsigned int me = 0; me < threads; ++me) {
      (me % 2 ? odd : even).insert(me % 2 ? me / 2 % 10 : me / 2 * 2);
      (me % 2 ? seen_odd : seen_even).insert(mine.tickets[me]);
      const unsigned long long owner = mine.owners[cell_of(me)];
      expect_equal(mine.found[me], owner == me + 1 ? 0 : owner, "value by atomicCAS of", me);
      expect_equal(owner != 0 && cell_of(static_cast<unsigned int>(owner - 1)) == cell_of(me), true, "owner for", me);
      put.insert(me + 1);
      got.insert(mine.previous[me]);
    }
    expect_equal(seen_odd == odd, true, "numbers by atomicInc of", threads);
    expect_equal(seen_even == even, true, "numbers by atomicAdd of", threads);
    expect_equal(got == put, true, "values by atomicExch of", threads);
  }
  EXPECT_SUCCESS(cudaFree(all));
}

int main() {
  for (const unsigned int threads : {1u, 31u, 32u, 100u, 256u, longest}) check_operations(threads, 5);
  return result();
}
