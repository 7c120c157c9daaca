// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: conversion from || no viable conversion
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::thread_block_tile<4> other = tile;
  (void)other;
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::thread_block_tile<8> other = tile;
  (void)other;
#endif
}
