// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the measured kernels. kernels.cu and plain_kernels.cpp include them, so cohortcc and the host's
// compiler compile one text. Each loop runs one collective a round and stores its result, so that no round is optimized
// away.
#pragma once

#include <cohort/cohort.hpp>

namespace bench {

COHORT_DEVICE inline void block_sync_rounds(int rounds) {
  const auto block = cohort::this_thread_block();
  for (int i = 0; i < rounds; ++i) block.sync();
}

template <class T>
COHORT_DEVICE inline void reduce_rounds(int rounds, T* out) {
  const auto tile = cohort::tiled_partition<32>(cohort::this_thread_block());
  T value = static_cast<T>(tile.thread_rank());
  for (int i = 0; i < rounds; ++i) value = cohort::reduce(tile, value, cohort::plus<T>()) / 32;
  if (tile.thread_rank() == 0) *out = value;
}

COHORT_DEVICE inline void shuffle_rounds(int rounds, int* out) {
  const auto tile = cohort::tiled_partition<32>(cohort::this_thread_block());
  int value = static_cast<int>(tile.thread_rank());
  for (int i = 0; i < rounds; ++i) value = tile.shfl(value, value + 1);
  if (tile.thread_rank() == 0) *out = value;
}

COHORT_DEVICE inline void wait_once_body(int* out) {
  const auto block = cohort::this_thread_block();
  block.sync();
  if (block.thread_rank() == 0) *out = 1;
}

}  // namespace bench
