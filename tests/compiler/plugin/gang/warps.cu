// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in which several warps run together: collectives in rows of several warps, and blocks whose rows are warps.
// Warps differ in an index, the length of a loop, a branch, a mask, and the order of atomics.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <vector>

#include "../check.hpp"

namespace cg = cooperative_groups;

// Each warp sums values from memory, then the first warp sums the warps' results.
__global__ void sums(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned of_warp[32];
  const unsigned i = threadIdx.x, warps = blockDim.x / 32;
  unsigned sum = 0;
  for (unsigned k = i; k < n; k += blockDim.x) sum += in[k] * (k % 7 + 1);
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (i % 32 == 0) of_warp[i / 32] = sum;
  __syncthreads();
  if (i >= 32) return;
  sum = i < warps ? of_warp[i] : 0;
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (i == 0) out[blockIdx.x] = sum;
}

// Warps of a block leave loops and branches at different times, between collectives and barriers.
__global__ void turns(const unsigned* in, unsigned* out, unsigned* count, int rounds) {
  __shared__ unsigned last[1024];
  const unsigned i = threadIdx.x;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned value = in[i];
  for (int r = 0; r < rounds; ++r) {
    for (unsigned k = 0; k < value % 5 + i / 32; ++k) value = value * 3 + k;
    value += cg::reduce(tile, value, cg::plus<unsigned>());
    if (i / 32 % 2 == 0) value ^= __ballot_sync(~0u, value & 1);
    if (value % 4 == 1) atomicAdd(count, 1);
    last[i] = value;
    value += __syncthreads_count(value % 3 == 0);
    value += last[blockDim.x - 1 - i];
    __syncthreads();
  }
  out[i] = value;
}

// Tiles of 32 columns: all warps load one row of `b`, and each warp one element of `a`.
__global__ void product(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  __shared__ unsigned of_a[32][32], of_b[32][33];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int rows = blockDim.y;
  unsigned sum = 0;
  for (int k = 0; k < n; k += rows) {
    if (z == 0) {
      of_a[y][x] = a[(k + y) * 32 + x];
      of_b[x][y] = b[(k + y) * 32 + x];
    }
    __syncthreads();
    for (int i = 0; i < rows; ++i) sum += of_a[i][y] * of_b[x][i] + of_a[y][i];
    for (int i = 0; i < y; ++i) sum = sum * 5 + of_a[i][x];
    if (y % 3 == 1) sum ^= of_b[x][0];
    if (x < y) sum += z + 1;
    __syncthreads();
  }
  c[(z * rows + y) * 32 + x] = sum;
}

// A sum for each warp, then a barrier of the grid, after which each thread reads the sums of all warps.
__global__ void across(const unsigned* in, unsigned* of_warp, unsigned* out, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x, rank = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned long long k = rank; k < n; k += threads) sum += in[k] * static_cast<unsigned>(k % 7 + 1);
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[rank / 32] = sum;
  cg::this_grid().sync();
  unsigned all = rank;
  for (unsigned warp = 0; warp < threads / 32; ++warp) all = all * 3 + of_warp[warp];
  out[rank] = all;
}

void check_sums(const unsigned* in, unsigned* out, unsigned threads, unsigned n) {
  sums<<<2, threads>>>(in, out, n);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  unsigned sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += in[k] * (k % 7 + 1);
  for (unsigned b = 0; b < 2; ++b) expect_equal(out[b], sum, "sums", threads);
}

void check_across(const unsigned* in, unsigned* out, unsigned threads, unsigned n) {
  constexpr unsigned blocks = 3;
  unsigned* of_warp = out + blocks * threads;
  void* arguments[] = {&in, &of_warp, &out, &n};
  EXPECT_SUCCESS(cudaLaunchCooperativeKernel(across, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  std::vector<unsigned> sums(blocks * threads / 32);
  for (unsigned k = 0; k < n; ++k) sums[k % (blocks * threads) / 32] += in[k] * (k % 7 + 1);
  for (unsigned i = 0; i < blocks * threads; ++i) {
    unsigned all = i;
    for (const unsigned sum : sums) all = all * 3 + sum;
    expect_equal(out[i], all, "across", i);
  }
}

void check_turns(const unsigned* in, unsigned* out, unsigned threads) {
  constexpr int rounds = 5;
  unsigned& counted = out[threads];
  counted = 0;
  turns<<<1, threads>>>(in, out, &counted, rounds);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  std::vector<unsigned> values(in, in + threads);
  unsigned expected_count = 0;
  for (int r = 0; r < rounds; ++r) {
    unsigned thirds = 0;
    for (unsigned first = 0; first < threads; first += 32) {
      unsigned sum = 0, ballot = 0;
      for (unsigned i = first; i < first + 32; ++i) {
        const unsigned turns_of_lane = i / 32;
        unsigned& value = values[i];
        for (unsigned k = 0; k < value % 5 + turns_of_lane; ++k) value = value * 3 + k;
        sum += value;
      }
      for (unsigned i = first; i < first + 32; ++i) ballot |= ((values[i] += sum) & 1) << i % 32;
      for (unsigned i = first; i < first + 32; ++i) {
        if (first / 32 % 2 == 0) values[i] ^= ballot;
        expected_count += values[i] % 4 == 1;
        thirds += values[i] % 3 == 0;
      }
    }
    const std::vector<unsigned> last = values;
    for (unsigned i = 0; i < threads; ++i) values[i] += thirds + last[threads - 1 - i];
  }
  for (unsigned i = 0; i < threads; ++i) expect_equal(out[i], values[i], "turns", i);
  expect_equal(counted, expected_count, "count", threads);
}

void check_product(const unsigned* in, unsigned* out, int rows, int planes) {
  const int n = 4 * rows;
  const unsigned *a = in, *b = in + 1500;
  product<<<1, dim3(32, rows, planes)>>>(a, b, out, n);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int z = 0; z < planes; ++z) {
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < 32; ++x) {
        unsigned sum = 0;
        for (int k = 0; k < n; k += rows) {
          for (int i = 0; i < rows; ++i) sum += a[(k + i) * 32 + y] * b[(k + i) * 32 + x] + a[(k + y) * 32 + i];
          for (int i = 0; i < y; ++i) sum = sum * 5 + a[(k + i) * 32 + x];
          if (y % 3 == 1) sum ^= b[k * 32 + x];
          if (x < y) sum += static_cast<unsigned>(z) + 1;
        }
        expect_equal(out[(z * rows + y) * 32 + x], sum, "product", static_cast<unsigned>(y));
      }
    }
  }
}

int main() {
  unsigned *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 8192 * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 8192 * sizeof(unsigned)));
  for (unsigned i = 0; i < 8192; ++i) in[i] = i * 2654435761u >> 7;
  for (const unsigned threads : {32u, 64u, 96u, 128u, 256u, 384u, 1024u}) {
    for (const unsigned n : {0u, 1u, 31u, 127u, 128u, 1000u, 8192u}) check_sums(in, out, threads, n);
    for (const unsigned n : {0u, 100u, 8192u}) check_across(in, out, threads, n);
    check_turns(in, out, threads);
  }
  for (const int rows : {1, 2, 3, 4, 6, 8, 16, 32}) {
    check_product(in, out, rows, 1);
    if (rows <= 8) check_product(in, out, rows, 3);
  }
  return result();
}
