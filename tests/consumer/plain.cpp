// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain C++ program: its kernels are functions, and it needs no CUDA compiler.
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>
#include <cstdio>
#include <vector>

cohort::error add_one(int* data, int count);  // defined in plain_other.cpp

static void warp_sums(int* out) {
  const auto warp = cohort::tiled_partition<32>(cohort::this_thread_block());
  const int i = static_cast<int>(cohort::this_grid().thread_rank());
  out[i] = cohort::reduce(warp, i, cohort::plus<int>());
}

int main() {
  constexpr int blocks = 3, threads = 100;  // not a multiple of a warp
  std::vector<int> data(blocks * threads);
  cohort::error error = cohort::launch(blocks, threads, warp_sums, data.data());
  if (!error) error = add_one(data.data(), blocks * threads);
  if (error) {
    std::printf("plain: %s\n", cohort::message(error));
    return 1;
  }
  for (int i = 0; i < blocks * threads; ++i) {
    const int block = i / threads, first = i % threads / 32 * 32;
    int expected = 1;
    for (int member = first; member < first + 32 && member < threads; ++member) expected += block * threads + member;
    if (data[i] != expected) {
      std::printf("plain: element %d is %d, expected %d\n", i, data[i], expected);
      return 1;
    }
  }
  std::printf("plain: right\n");
  return 0;
}
