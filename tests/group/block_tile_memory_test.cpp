// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA 11's and CUDA 12's spellings of tiles above 32 threads; a source may open both namespaces at once.
#define _CG_ABI_EXPERIMENTAL
#define _CG_USER_PROVIDED_SHARED_MEMORY
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <type_traits>

#if !COHORT_CUDA_SOURCE
#include <cohort/shared.hpp>
#endif

namespace cg = cooperative_groups;

using testing_kernels::buffer;
using testing_kernels::run;

namespace {

using of_11 = cg::experimental::block_tile_memory<4, 256>;
using of_12 = cg::block_tile_memory<256>;
static_assert(std::is_trivially_default_constructible_v<of_11> && std::is_trivially_copyable_v<of_12>);
static_assert(alignof(of_11) == 8 && sizeof(cg::block_tile_memory<>) == 8);
static_assert(std::is_trivially_default_constructible_v<cg::experimental::block_tile_memory<>>);

COHORT_KERNEL void both_spellings(unsigned int* out) {
#if COHORT_CUDA_SOURCE
  __shared__ cg::experimental::block_tile_memory<4, 256> old_memory;
  __shared__ cg::block_tile_memory<256> memory;
#else
  auto& old_memory = cohort::shared<of_11, struct old_tag>();
  auto& memory = cohort::shared<of_12, struct new_tag>();
#endif
  const cg::thread_block old_block = cg::experimental::this_thread_block(old_memory);
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto old_tile = cg::experimental::tiled_partition<128>(old_block);
  const auto tile = cg::tiled_partition<64>(block);
  const unsigned int me = block.thread_rank();
  out[me] = old_tile.shfl(me, 127) * 1000 + tile.shfl(me, 63);
}

TEST(BlockTileMemory, BothSpellings) {
  buffer<unsigned int> out(256);
  run({1, 1, 1}, {256, 1, 1}, both_spellings, out.data());
  for (unsigned int t = 0; t < 256; ++t) EXPECT_EQ(out[t], (t / 128 * 128 + 127) * 1000 + t / 64 * 64 + 63) << t;
}

namespace as_old_sources {
using namespace cooperative_groups;
using namespace cooperative_groups::experimental;

COHORT_KERNEL void both_namespaces(unsigned int* out) {
#if COHORT_CUDA_SOURCE
  __shared__ block_tile_memory<8, 512> memory;
#else
  auto& memory = cohort::shared<block_tile_memory<8, 512>, struct open_tag>();
#endif
  thread_block block = this_thread_block(memory);
  auto tile = tiled_partition<256>(block);
  thread_block again = this_thread_block();
  out[again.thread_rank()] = tile.all(1) + tile.meta_group_rank();
}
}  // namespace as_old_sources

TEST(BlockTileMemory, BothNamespacesOpen) {
  buffer<unsigned int> out(512);
  run({1, 1, 1}, {512, 1, 1}, as_old_sources::both_namespaces, out.data());
  for (unsigned int t = 0; t < 512; ++t) EXPECT_EQ(out[t], 1 + t / 256) << t;
}

}  // namespace
