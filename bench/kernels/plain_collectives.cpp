// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the collective rows, as plain C++.
#include <cohort/launch.hpp>
#include <cstdio>
#include <cstdlib>

#include "collective_bodies.hpp"

namespace bench {

namespace {

eight result;

void collective_kernel(bool in_block, collective what, int rounds) {
  collective_rounds(in_block, what, rounds, &result);
}
void block_sync_kernel(int rounds) {
  const auto block = cohort::this_thread_block();
  for (int i = 0; i < rounds; ++i) block.sync();
}
void grid_sync_kernel(int rounds) { grid_sync_rounds(rounds); }

void check(cohort::error error, const char* what) {
  if (!error) return;
  std::fprintf(stderr, "cohort_bench: %s (plain C++) failed: %s\n", what, cohort::message(error));
  std::exit(1);
}

void run(bool in_block, collective what, int rounds) {
  check(cohort::launch(1u, in_block ? 256u : 32u, collective_kernel, in_block, what, rounds), "collective");
}
void block_sync(int blocks, int threads, int rounds) {
  check(cohort::launch(static_cast<unsigned>(blocks), static_cast<unsigned>(threads), block_sync_kernel, rounds),
        "block_sync");
}
void grid_sync(int blocks, int threads, int rounds) {
  check(cohort::launch_cooperative(static_cast<unsigned>(blocks), static_cast<unsigned>(threads), grid_sync_kernel,
                                   rounds),
        "grid_sync");
}

}  // namespace

const collective_set cohortcc_collectives = {"cohortcc", by_cohortcc::run_collective, by_cohortcc::sync_blocks,
                                             by_cohortcc::sync_grid};
const collective_set plain_collectives = {"g++", run, block_sync, grid_sync};

}  // namespace bench
