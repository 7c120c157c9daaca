// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of distributed shared memory: a block accesses the memory of a block that may have ended. The defect
// exists in each order of the blocks.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "planted.hpp"

namespace cg = cooperative_groups;

namespace {

int* zeroed(std::size_t count) {
  int* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(int));
  cudaMemset(memory, 0, count * sizeof(int));
  return memory;
}

template <class... Parameters, class... Arguments>
void run(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
  kernel<<<blocks, threads>>>(arguments...);
  cudaDeviceSynchronize();
}

// Every block reads its right neighbour.
__global__ void __cluster_dims__(4, 1, 1) read_neighbour(int* out, bool defect) {
  __shared__ int values[33];
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = static_cast<int>(blockIdx.x * 100 + threadIdx.x);
  cluster.sync();
  const int* const next = cluster.map_shared_rank(values, (cluster.block_rank() + 1) % 4);
  out[blockIdx.x * 33 + threadIdx.x] = next[32 - threadIdx.x];  // here: neighbour_read
  if (!defect) cluster.sync();
}
PLANTED(neighbour_read, "of the shared variable values, in shared memory of block (") {
  int* const out = zeroed(8 * 33);
  run(read_neighbour, 8, 33, out, defect);
  cudaFree(out);
}

// The schedule decides which block ends first, so each of the two blocks is `reader` in a case.
__global__ void __cluster_dims__(2, 1, 1) read_from_one(int* out, unsigned reader, bool defect) {
  __shared__ int values[32];
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = 7;
  cluster.sync();
  if (cluster.block_rank() == reader) {
    out[threadIdx.x] =
        *cluster.map_shared_rank(&values[threadIdx.x], reader ^ 1);  // here: read_by_first read_by_second
  }
  if (!defect) cluster.sync();
}
PLANTED(read_by_first, "in shared memory of block (1, 0, 0)") {
  int* const out = zeroed(32);
  run(read_from_one, 2, 32, out, 0u, defect);
  cudaFree(out);
}
PLANTED(read_by_second, "in shared memory of block (0, 0, 0)") {
  int* const out = zeroed(32);
  run(read_from_one, 2, 32, out, 1u, defect);
  cudaFree(out);
}

// The bins of a histogram lie in both blocks. Each block waits before it starts, and then adds up its own bins at once.
__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int* out, int n, bool defect) {
  __shared__ int bins[16];
  const auto cluster = cg::this_cluster();
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  cluster.sync();
  for (int i = static_cast<int>(cluster.thread_rank()); i < n; i += static_cast<int>(cluster.num_threads())) {
    const int bin = (in[i] + i) % 32;
    atomicAdd(cluster.map_shared_rank(bins, bin / 16) + bin % 16, 1);  // here: remote_atomic
  }
  if (!defect) cluster.sync();
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[blockIdx.x * 16 + threadIdx.x], atomicAdd(&bins[threadIdx.x], 0));
}
PLANTED(remote_atomic, "of the shared variable bins") {
  int *const in = zeroed(500), *const out = zeroed(32);
  run(histogram, 2, 47, static_cast<const int*>(in), out, 500, defect);
  cudaFree(in);
  cudaFree(out);
}

__global__ void __cluster_dims__(3, 1, 1) scatter(int* out, bool defect) {
  __shared__ int inbox[40];
  const auto cluster = cg::this_cluster();
  inbox[threadIdx.x] = 0;
  cluster.sync();
  cluster.map_shared_rank(inbox, (cluster.block_rank() + 2) % 3)[threadIdx.x] = 5;  // here: remote_write
  if (!defect) cluster.sync();
  out[blockIdx.x] = 1;
}
PLANTED(remote_write, "of the shared variable inbox") {
  int* const out = zeroed(6);
  run(scatter, 6, 40, out, defect);
  cudaFree(out);
}

// A loop of reads of the other block's dynamic shared memory.
__global__ void __cluster_dims__(2, 1, 1) sum_of_other(int* out, bool defect) {
  extern __shared__ int part[];
  const auto cluster = cg::this_cluster();
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  cluster.sync();
  const int* const other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) sum += other[i];  // here: loop_of_reads
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  if (!defect) cluster.sync();
}
PLANTED(loop_of_reads, "of the dynamic shared memory of block (") {
  int* const out = zeroed(128);
  sum_of_other<<<2, 64, 64 * sizeof(int)>>>(out, defect);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// The reader only arrives, and the owner waits: a half of the split-phase barrier is enough for each.
__global__ void __cluster_dims__(2, 1, 1) split_barrier(int* out, bool defect) {
  __shared__ int values[32];
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = 3;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    if (!defect) out[threadIdx.x] = cluster.map_shared_rank(values, 1)[threadIdx.x];
    cluster.barrier_arrive();
    cluster.barrier_wait();
    if (defect) out[threadIdx.x] = cluster.map_shared_rank(values, 1)[threadIdx.x];  // here: after_last_barrier
  } else {
    cluster.barrier_arrive();
    cluster.barrier_wait();
  }
}
PLANTED(after_last_barrier, "in shared memory of block (1, 0, 0)") {
  int* const out = zeroed(32);
  run(split_barrier, 2, 32, out, defect);
  cudaFree(out);
}

// The owner waits for a flag in its own memory, which the readers set. With the defect they set it before they read.
__global__ void __cluster_dims__(2, 1, 1) ordered_by_flag(int* out, bool defect) {
  __shared__ int values[32];
  __shared__ int readers;
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = 3;
  if (threadIdx.x == 0) readers = 0;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> done(*cluster.map_shared_rank(&readers, 1));
    if (defect) done.fetch_add(1, cuda::memory_order_release);
    out[threadIdx.x] = cluster.map_shared_rank(values, 1)[threadIdx.x];  // here: behind_the_flag
    if (!defect) done.fetch_add(1, cuda::memory_order_release);          // here: behind_the_flag
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> done(readers);
    while (done.load(cuda::memory_order_acquire) != 32) {
    }
  }
}
PLANTED(behind_the_flag, "of the shared variable values, in shared memory of block (1, 0, 0)") {
  int* const out = zeroed(32);
  run(ordered_by_flag, 2, 32, out, defect);
  cudaFree(out);
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }
