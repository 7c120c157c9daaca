// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promises of the group types: sizes, copies, result types, deduction. The compiler checks nearly all of them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <type_traits>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;

template <class Group>
constexpr bool is_a_handle() {
  static_assert(sizeof(Group) <= 16, "at most two words");
  static_assert(std::is_trivially_copyable_v<Group>);
  static_assert(std::is_copy_constructible_v<Group> && std::is_copy_assignable_v<Group>);
  static_assert(!std::is_default_constructible_v<Group>);
  static_assert(std::is_convertible_v<Group, cg::thread_group>);
  static_assert(std::is_base_of_v<cg::thread_group, Group>);
  return true;
}
static_assert(is_a_handle<cg::thread_group>());
static_assert(is_a_handle<cg::thread_block>());
static_assert(is_a_handle<cg::grid_group>());
static_assert(is_a_handle<cg::coalesced_group>());
static_assert(is_a_handle<cg::thread_block_tile<1>>());
static_assert(is_a_handle<cg::thread_block_tile<32>>());
static_assert(is_a_handle<cg::thread_block_tile<16, cg::thread_block>>());
static_assert(is_a_handle<cg::thread_block_tile<4, cg::thread_block_tile<16, cg::thread_block>>>());
static_assert(is_a_handle<cg::thread_block_tile<64>>());
static_assert(is_a_handle<cg::thread_block_tile<1024, cg::thread_block>>());
static_assert(is_a_handle<cg::thread_block_tile<64, cg::thread_block_tile<512, cg::thread_block>>>());
static_assert(is_a_handle<cg::cluster_group>());
static_assert(is_a_handle<cg::multi_grid_group>());
static_assert(sizeof(cohort::grid_workspace) == 16 && std::is_trivially_copyable_v<cohort::grid_workspace>);

using tile8 = cg::thread_block_tile<8, cg::thread_block>;
static_assert(std::is_convertible_v<tile8, cg::thread_block_tile<8>>);
static_assert(!std::is_convertible_v<cg::thread_block_tile<8>, tile8>);
static_assert(!std::is_convertible_v<tile8, cg::thread_block_tile<4>>);
static_assert(!std::is_convertible_v<tile8, cg::coalesced_group>);
static_assert(!std::is_convertible_v<cg::thread_group, cg::coalesced_group>);
static_assert(!std::is_convertible_v<cg::thread_group, cg::thread_block>);

// The result types of CUDA's members.
template <class T>
T some();
static_assert(std::is_same_v<decltype(some<cg::thread_group>().num_threads()), unsigned long long>);
static_assert(std::is_same_v<decltype(some<cg::thread_group>().size()), unsigned long long>);
static_assert(std::is_same_v<decltype(some<cg::thread_group>().thread_rank()), unsigned long long>);
static_assert(std::is_same_v<decltype(some<cg::thread_group>().get_type()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::thread_block::num_threads()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::thread_block::thread_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::thread_block::group_index()), cohort::dim3>);
static_assert(std::is_same_v<decltype(cg::thread_block::thread_index()), cohort::dim3>);
static_assert(std::is_same_v<decltype(cg::thread_block::dim_threads()), cohort::dim3>);
static_assert(std::is_same_v<decltype(cg::thread_block::sync()), void>);
static_assert(std::is_same_v<decltype(cg::grid_group::num_threads()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::thread_rank()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::num_blocks()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::block_rank()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::block_index()), cohort::dim3>);
static_assert(std::is_same_v<cg::grid_group::arrival_token, unsigned int>);
// The token of a grid is an integer; the others are small structs, copyable and assignable.
template <class Group>
constexpr bool has_a_token() {
  using token = typename Group::arrival_token;
  static_assert(std::is_class_v<token> && sizeof(token) == 4 && std::is_trivially_copyable_v<token>);
  static_assert(std::is_default_constructible_v<token> && std::is_copy_assignable_v<token>);
  return true;
}
static_assert(has_a_token<cg::thread_block>() && has_a_token<cg::cluster_group>());
static_assert(has_a_token<cg::multi_grid_group>() && has_a_token<cg::thread_block_tile<128>>());
using tile64 = cg::thread_block_tile<64, cg::thread_block>;
static_assert(std::is_same_v<tile64::arrival_token, cg::thread_block_tile<64>::arrival_token>);
static_assert(!std::is_same_v<tile64::arrival_token, cg::thread_block_tile<128>::arrival_token>);
static_assert(!std::is_convertible_v<tile64::arrival_token, cg::thread_block::arrival_token>);
static_assert(std::is_convertible_v<tile64, cg::thread_block_tile<64>>);
static_assert(!std::is_convertible_v<cg::thread_block_tile<64>, tile64>);
static_assert(std::is_same_v<decltype(cg::grid_group::num_clusters()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::cluster_rank()), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::grid_group::dim_clusters()), cohort::dim3>);
static_assert(std::is_same_v<decltype(cg::grid_group::cluster_index()), cohort::dim3>);
static_assert(std::is_same_v<decltype(cg::cluster_group::num_threads()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::cluster_group::thread_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::cluster_group::num_blocks()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::cluster_group::block_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::cluster_group::query_shared_rank(nullptr)), unsigned int>);
static_assert(std::is_same_v<decltype(cg::cluster_group::map_shared_rank(some<const float*>(), 0)), const float*>);
static_assert(std::is_same_v<decltype(some<cg::multi_grid_group>().num_threads()), unsigned long long>);
static_assert(std::is_same_v<decltype(some<cg::multi_grid_group>().thread_rank()), unsigned long long>);
static_assert(std::is_same_v<decltype(some<cg::multi_grid_group>().grid_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(some<cg::multi_grid_group>().num_grids()), unsigned int>);
static_assert(std::is_same_v<decltype(some<tile64>().shfl(some<const short&>(), 1)), short>);
static_assert(std::is_same_v<decltype(some<tile64>().any(1)), int>);
static_assert(std::is_same_v<decltype(tile64::num_threads()), unsigned int>);
static_assert(tile64::num_threads() == 64 && tile64::size() == 64);
static_assert(std::is_same_v<decltype(cg::tiled_partition<64>(some<cg::thread_block>())), tile64>);
static_assert(std::is_same_v<decltype(cg::tiled_partition<8>(some<tile64>())), cg::thread_block_tile<8, tile64>>);
static_assert(std::is_same_v<decltype(cg::tiled_partition(some<tile64>(), 8)), cg::thread_group>);
static_assert(std::is_same_v<decltype(tile8::num_threads()), unsigned int>);
static_assert(std::is_same_v<decltype(tile8::thread_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(tile8::meta_group_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(tile8::meta_group_size()), unsigned int>);
static_assert(std::is_same_v<decltype(some<tile8>().any(1)), int>);
static_assert(std::is_same_v<decltype(some<tile8>().all(1)), int>);
static_assert(std::is_same_v<decltype(some<tile8>().ballot(1)), unsigned int>);
static_assert(std::is_same_v<decltype(some<tile8>().match_any(1)), unsigned int>);
static_assert(std::is_same_v<decltype(some<tile8>().shfl(some<const short&>(), 1)), short>);
static_assert(std::is_same_v<decltype(some<tile8>().shfl_xor(1.0f, 1)), float>);
static_assert(std::is_same_v<decltype(some<cg::coalesced_group>().num_threads()), unsigned int>);
static_assert(std::is_same_v<decltype(some<cg::coalesced_group>().thread_rank()), unsigned int>);
static_assert(std::is_same_v<decltype(some<cg::coalesced_group>().meta_group_size()), unsigned int>);
static_assert(std::is_same_v<decltype(cg::this_thread()), cg::thread_block_tile<1>>);
static_assert(std::is_same_v<decltype(cg::tiled_partition<8>(some<cg::thread_block>())), tile8>);
static_assert(std::is_same_v<decltype(cg::tiled_partition<4>(some<tile8>())), cg::thread_block_tile<4, tile8>>);
static_assert(std::is_same_v<decltype(cg::tiled_partition(some<cg::thread_block>(), 8)), cg::thread_group>);
static_assert(std::is_same_v<decltype(cg::tiled_partition(some<tile8>(), 4)), cg::thread_group>);
static_assert(std::is_same_v<decltype(cg::tiled_partition(some<cg::coalesced_group>(), 8)), cg::coalesced_group>);
static_assert(std::is_same_v<decltype(cg::group_size(some<tile8>())), unsigned int>);
static_assert(std::is_same_v<decltype(cg::thread_rank(some<cg::grid_group>())), unsigned long long>);
static_assert(std::is_same_v<decltype(cg::reduce(some<tile8>(), some<const short&>(), cg::plus<short>())), short>);
static_assert(std::is_same_v<decltype(cg::inclusive_scan(some<tile8>(), 1u)), unsigned int>);

// A tile's size is a constant expression.
static_assert(tile8::num_threads() == 8 && tile8::size() == 8);

static_assert(cg::thread_group::thread_scope == cohort::thread_scope_device);
static_assert(cg::thread_block::thread_scope == cohort::thread_scope_block);
static_assert(cg::thread_block_tile<8>::thread_scope == cohort::thread_scope_block);
static_assert(cg::coalesced_group::thread_scope == cohort::thread_scope_block);
static_assert(cg::grid_group::thread_scope == cohort::thread_scope_device);
static_assert(cg::cluster_group::thread_scope == cohort::thread_scope_device);
static_assert(cg::multi_grid_group::thread_scope == cohort::thread_scope_system);
static_assert(cg::thread_block_tile<64>::thread_scope == cohort::thread_scope_block);
static_assert(tile64::thread_scope == cohort::thread_scope_block);
static_assert(std::is_same_v<decltype(cg::thread_group::thread_scope), const cuda::thread_scope>);
static_assert(cohort::is_tile_v<tile64> && cohort::is_big_tile_v<const tile64&> && !cohort::is_big_tile_v<tile8>);
static_assert(cohort::is_warp_group_v<tile8> && cohort::is_warp_group_v<cg::coalesced_group>);
static_assert(!cohort::is_warp_group_v<tile64> && !cohort::is_warp_group_v<cg::thread_block>);

static_assert(cohort::is_tile_v<const tile8&> && !cohort::is_tile_v<cg::thread_block>);
// CUDA 11's spellings name the same functions.
namespace of_cuda_11 {
using cg::experimental::exclusive_scan_update;
using cg::experimental::inclusive_scan_update;
using cg::experimental::reduce_store_async;
using cg::experimental::reduce_update_async;
using namespace cooperative_groups;
}  // namespace of_cuda_11
static_assert(std::is_same_v<cg::experimental::thread_block_tile<128>, cg::thread_block_tile<128>>);

static_assert(cohort::is_group_v<cg::grid_group> && cohort::is_group_v<cg::thread_group> && !cohort::is_group_v<int>);

// A function template deduces the size from a tile with a parent, by value and by reference.
template <unsigned int Size>
COHORT_DEVICE unsigned int size_by_value(cg::thread_block_tile<Size> tile) {
  return Size * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}
template <unsigned int Size>
COHORT_DEVICE unsigned int size_by_reference(const cg::thread_block_tile<Size>& tile) {
  return Size * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}
template <unsigned int Size, class Parent>
COHORT_DEVICE unsigned int size_and_parent(const cg::thread_block_tile<Size, Parent>& tile) {
  return Size * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}

// A template parameter of type size_t names the same type.
template <std::size_t Size>
COHORT_DEVICE unsigned int pick(cg::thread_block_tile<Size> tile, const unsigned int*) {
  return tile.size();
}
COHORT_DEVICE unsigned int pick(cg::thread_block block, const unsigned int*) { return block.size(); }
template <std::size_t Size>
COHORT_DEVICE unsigned int pick(const unsigned int*) {
  return Size;
}

COHORT_KERNEL void deduce_size(unsigned int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned int* const mine = out + 8 * cg::this_thread_block().thread_rank();
  mine[0] = size_by_value(tile);
  mine[1] = size_by_reference(tile);
  mine[2] = size_and_parent(tile);
  mine[3] = size_and_parent(cg::thread_block_tile<8>(tile));
  mine[4] = pick(cg::this_thread_block(), out);
  mine[5] = pick<256>(out);
  mine[6] = pick<8>(tile, out);
  cg::thread_block_tile<8> assigned = cg::tiled_partition<8>(cg::tiled_partition<16>(cg::this_thread_block()));
  assigned = tile;
  mine[7] = size_by_value(assigned);
}

TEST(Handle, TilesDeduceTheirSize) {
  buffer<unsigned int> out(32 * 8);
  run({1, 1, 1}, {32, 1, 1}, deduce_size, out.data());
  for (unsigned int thread = 0; thread < 32; ++thread) {
    const unsigned int expected = 800 + thread / 8 * 10 + 4;
    for (int i : {0, 1, 2, 3, 7}) EXPECT_EQ(out[thread * 8 + i], expected) << thread << " " << i;
    EXPECT_EQ(out[thread * 8 + 4], 32u);
    EXPECT_EQ(out[thread * 8 + 5], 256u);
    EXPECT_EQ(out[thread * 8 + 6], 8u);
  }
}

}  // namespace
