// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __cluster_dims__ on kernels, templates and declarations, and the cluster registers of inline PTX.
#include "../check.hpp"

struct seen {
  unsigned rank, blocks, in_cluster[3], cluster_size[3], cluster[3], clusters[3];
};

__device__ void look(seen* out) {
  seen s;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(s.rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(s.blocks));
  asm("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_ctaid.y; mov.u32 %2, %%cluster_ctaid.z;"
      : "=r"(s.in_cluster[0]), "=r"(s.in_cluster[1]), "=r"(s.in_cluster[2]));
  asm("mov.u32 %0, %%cluster_nctaid.x; mov.u32 %1, %%cluster_nctaid.y; mov.u32 %2, %%cluster_nctaid.z;"
      : "=r"(s.cluster_size[0]), "=r"(s.cluster_size[1]), "=r"(s.cluster_size[2]));
  asm("mov.u32 %0, %%clusterid.x; mov.u32 %1, %%clusterid.y; mov.u32 %2, %%clusterid.z;"
      : "=r"(s.cluster[0]), "=r"(s.cluster[1]), "=r"(s.cluster[2]));
  asm("mov.u32 %0, %%nclusterid.x; mov.u32 %1, %%nclusterid.y; mov.u32 %2, %%nclusterid.z;"
      : "=r"(s.clusters[0]), "=r"(s.clusters[1]), "=r"(s.clusters[2]));
  if (threadIdx.x == 0) out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = s;
}

__global__ void none(seen* out) { look(out); }
__global__ void __cluster_dims__(2) one_axis(seen* out) { look(out); }
__global__ void one_axis_waits(seen* out) __cluster_dims__(2, 1);
__global__ void one_axis_waits(seen* out) {
  __syncthreads();
  look(out);
}
template <int size>
__global__ void __launch_bounds__(64) __cluster_dims__(1, size, 2) three_axes(seen* out) {
  look(out);
}

void check(const char* what, void (*kernel)(seen*), dim3 grid, dim3 cluster) {
  seen* out;
  const unsigned blocks = grid.x * grid.y * grid.z;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * sizeof(seen)));
  kernel<<<grid, 33>>>(out);
  EXPECT_SUCCESS(cudaGetLastError());
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const unsigned sizes[3] = {cluster.x, cluster.y, cluster.z}, grids[3] = {grid.x, grid.y, grid.z};
  for (unsigned b = 0; b < blocks; ++b) {
    const unsigned at[3] = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    expect_equal(out[b].blocks, cluster.x * cluster.y * cluster.z, what, b);
    expect_equal(out[b].rank, (at[2] % cluster.z * cluster.y + at[1] % cluster.y) * cluster.x + at[0] % cluster.x, what,
                 b);
    for (int axis = 0; axis < 3; ++axis) {
      expect_equal(out[b].in_cluster[axis], at[axis] % sizes[axis], what, b);
      expect_equal(out[b].cluster_size[axis], sizes[axis], what, b);
      expect_equal(out[b].cluster[axis], at[axis] / sizes[axis], what, b);
      expect_equal(out[b].clusters[axis], grids[axis] / sizes[axis], what, b);
    }
  }
  cudaFree(out);
}

int main() {
  check("no cluster", none, dim3(3, 2, 2), dim3(1, 1, 1));
  check("one axis", one_axis, dim3(4, 3, 1), dim3(2, 1, 1));
  check("one axis, with a barrier", one_axis_waits, dim3(6), dim3(2, 1, 1));
  check("three axes", three_axes<3>, dim3(2, 6, 4), dim3(1, 3, 2));
  one_axis<<<3, 33>>>(nullptr);
  expect_equal(cudaGetLastError(), cudaErrorInvalidClusterSize, "a grid that clusters do not divide");
  return result();
}
