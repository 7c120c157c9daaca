// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects in clusters whose blocks share what one block loads.
#include "cases.hpp"
#include "pipeline.hpp"

namespace {

enum class defect {
  none,
  no_sync_after_init,
  one_block_of_mask,
  release_in_own_block,
  reuse_after_own_block,
  expect_in_one_block,
};

constexpr int threads = 32, blocks = 2, rounds = 4, bytes = threads * 4;

// Block 0 loads a row into both blocks; both read it and release it in block 0.
template <defect d>
__global__ __cluster_dims__(blocks, 1, 1) void share(const int* in, int* out) {
  __shared__ alignas(128) int row[threads];
  __shared__ uint64_t full, empty;
  const int t = threadIdx.x;
  const uint32_t rank = rank_in_cluster();
  if (t == 0) {
    init(&full, 1);
    init(&empty, d == defect::reuse_after_own_block ? threads : blocks * threads);
  }
  if (d == defect::no_sync_after_init) {
    __syncthreads();
  } else {
    sync_cluster();
  }
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (t == 0 && (d != defect::expect_in_one_block || rank == 0)) arrive_expecting(&full, bytes);
    if (rank == 0 && t == 0) {
      if (round > 0) wait(&empty, (round - 1) & 1);
      LOAD_FOR_BLOCKS(row, in + round * threads, bytes, &full, d == defect::one_block_of_mask ? 1 : 3);  // @copy
    }
    wait(&full, round & 1);
    sum += row[threads - 1 - t];  // @read
    if (d == defect::reuse_after_own_block) {
      if (rank == 0) arrive_in_block(&empty, 0);
    } else {
      arrive_in_block(&empty, d == defect::release_in_own_block ? rank : 0);
    }
  }
  out[rank * threads + t] = sum;
  sync_cluster();
}

template <defect d>
void run() {
  int* const in = device_numbers<int>(rounds * threads);
  int* const out = device_array<int>(blocks * threads);
  share<d><<<blocks, threads>>>(in, out);
  if (d != defect::none) return;
  int sums[blocks * threads];
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  for (int t = 0; t < blocks * threads; ++t) {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) sum += round * threads + threads - t % threads;
    if (sums[t] != sum) std::printf("thread %d: %d, expected %d\n", t, sums[t], sum);
  }
}

constexpr planted_case cases[] = {
    {"no_sync_after_init", run<defect::no_sync_after_init>, run<defect::none>},
    {"one_block_of_mask", run<defect::one_block_of_mask>, run<defect::none>},
    {"release_in_own_block", run<defect::release_in_own_block>, run<defect::none>},
    {"reuse_after_own_block", run<defect::reuse_after_own_block>, run<defect::none>},
    {"expect_in_one_block", run<defect::expect_in_one_block>, run<defect::none>},
};

}  // namespace

int main(int words, char** word) { return run_case(cases, words, word); }
