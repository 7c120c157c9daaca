// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as ordinary C++ functions, for any C++17 compiler: a histogram with shared memory (cohort::launch), and the
// subtraction of a mean, which needs a barrier of the grid (cohort::launch_cooperative).
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>
#include <cohort/shared.hpp>

#include "../support/options.hpp"

constexpr unsigned bins = 16;

struct local_counts {
  std::atomic<unsigned> count[bins];
};

//! [shared]
// Counts in shared memory first, then adds the block's counts to `total`.
void histogram(const uint32_t* data, size_t size, std::atomic<unsigned>* total) {
  const auto grid = cohort::this_grid();
  const auto block = cohort::this_thread_block();
  auto& local = cohort::shared<local_counts, struct local_counts_tag>();  // zero-initialized for each block

  for (size_t i = grid.thread_rank(); i < size; i += grid.size()) ++local.count[data[i] % bins];
  block.sync();
  for (unsigned b = block.thread_rank(); b < bins; b += block.size()) total[b] += local.count[b];
}
//! [shared]

// Subtracts the truncated mean from each element. The barrier separates the sum of all elements from its use.
void remove_mean(int64_t* data, int64_t size, std::atomic<int64_t>* sum) {
  const auto grid = cohort::this_grid();
  const auto warp = cohort::tiled_partition<32>(cohort::this_thread_block());
  int64_t mine = 0;
  for (int64_t i = static_cast<int64_t>(grid.thread_rank()); i < size; i += static_cast<int64_t>(grid.size()))
    mine += data[i];
  mine = cohort::reduce(warp, mine, cohort::plus<int64_t>());
  if (warp.thread_rank() == 0) *sum += mine;
  grid.sync();
  const int64_t mean = *sum / size;
  for (int64_t i = static_cast<int64_t>(grid.thread_rank()); i < size; i += static_cast<int64_t>(grid.size()))
    data[i] -= mean;
}

int main(int argc, char** argv) {
  long long elements = 100003, blocks = 3, threads = 100;
  example::options("plain_cpp", "kernels as ordinary C++ functions")
      .number("--elements", elements, 1, 100000000, "numbers")
      .number("--blocks", blocks, 1, 65535, "blocks of the histogram's grid")
      .number("--threads", threads, 1, 1024, "threads of a block")
      .parse(argc, argv);
  const auto size = static_cast<size_t>(elements);

  std::vector<uint32_t> data(size);
  std::vector<unsigned> expected(bins, 0);
  std::vector<int64_t> values(size);
  int64_t expected_sum = 0;
  uint32_t state = 1;
  for (size_t i = 0; i < size; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = state >> 12;
    values[i] = data[i];
    ++expected[data[i] % bins];
    expected_sum += values[i];
  }

  //! [launch]
  const cohort::dim3 grid(static_cast<unsigned>(blocks)), block(static_cast<unsigned>(threads));
  std::atomic<unsigned> counts[bins] = {};
  cohort::error error = cohort::launch(grid, block, histogram, data.data(), size, counts);
  if (error) {
    std::fprintf(stderr, "plain_cpp: histogram: %s\n", cohort::message(error));
    return 1;
  }
  //! [launch]
  bool right = true;
  for (unsigned b = 0; b < bins; ++b) right = right && counts[b] == expected[b];
  std::printf("%lld numbers in %u bins by %lld blocks; bin 0 holds %u\n", elements, bins, blocks, counts[0].load());

  std::atomic<int64_t> sum{0};
  error = cohort::launch_cooperative(cohort::dim3(2), block, remove_mean, values.data(), static_cast<int64_t>(elements),
                                     &sum);
  if (error) {
    std::fprintf(stderr, "plain_cpp: remove_mean: %s\n", cohort::message(error));
    return 1;
  }
  right = right && sum == expected_sum;
  for (size_t i = 0; i < size; ++i)
    right = right && values[i] == static_cast<int64_t>(data[i]) - expected_sum / elements;
  std::printf("mean %lld\n", static_cast<long long>(expected_sum / elements));

  // A lambda can be a kernel. A cooperative grid that exceeds the device is refused before it starts.
  const auto nothing = [](int) {};
  const cohort::error refused = cohort::launch_cooperative(cohort::dim3(1000000), cohort::dim3(1024), nothing, 0);
  std::printf("a million blocks at once: %s\n", cohort::message(refused));
  right = right && refused == cohort::error(720) && !cohort::launch(1, 32, nothing, 0);
  return example::verdict(right, "histogram, mean and the refused launch");
}
