// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream compaction in order: flags, tile scans and block offsets; and out of order with coalesced_threads in a
// divergent loop, nested branches included.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int atomicAggInc(int* ctr) {
  auto g = cg::coalesced_threads();
  int warp_res;
  if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size());
  return g.shfl(warp_res, 0) + g.thread_rank();
}

__global__ void filter_arr(int* dst, int* nres, const int* src, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x) {
    if (src[i] > 0) {
      if (src[i] % 2 == 0) {
        dst[atomicAggInc(nres)] = src[i];
      } else if (src[i] % 3 == 0) {
        dst[atomicAggInc(nres)] = -src[i];
      }
    }
  }
}

template <int THREADS>
__global__ void ordered_filter(const int* in, int n, int* out, int* count) {
  __shared__ int warp_total[THREADS / 32], base;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) base = 0;
  block.sync();
  for (int start = 0; start < n; start += THREADS) {
    const int i = start + block.thread_rank();
    const bool keep = i < n && in[i] > 0;
    const int before = cg::exclusive_scan(warp, keep ? 1 : 0);
    if (warp.thread_rank() == 31) warp_total[warp.meta_group_rank()] = before + keep;
    block.sync();
    int offset = base;
    for (unsigned w = 0; w < warp.meta_group_rank(); ++w) offset += warp_total[w];
    if (keep) out[offset + before] = in[i];
    block.sync();
    if (block.thread_rank() == THREADS - 1) base = offset + before + keep;
    block.sync();
  }
  if (block.thread_rank() == 0) *count = base;
}

int main() {
  const int n = 20000;
  std::vector<int> in(n), expected, expected_ordered, out(n);
  unsigned s = 3;
  for (int& v : in) {
    s = s * 1103515245u + 12345u;
    v = static_cast<int>(s >> 16) % 2001 - 1000;
    if (v > 0) expected_ordered.push_back(v);
    if (v > 0 && v % 2 == 0) expected.push_back(v);
    if (v > 0 && v % 2 != 0 && v % 3 == 0) expected.push_back(-v);
  }
  int *d_in, *d_out, *d_n, count = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_n, sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_n, 0, sizeof(int));
  filter_arr<<<10, 160>>>(d_out, d_n, d_in, n);
  cudaMemcpy(&count, d_n, sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = count == static_cast<int>(expected.size());
  if (ok) {
    cudaMemcpy(out.data(), d_out, count * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(out.begin(), out.begin() + count);
    std::sort(expected.begin(), expected.end());
    ok = std::equal(expected.begin(), expected.end(), out.begin());
  }
  std::printf("aggregated: %d of %zu, %s\n", count, expected.size(), ok ? "ok" : "WRONG");

  ordered_filter<128><<<1, 128>>>(d_in, n, d_out, d_n);
  cudaMemcpy(&count, d_n, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  const bool ordered = count == static_cast<int>(expected_ordered.size()) &&
                       std::equal(expected_ordered.begin(), expected_ordered.end(), out.begin());
  std::printf("ordered: %d of %zu, %s\n", count, expected_ordered.size(), ordered ? "ok" : "WRONG");
  const cudaError_t last = cudaGetLastError();
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_n);
  return ok && ordered && last == cudaSuccess ? 0 : 1;
}
