// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects around bulk copies into shared memory, and their mbarriers.
#include "cases.hpp"
#include "pipeline.hpp"

namespace {

enum class defect {
  none,
  wrong_parity,
  parity_of_first_turn,
  no_expected_bytes,
  few_bytes,
  many_bytes,
  no_wait,
  wait_of_one_thread,
  early_reuse,
  reuse_parity,
  release_before_read,
  few_arrivals,
  many_arrivals,
  wait_before_init,
  source_alignment,
  size,
  late_expectation,
  unfenced_source,
};

constexpr int stages = 2, rounds = 6, values = 64, bytes = values * 4;

// Thread 64 is the producer and fills stages; 64 consumers sum them up.
template <defect d>
__global__ void stream(int* in, int* out) {
  __shared__ alignas(128) int stage[stages][values];
  __shared__ uint64_t full[stages], empty[stages];
  const int t = threadIdx.x;
  const bool produces = t == values;
  if (produces) {
    for (int s = 0; s < stages; ++s) {
      init(&full[s], 1);  // @init
      init(&empty[s], d == defect::few_arrivals ? 32 : d == defect::many_arrivals ? 65 : 64);
    }
  }
  if (d != defect::wait_before_init) __syncthreads();
  if (d == defect::unfenced_source) {
    if (produces) in[3] = 3;  // @source
    __syncthreads();
  }
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int s = round % stages, turn = round / stages;
    if (produces) {
      if (d != defect::early_reuse) wait(&empty[s], d == defect::reuse_parity ? turn & 1 : (turn & 1) ^ 1);
      const int* const from = in + round * values + (d == defect::source_alignment ? 1 : 0);
      if (d == defect::no_expected_bytes) {
        arrive(&full[s]);
      } else if (d != defect::late_expectation) {
        arrive_expecting(&full[s], d == defect::few_bytes ? bytes / 2 : d == defect::many_bytes ? bytes + 16 : bytes);
      }
      LOAD(stage[s], from, d == defect::size ? bytes - 4 : bytes, &full[s]);  // @copy
      if (d == defect::late_expectation) arrive(&full[s]);
    } else if (t < values) {
      const int parity = d == defect::wrong_parity ? (turn & 1) ^ 1 : d == defect::parity_of_first_turn ? 0 : turn & 1;
      if (d == defect::release_before_read) {
        wait(&full[s], parity);
        arrive(&empty[s]);
        for (int i = 0; i < 2; ++i) __syncwarp();
      } else if (d == defect::wait_of_one_thread ? t == 0 : d != defect::no_wait) {
        wait(&full[s], parity);
      }
      sum += stage[s][values - 1 - t];                          // @read
      if (d != defect::release_before_read) arrive(&empty[s]);  // @arrive
    }
  }
  if (t < values) out[t] = sum;
}

template <defect d>
void run() {
  int* const in = device_numbers<int>(rounds * values + 4);
  int* const out = device_array<int>(values);
  stream<d><<<1, values + 32>>>(in, out);
  if (d != defect::none) return;
  int sums[values];
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  for (int t = 0; t < values; ++t) {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) sum += round * values + values - t;
    if (sums[t] != sum) std::printf("thread %d: %d, expected %d\n", t, sums[t], sum);
  }
}

constexpr planted_case cases[] = {
    {"wrong_parity", run<defect::wrong_parity>, run<defect::none>},
    {"parity_of_first_turn", run<defect::parity_of_first_turn>, run<defect::none>},
    {"no_expected_bytes", run<defect::no_expected_bytes>, run<defect::none>},
    {"few_bytes", run<defect::few_bytes>, run<defect::none>},
    {"many_bytes", run<defect::many_bytes>, run<defect::none>},
    {"no_wait", run<defect::no_wait>, run<defect::none>},
    {"wait_of_one_thread", run<defect::wait_of_one_thread>, run<defect::none>},
    {"early_reuse", run<defect::early_reuse>, run<defect::none>},
    {"reuse_parity", run<defect::reuse_parity>, run<defect::none>},
    {"release_before_read", run<defect::release_before_read>, run<defect::none>},
    {"few_arrivals", run<defect::few_arrivals>, run<defect::none>},
    {"many_arrivals", run<defect::many_arrivals>, run<defect::none>},
    {"wait_before_init", run<defect::wait_before_init>, run<defect::none>},
    {"source_alignment", run<defect::source_alignment>, run<defect::none>},
    {"size", run<defect::size>, run<defect::none>},
    {"late_expectation", run<defect::late_expectation>, run<defect::none>},
    {"unfenced_source", run<defect::unfenced_source>, run<defect::none>},
};

}  // namespace

int main(int words, char** word) { return run_case(cases, words, word); }
