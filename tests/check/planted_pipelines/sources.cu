// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects around the source of bulk copies: two copies of one source, and writes of several kinds before a copy.
#include "cases.hpp"
#include "pipeline.hpp"

namespace {

enum class defect {
  none,
  wait_for_one_copy,
  odd_halves,
  even_halves,
  no_fence_after_atomic,
  no_fence_between_blocks,
  write_after_start,
};

constexpr int threads = 64, bytes = threads * 4;

// Two warps store one buffer to two rows; one warp overwrites it after both copies have read it.
template <defect d>
__global__ void twice(int* to) {
  __shared__ alignas(128) int buffer[threads];
  const int t = threadIdx.x;
  buffer[t] = t;
  fence_proxy();
  __syncthreads();
  if (t % 32 == 0) {
    STORE(to + t / 32 * threads, buffer, bytes);  // @both
    commit_stores();
  }
  __syncthreads();
  if (t % 32 == 0 && (d != defect::wait_for_one_copy || t == 0)) wait_for_reads();
  __syncthreads();
  if (t < 32) buffer[t] = -1;  // @overwrite
}

// Two threads write the halves of a word. If only one of them executes the proxy fence, the other half is not covered.
template <defect d>
__global__ void halves(int* to) {
  __shared__ alignas(128) uint16_t buffer[2 * threads];
  const int t = threadIdx.x;
  buffer[t] = static_cast<uint16_t>(t);  // @half
  if (d == defect::none || t % 2 == (d == defect::odd_halves ? 0 : 1)) fence_proxy();
  __syncthreads();
  if (t == 0) {
    STORE(to, buffer, bytes / 2);  // @halves
    commit_stores();
    wait_for_stores();
  }
}

// Both warps add to the words that the first warp then stores.
template <defect d>
__global__ void totals(int* to) {
  __shared__ alignas(128) int buffer[threads / 2];
  const int t = threadIdx.x;
  if (t < 32) buffer[t] = 0;
  fence_proxy();
  __syncthreads();
  atomicAdd(&buffer[t % 32], t);  // @add
  if (d == defect::none) fence_proxy();
  __syncthreads();
  if (t == 0) {
    STORE(to, buffer, bytes / 2);  // @totals
    commit_stores();
    wait_for_stores();
  }
}

// Block 1 writes the source of block 0's copy. A fence by the writers or by the reader suffices.
template <defect d, bool by_writer = false>
__global__ __cluster_dims__(2, 1, 1) void across(int* to) {
  __shared__ alignas(128) int buffer[threads];
  const int t = threadIdx.x;
  buffer[t] = 0;
  fence_proxy();
  sync_cluster();
  if (rank_in_cluster() == 1) {
    asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(in_block(&buffer[t], 0)), "r"(t) : "memory");  // @remote
    if (d == defect::none && by_writer) fence_proxy();
  }
  sync_cluster();
  if (rank_in_cluster() == 0 && t == 0) {
    if (d == defect::none && !by_writer) fence_proxy();
    STORE(to, buffer, bytes);  // @across
    commit_stores();
    wait_for_stores();
  }
}

// Two threads add their rows to one row, each with an mbarrier. The copy that starts last ends first, and releases what
// its thread wrote before it.
template <defect d>
__global__ void reductions(int* to) {
  __shared__ alignas(128) int rows[2][32], sum[32];
  __shared__ uint64_t bars[2];
  __shared__ int notes[2];
  const int t = threadIdx.x, warp = t / 32;
  rows[warp][t % 32] = t;
  if (warp == 0) sum[t] = 0;
  if (t < 2) init(&bars[t], 1);
  fence_proxy();
  __syncthreads();
  if (t % 32 == 0) {
    arrive_expecting(&bars[warp], 128);
    if (d != defect::write_after_start) notes[warp] = 7 + warp;
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 [%0], [%1], 128, "
        "[%2];" ::"r"(shared_address(sum)),
        "r"(shared_address(rows[warp])), "r"(shared_address(&bars[warp]))
        : "memory");
    if (d == defect::write_after_start) notes[warp] = 7 + warp;  // @note
  }
  if (warp == 0) {
    wait(&bars[1], 0);
    to[t] = notes[1];  // @noted
    wait(&bars[0], 0);
    to[t] += sum[t];
  }
}

void expect(const int* found, int i, int wanted) {
  if (found[i] != wanted) std::printf("word %d: %d, expected %d\n", i, found[i], wanted);
}

template <defect d>
void run_twice() {
  int* const to = device_array<int>(2 * threads);
  twice<d><<<1, threads>>>(to);
  int found[2 * threads];
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2 * threads && d == defect::none; ++i) expect(found, i, i % threads);
}
template <defect d>
void run_halves() {
  int* const to = device_array<int>(threads / 2);
  halves<d><<<1, threads>>>(to);
  int found[threads / 2];
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads / 2 && d == defect::none; ++i) expect(found, i, 2 * i | (2 * i + 1) << 16);
}
template <defect d>
void run_totals() {
  int* const to = device_array<int>(threads / 2);
  totals<d><<<1, threads>>>(to);
  int found[threads / 2];
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads / 2 && d == defect::none; ++i) expect(found, i, 2 * i + 32);
}
template <defect d>
void run_across() {
  int* const to = device_array<int>(threads);
  int found[threads];
  across<d><<<2, threads>>>(to);
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads && d == defect::none; ++i) expect(found, i, i);
  if (d == defect::none) across<d, true><<<2, threads>>>(to);
}
template <defect d>
void run_reductions() {
  int* const to = device_array<int>(32);
  reductions<d><<<1, threads>>>(to);
  int found[32];
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32 && d == defect::none; ++i) expect(found, i, 8 + 2 * i + 32);
}

constexpr planted_case cases[] = {
    {"wait_for_one_copy", run_twice<defect::wait_for_one_copy>, run_twice<defect::none>},
    {"odd_halves", run_halves<defect::odd_halves>, run_halves<defect::none>},
    {"even_halves", run_halves<defect::even_halves>, run_halves<defect::none>},
    {"no_fence_after_atomic", run_totals<defect::no_fence_after_atomic>, run_totals<defect::none>},
    {"no_fence_between_blocks", run_across<defect::no_fence_between_blocks>, run_across<defect::none>},
    {"write_after_start", run_reductions<defect::write_after_start>, run_reductions<defect::none>},
};

}  // namespace

int main(int words, char** word) { return run_case(cases, words, word); }
