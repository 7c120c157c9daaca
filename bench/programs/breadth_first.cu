// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each launch visits one level. Threads of a warp that find new nodes at the same time reserve places in the next
// frontier together.
#include <cooperative_groups.h>

#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256;

__global__ void begin(int* distance, int* frontier, int nodes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nodes) distance[i] = i == 0 ? 0 : -1;
  if (i == 0) frontier[0] = 0;
}

__global__ void visit(const int* first, const int* edge, int* distance, const int* frontier, int size, int* next,
                      int* count, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int node = frontier[i];
  for (int k = first[node]; k < first[node + 1]; ++k) {
    const int other = edge[k];
    if (distance[other] < 0 && atomicCAS(&distance[other], -1, level) == -1) {
      const auto found = cg::coalesced_threads();
      int place = 0;
      if (found.thread_rank() == 0) place = atomicAdd(count, static_cast<int>(found.size()));
      next[found.shfl(place, 0) + found.thread_rank()] = other;
    }
  }
}

}  // namespace

void breadth_first(const problems::breadth_first& p) {
  int *frontier = p.frontier, *next = p.next;
  begin<<<(p.nodes + threads - 1) / threads, threads>>>(p.distance, frontier, p.nodes);
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    *p.count = 0;
    visit<<<(size + threads - 1) / threads, threads>>>(p.first, p.edge, p.distance, frontier, size, next, p.count,
                                                       level);
    finish("breadth_first");
    size = *p.count;
    std::swap(frontier, next);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
