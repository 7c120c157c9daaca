// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of clusters in used shared memory: it starts with arbitrary bytes, and a block returns as soon as it has
// its result, while other blocks of the cluster may still read.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "conformance.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

constexpr unsigned int threads = 96;
constexpr int rounds = 3;

// Fills the shared memory of a multiprocessor with small numbers, which a counter of rounds could hold too.
__global__ void leave_something(unsigned int words, unsigned int* out) {
  extern __shared__ unsigned int shared[];
  for (unsigned int i = threadIdx.x; i < words; i += blockDim.x) shared[i] = (blockIdx.x + i) % 3;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = shared[blockIdx.x % words];
}

void leave_something_everywhere() {
  const int bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const unsigned int blocks = 2 * static_cast<unsigned int>(device_attribute(cudaDevAttrMultiProcessorCount));
  memory<unsigned int> out(blocks);
  ASSERT_EQ(cudaFuncSetAttribute(leave_something, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), cudaSuccess);
  leave_something<<<blocks, 128, static_cast<unsigned int>(bytes)>>>(static_cast<unsigned int>(bytes) / 4, out.data());
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

using large = sized<600>;  // larger than one chunk of the exchange

// Delays one block of a cluster: the other blocks have returned before it has read their values.
struct slow_then {
  __device__ affine operator()(const affine& a, const affine& b) const {
    if (cohort::this_cluster().block_rank() == 1) {
      for (int i = 0; i < 4; ++i) __threadfence();
    }
    return affine::then()(a, b);
  }
};

struct answers {
  affine reduced[rounds], inclusive[rounds], exclusive[rounds];
  unsigned int count[rounds];
  int broadcast[rounds];  // 1 where the value is the expected one
  affine last;
};

__global__ void ask(answers* out) {
  const cohort::cluster_group cluster = cohort::this_cluster();
  const unsigned int me = static_cast<unsigned int>(cohort::this_grid().thread_rank());
  const unsigned int first = me - cluster.thread_rank(), size = cluster.num_threads();
  answers a;
  for (int round = 0; round < rounds; ++round) {
    const unsigned int number = me + 1000u * static_cast<unsigned int>(round);
    const unsigned int root = (first * 7 + static_cast<unsigned int>(round) * 50) % size;
    a.reduced[round] = cg::reduce(cluster, affine::of(number), affine::then());
    a.broadcast[round] = cohort::broadcast(cluster, large::of(number), root) == large::of(number - me + first + root);
    a.inclusive[round] = cg::inclusive_scan(cluster, affine::of(number), affine::then());
    a.count[round] = static_cast<unsigned int>(cohort::count(cluster, number % 5 == 0));
    a.exclusive[round] = cg::exclusive_scan(cluster, affine::of(number), affine::then());
  }
  a.last = cg::reduce(cluster, affine::of(me), slow_then());
  out[me] = a;
}

// Runs one collective and nothing else: its memory still holds the bytes of earlier blocks.
__global__ void ask_once(affine* out) {
  out[cohort::this_grid().thread_rank()] = cg::reduce(
      cohort::this_cluster(), affine::of(static_cast<unsigned int>(cohort::this_grid().thread_rank())), slow_then());
}

void launch_in_clusters(unsigned int blocks, unsigned int cluster, const cohort::error& e) {
  ASSERT_FALSE(e) << cohort::message(e) << ", " << blocks << " blocks in clusters of " << cluster;
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << blocks << " blocks in clusters of " << cluster;
}
cohort::config in_clusters(unsigned int blocks, unsigned int cluster) {
  return {cohort::dim3(blocks), cohort::dim3(threads), 0, -1, cohort::dim3(cluster)};
}

affine total_of(unsigned int first, unsigned int end) {
  affine total = affine::of(first);
  for (unsigned int i = first + 1; i < end; ++i) total = affine::then()(total, affine::of(i));
  return total;
}

TEST(Cluster, CollectivesInMemoryThatOthersHaveUsed) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  for (unsigned int cluster : {1u, 2u, 4u, 8u}) {
    SCOPED_TRACE(cluster);
    const unsigned int blocks = 24 * cluster, size = cluster * threads;
    leave_something_everywhere();
    memory<affine> once(blocks * threads);
    launch_in_clusters(blocks, cluster, cohort::launch(in_clusters(blocks, cluster), ask_once, once.data()));
    for (unsigned int t = 0; t < blocks * threads; ++t) {
      if (t % size == 0 || t % size == size - 1) {
        ASSERT_TRUE(once[t] == total_of(t / size * size, t / size * size + size)) << "thread " << t;
      } else {
        ASSERT_TRUE(once[t] == once[t - 1]) << "thread " << t;
      }
    }

    leave_something_everywhere();
    memory<answers> out(blocks * threads);
    launch_in_clusters(blocks, cluster, cohort::launch(in_clusters(blocks, cluster), ask, out.data()));
    for (unsigned int first = 0; first < blocks * threads; first += size) {
      for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE("cluster from thread " + std::to_string(first) + ", round " + std::to_string(round));
        const unsigned int shift = 1000u * static_cast<unsigned int>(round);
        const affine total = total_of(first + shift, first + shift + size);
        unsigned int count = 0;
        for (unsigned int i = 0; i < size; ++i) count += (first + i + shift) % 5 == 0;
        affine through{0, 0};
        for (unsigned int r = 0; r < size; ++r) {
          const answers& a = out[first + r];
          const affine before = through, mine = affine::of(first + r + shift);
          through = r == 0 ? mine : affine::then()(through, mine);
          ASSERT_TRUE(a.reduced[round] == total) << r;
          ASSERT_EQ(a.broadcast[round], 1) << r;
          ASSERT_TRUE(a.inclusive[round] == through) << r;
          ASSERT_EQ(a.count[round], count) << r;
          ASSERT_TRUE(a.exclusive[round] == before) << r;
        }
      }
      const affine last = total_of(first, first + size);
      for (unsigned int r = 0; r < size; ++r) ASSERT_TRUE(out[first + r].last == last) << first + r;
    }
  }
}

}  // namespace
