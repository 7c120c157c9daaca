// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that launch the collective kernels and wait for them, compiled by cohortcc (collective_kernels.cu) and
// by the host's C++ compiler (plain_collectives.cpp).
#pragma once

namespace bench {

enum class collective {
  sync,
  reduce_int,
  reduce_float,
  reduce_lambda,
  reduce_eight,
  scan_int,
  scan_float,
  scan_eight,
};

struct collective_set {
  const char* compiler;
  // Launches one block: 256 threads, which are the group, if `in_block`; else one warp.
  void (*run)(bool in_block, collective what, int rounds);
  void (*block_sync)(int blocks, int threads, int rounds);
  void (*grid_sync)(int blocks, int threads, int rounds);  // launches a cooperative grid
};

extern const collective_set cohortcc_collectives;
extern const collective_set plain_collectives;

// The functions that cohortcc_collectives points to, defined in collective_kernels.cu.
namespace by_cohortcc {
void run_collective(bool in_block, collective what, int rounds);
void sync_blocks(int blocks, int threads, int rounds);
void sync_grid(int blocks, int threads, int rounds);
}  // namespace by_cohortcc

}  // namespace bench
