// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects around bulk copies and reductions from shared to global memory.
#include "cases.hpp"
#include "pipeline.hpp"

namespace {

enum class defect {
  none,
  no_fence,
  fence_before_write,
  no_barrier,
  early_overwrite,
  wait_without_commit,
  wait_of_another_thread,
  read_after_source_wait,
  unordered_add,
};

constexpr int threads = 96, bytes = threads * 4, rounds = 3;

// Writes a row for each round through one buffer, and reads the rows of the other threads back.
template <defect d>
__global__ void rows(int* to, int* sums) {
  __shared__ alignas(128) int buffer[threads];
  const int t = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    if (d == defect::fence_before_write) fence_proxy();
    buffer[t] = round * threads + t;  // @write
    if (d != defect::no_fence && d != defect::fence_before_write) fence_proxy();
    if (d != defect::no_barrier) __syncthreads();
    if (t == 0) {
      STORE(to + round * threads, buffer, bytes);  // @store
      if (d != defect::wait_without_commit) commit_stores();
      if (d != defect::early_overwrite && d != defect::wait_of_another_thread) wait_for_reads();
    }
    if (d == defect::wait_of_another_thread && t == 1) wait_for_reads();
    __syncthreads();
  }
  if (t == 0 && d != defect::read_after_source_wait) wait_for_stores();
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += to[round * threads + threads - 1 - t];  // @back
  sums[t] = sum;
}

// All blocks add their rows to one.
template <defect d>
__global__ void add(int* to) {
  __shared__ alignas(128) int buffer[threads];
  const int t = threadIdx.x;
  buffer[t] = t;
  fence_proxy();
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to),  // @reduction
                 "r"(shared_address(buffer)), "r"(bytes)
                 : "memory");
    commit_stores();
    wait_for_stores();
  }
  if (d == defect::unordered_add && blockIdx.x == 1) to[t] += 1;  // @plain
}

template <defect d>
void run() {
  int* const to = device_array<int>(rounds * threads);
  int* const sums = device_array<int>(threads);
  rows<d><<<1, threads>>>(to, sums);
  if (d != defect::none) return;
  int found[threads];
  cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    const int sum = 3 * threads + rounds * (threads - 1 - t);
    if (found[t] != sum) std::printf("thread %d: %d, expected %d\n", t, found[t], sum);
  }
}
template <defect d>
void run_add() {
  int* const to = device_array<int>(threads);
  add<d><<<3, threads>>>(to);
  if (d != defect::none) return;
  int found[threads];
  cudaMemcpy(found, to, sizeof found, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    if (found[t] != 3 * t) std::printf("thread %d: %d, expected %d\n", t, found[t], 3 * t);
  }
}

constexpr planted_case cases[] = {
    {"no_fence", run<defect::no_fence>, run<defect::none>},
    {"fence_before_write", run<defect::fence_before_write>, run<defect::none>},
    {"no_barrier", run<defect::no_barrier>, run<defect::none>},
    {"early_overwrite", run<defect::early_overwrite>, run<defect::none>},
    {"wait_without_commit", run<defect::wait_without_commit>, run<defect::none>},
    {"wait_of_another_thread", run<defect::wait_of_another_thread>, run<defect::none>},
    {"read_after_source_wait", run<defect::read_after_source_wait>, run<defect::none>},
    {"unordered_add", run_add<defect::unordered_add>, run_add<defect::none>},
};

}  // namespace

int main(int words, char** word) { return run_case(cases, words, word); }
