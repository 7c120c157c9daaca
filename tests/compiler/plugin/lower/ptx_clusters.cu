// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters in inline PTX and by CUDA's own functions: the split-phase barrier, and the shared memory of other blocks.
#include "../check.hpp"

#include <cstdint>

struct seen {
  unsigned from_short, from_whole, from_generic, from_function, pushed, counted, exchanged, owner_short, owner_whole;
  unsigned owner_by_function, rank, blocks, specified, in_cluster[3], cluster[3], clusters[3], size[3];
};

__device__ unsigned short_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

template <bool ByFunctions>
__device__ void sync_cluster(int round) {
  if (ByFunctions) {
    if (round % 2) __cluster_barrier_arrive_relaxed();
    if (round % 2 == 0) __cluster_barrier_arrive();
    __cluster_barrier_wait();
  } else if (round == 0) {
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  } else if (round == 1) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  } else {
    asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");
  }
}

// Each thread reads from the next block of the cluster and pushes to the block after it.
template <bool ByFunctions>
__device__ void talk(seen* out) {
  __shared__ unsigned values[64], inbox[64], counter, slot;
  const unsigned i = threadIdx.x, blocks = __clusterSizeInBlocks(), rank = __clusterRelativeBlockRank();
  const unsigned number = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned next = (rank + 1) % blocks, last = (rank + 2) % blocks;
  values[i] = rank * 1000 + i;
  if (i == 0) counter = 0, slot = 7;
  sync_cluster<ByFunctions>(0);
  seen s;
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(short_address(&values[i])), "r"(next));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(s.from_short) : "r"(address) : "memory");
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(s.owner_short) : "r"(address));
  uint64_t whole;
  asm("mapa.shared::cluster.u64 %0, %1, %2;" : "=l"(whole) : "l"(__cvta_generic_to_shared(&values[63 - i])), "r"(next));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(s.from_whole) : "l"(whole) : "memory");
  asm("mapa.u64 %0, %1, %2;" : "=l"(whole) : "l"(&values[i ^ 1]), "r"(last));
  asm volatile("ld.u32 %0, [%1];" : "=r"(s.from_generic) : "l"(whole) : "memory");
  asm("getctarank.u64 %0, %1;" : "=r"(s.owner_whole) : "l"(whole));
  auto* const mapped = static_cast<unsigned*>(__cluster_map_shared_rank(&values[i], next));
  s.from_function = *mapped;
  s.owner_by_function = __cluster_query_shared_rank(mapped);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(short_address(&inbox[i])), "r"(last));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(number * 100 + i) : "memory");
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(short_address(&counter)), "r"(next));
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address), "r"(i) : "memory");
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(address) : "r"(short_address(&slot)));
  asm volatile("atom.shared::cluster.cluster.max.u32 %0, [%1], %2;"
               : "=r"(s.exchanged)
               : "r"(address), "r"(3u)
               : "memory");
  sync_cluster<ByFunctions>(1);
  s.pushed = inbox[i];
  s.counted = counter;
  s.rank = rank;
  s.blocks = blocks;
  s.specified = __clusterDimIsSpecified();
  const dim3 in_cluster = __clusterRelativeBlockIdx(), cluster = __clusterIdx(),
             clusters = __clusterGridDimInClusters(), size = __clusterDim();
  s.in_cluster[0] = in_cluster.x, s.in_cluster[1] = in_cluster.y, s.in_cluster[2] = in_cluster.z;
  s.cluster[0] = cluster.x, s.cluster[1] = cluster.y, s.cluster[2] = cluster.z;
  s.clusters[0] = clusters.x, s.clusters[1] = clusters.y, s.clusters[2] = clusters.z;
  s.size[0] = size.x, s.size[1] = size.y, s.size[2] = size.z;
  out[number * 64 + i] = s;
  sync_cluster<ByFunctions>(2);
}

template <bool ByFunctions>
__global__ void alone(seen* out) {
  talk<ByFunctions>(out);
}
template <bool ByFunctions>
__global__ void __cluster_dims__(3) line(seen* out) {
  talk<ByFunctions>(out);
}
template <bool ByFunctions>
__global__ void __cluster_dims__(2, 2) square(seen* out) {
  talk<ByFunctions>(out);
}

void check(const char* what, void (*kernel)(seen*), dim3 grid, dim3 cluster) {
  seen* out;
  const unsigned blocks = grid.x * grid.y * grid.z, members = cluster.x * cluster.y * cluster.z;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * 64 * sizeof(seen)));
  kernel<<<grid, 64>>>(out);
  EXPECT_SUCCESS(cudaGetLastError());
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const unsigned sizes[3] = {cluster.x, cluster.y, cluster.z}, extents[3] = {grid.x, grid.y, grid.z};
  for (unsigned number = 0; number < blocks; ++number) {
    const unsigned at[3] = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
    unsigned rank = 0;
    for (int axis = 2; axis >= 0; --axis) rank = rank * sizes[axis] + at[axis] % sizes[axis];
    const unsigned next = (rank + 1) % members, last = (rank + 2) % members;
    // The block of this cluster whose rank is 2 less has pushed to this one.
    const unsigned sender = (rank + 2 * members - 2) % members;
    unsigned place[3] = {sender % sizes[0], sender / sizes[0] % sizes[1], sender / sizes[0] / sizes[1]};
    for (int axis = 0; axis < 3; ++axis) place[axis] += at[axis] / sizes[axis] * sizes[axis];
    const unsigned sender_number = (place[2] * grid.y + place[1]) * grid.x + place[0];
    for (unsigned i = 0; i < 64; ++i) {
      const seen& s = out[number * 64 + i];
      expect_equal(s.from_short, next * 1000 + i, what, i);
      expect_equal(s.from_whole, next * 1000 + 63 - i, what, i);
      expect_equal(s.from_generic, last * 1000 + (i ^ 1), what, i);
      expect_equal(s.from_function, next * 1000 + i, what, i);
      expect_equal(s.owner_short, next, what, i);
      expect_equal(s.owner_whole, last, what, i);
      expect_equal(s.owner_by_function, next, what, i);
      expect_equal(s.pushed, sender_number * 100 + i, what, i);
      expect_equal(s.counted, 63u * 64u / 2, what, i);
      expect_equal(s.exchanged, 7u, what, i);
      expect_equal(s.rank, rank, what, i);
      expect_equal(s.blocks, members, what, i);
      expect_equal(s.specified, members > 1 ? 1u : 0u, what, i);
      for (int axis = 0; axis < 3; ++axis) {
        expect_equal(s.in_cluster[axis], at[axis] % sizes[axis], what, i);
        expect_equal(s.cluster[axis], at[axis] / sizes[axis], what, i);
        expect_equal(s.clusters[axis], extents[axis] / sizes[axis], what, i);
        expect_equal(s.size[axis], sizes[axis], what, i);
      }
    }
  }
  cudaFree(out);
}

int main() {
  check("PTX, no cluster", alone<false>, dim3(3), dim3(1));
  check("PTX, line", line<false>, dim3(6, 2), dim3(3));
  check("PTX, square", square<false>, dim3(4, 2, 3), dim3(2, 2));
  check("functions, no cluster", alone<true>, dim3(3), dim3(1));
  check("functions, line", line<true>, dim3(6, 2), dim3(3));
  check("functions, square", square<true>, dim3(4, 2, 3), dim3(2, 2));
  return result();
}
