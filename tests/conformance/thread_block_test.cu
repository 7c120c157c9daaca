// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for all groups, and the thread_block: sections C.2 to C.4.1.1 of the guide.
#include "conformance.hpp"

namespace {

using namespace conformance;

const extent grids[] = {{1, 1, 1}, {3, 1, 1}, {2, 3, 1}, {2, 1, 3}, {2, 3, 2}};
const extent blocks[] = {{1, 1, 1}, {32, 1, 1}, {37, 1, 1}, {5, 3, 1}, {3, 5, 7}, {1, 1, 33}, {1024, 1, 1}, {16, 8, 4}};

struct block_view {
  position group_index, thread_index, dim_threads, group_dim;
  unsigned int rank, num_threads, size;
};
struct grid_view {
  unsigned long long rank, block_rank, num_threads, size, num_blocks;
  position block_index, dim_blocks, group_dim;
};

__global__ void look(block_view* block_out, grid_view* grid_out) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  const unsigned long long me = grid.thread_rank();
  block_out[me] = {of(block.group_index()),
                   of(block.thread_index()),
                   of(block.dim_threads()),
                   of(block.group_dim()),
                   block.thread_rank(),
                   block.num_threads(),
                   block.size()};
  grid_out[me] = {grid.thread_rank(), grid.block_rank(),      grid.num_threads(),    grid.size(),
                  grid.num_blocks(),  of(grid.block_index()), of(grid.dim_blocks()), of(grid.group_dim())};
}

void check_launch(extent grid, extent block) {
  SCOPED_TRACE(text(grid) + " blocks of " + text(block));
  const std::size_t threads = grid.count() * block.count();
  memory<block_view> block_out(threads);
  memory<grid_view> grid_out(threads);
  run(grid, block, look, block_out.data(), grid_out.data());
  const auto block_places = model::enumerate(grid);
  const auto thread_places = model::enumerate(block);
  for (std::size_t b = 0; b < grid.count(); ++b) {
    for (std::size_t t = 0; t < block.count(); ++t) {
      const block_view& v = block_out[b * block.count() + t];
      ASSERT_EQ(v.group_index, of(block_places[b]));
      ASSERT_EQ(v.thread_index, of(thread_places[t]));
      ASSERT_EQ(v.dim_threads, of(block));
      ASSERT_EQ(v.group_dim, of(block));
      ASSERT_EQ(v.rank, t);
      ASSERT_EQ(v.num_threads, block.count());
      ASSERT_EQ(v.size, block.count());
      const grid_view& g = grid_out[b * block.count() + t];
      ASSERT_EQ(g.rank, b * block.count() + t);  // the index of the written element: ranks are a bijection
      ASSERT_EQ(g.block_rank, b);
      ASSERT_EQ(g.num_threads, threads);
      ASSERT_EQ(g.size, threads);
      ASSERT_EQ(g.num_blocks, grid.count());
      ASSERT_EQ(g.block_index, of(block_places[b]));
      ASSERT_EQ(g.dim_blocks, of(grid));
      ASSERT_EQ(g.group_dim, of(grid));
    }
  }
}

TEST(ThreadBlock, ImplicitGroupsMirrorTheLaunch) {
  CONFORMS("C.4.1.1", "C.4.1.1.1", "C.4.1.1.3", "C.4.1.1.4", "C.4.1.1.5", "C.4.1.1.6", "C.4.1.1.7", "C.4.1.1.8",
           "C.4.1.2.1", "C.4.1.2.4", "C.4.1.2.5", "C.4.1.2.7", "C.4.1.2.8", "N3.1");
  for (extent grid : grids) {
    for (extent block : blocks) check_launch(grid, block);
  }
}

__global__ void check_types() {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  static_assert(same_type<decltype(block.thread_rank()), unsigned int>);
  static_assert(same_type<decltype(block.num_threads()), unsigned int>);
  static_assert(same_type<decltype(block.size()), unsigned int>);
  static_assert(same_type<decltype(block.group_index()), dim3>);
  static_assert(same_type<decltype(block.thread_index()), dim3>);
  static_assert(same_type<decltype(block.dim_threads()), dim3>);
  static_assert(same_type<decltype(block.group_dim()), dim3>);
  static_assert(same_type<decltype(grid.thread_rank()), unsigned long long>);
  static_assert(same_type<decltype(grid.block_rank()), unsigned long long>);
  static_assert(same_type<decltype(grid.num_threads()), unsigned long long>);
  static_assert(same_type<decltype(grid.size()), unsigned long long>);
  static_assert(same_type<decltype(grid.num_blocks()), unsigned long long>);
  static_assert(same_type<decltype(grid.dim_blocks()), dim3>);
  static_assert(same_type<decltype(grid.block_index()), dim3>);
}

TEST(ThreadBlock, TypesAreTheGuides) {
  CONFORMS("C.4.1.1.3", "C.4.1.1.7", "C.4.1.2.4", "C.4.1.2.5", "C.4.1.2.6");
  run({1}, {1}, check_types);
}

// Handles made once at the start, then copied, passed by reference and by value, and used in branches and callees.
__device__ unsigned int rank_by_reference(const cg::thread_block& block) { return block.thread_rank(); }
__device__ unsigned int rank_by_value(cg::thread_block block) { return block.thread_rank(); }
template <class Group>
__device__ unsigned long long rank_of(const Group& group) {
  return cg::thread_rank(group);
}
template <class Group>
__device__ unsigned long long size_of(Group group) {
  return cg::group_size(group);
}

__global__ void use_handles(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block copy = block;
  cg::grid_group grid = cg::this_grid();
  cg::grid_group grid_copy(grid);
  auto tile = cg::tiled_partition<8>(copy);
  unsigned int* mine = out + 8 * grid.thread_rank();
  mine[0] = rank_by_reference(copy);
  mine[1] = rank_by_value(copy);
  mine[2] = static_cast<unsigned int>(rank_of(block));
  mine[3] = static_cast<unsigned int>(size_of(copy));
  mine[4] = static_cast<unsigned int>(grid_copy.thread_rank());
  mine[5] = static_cast<unsigned int>(size_of(grid));
  if (threadIdx.x % 2 == 0) {
    mine[6] = block.thread_rank() + block.num_threads();
  } else {
    mine[6] = copy.thread_rank() + block.size();
  }
  mine[7] = static_cast<unsigned int>(rank_of(tile) * 100 + size_of(tile));
}

TEST(ThreadBlock, HandlesAreFirstClassObjects) {
  CONFORMS("C.3.5", "C.4.1.2", "C.4.1.4");
  memory<unsigned int> out(2 * 48 * 8);
  run({2}, {48}, use_handles, out.data());
  for (unsigned int i = 0; i < 96; ++i) {
    const unsigned int t = i % 48;
    const unsigned int expected[] = {t, t, t, 48, i, 96, t + 48, t % 8 * 100 + 8};
    for (int k = 0; k < 8; ++k) ASSERT_EQ(out[8 * i + k], expected[k]) << "thread " << i << ", value " << k;
  }
}

// Every thread writes a value and, after the barrier, reads the value of another thread.
template <class Barrier>
__device__ void exchange(int* global, int* out, Barrier barrier) {
  __shared__ int shared[1024];
  const unsigned int n = blockDim.x;
  const unsigned int me = threadIdx.x;
  int sum = 0;
  for (unsigned int round = 1; round <= 5; ++round) {
    shared[me] = static_cast<int>(me * round);
    global[blockIdx.x * n + me] = static_cast<int>(me + round);
    barrier();
    sum += shared[(me + round * 33) % n] + global[blockIdx.x * n + (me + round * 65) % n];
    barrier();
  }
  out[blockIdx.x * n + me] = sum;
}

__device__ int sum_in_callee(const cg::thread_block& g, int* shared, int value) {
  shared[g.thread_rank()] = value;
  g.sync();
  int sum = 0;
  for (unsigned int i = 0; i < g.num_threads(); ++i) sum += shared[i];
  g.sync();
  return sum;
}

__device__ void sync_any(const cg::thread_group& g) { g.sync(); }

__global__ void exchange_member(int* global, int* out) {
  cg::thread_block block = cg::this_thread_block();
  exchange(global, out, [&] { block.sync(); });
}
__global__ void exchange_static(int* global, int* out) {
  exchange(global, out, [] { cg::thread_block::sync(); });
}
__global__ void exchange_free(int* global, int* out) {
  cg::thread_block block = cg::this_thread_block();
  exchange(global, out, [&] { cg::sync(block); });
}
__global__ void exchange_intrinsic(int* global, int* out) {
  exchange(global, out, [] { __syncthreads(); });
}
__global__ void exchange_as_thread_group(int* global, int* out) {
  exchange(global, out, [] { sync_any(cg::this_thread_block()); });
}

TEST(ThreadBlock, BlockBarrierOrdersMemory) {
  CONFORMS("C.4.1.1.2", "C.4.1.1.11", "C.6.1.1", "E2.5", "N3.1");
  for (unsigned int threads : {1u, 7u, 32u, 100u, 1024u}) {
    SCOPED_TRACE(threads);
    memory<int> global(3 * threads), out(3 * threads);
    for (auto kernel :
         {exchange_member, exchange_static, exchange_free, exchange_intrinsic, exchange_as_thread_group}) {
      out.fill(-1);
      run({3}, {threads}, kernel, global.data(), out.data());
      for (unsigned int i = 0; i < 3 * threads; ++i) {
        int expected = 0;
        for (unsigned int round = 1; round <= 5; ++round) {
          const unsigned int me = i % threads;
          expected += static_cast<int>((me + round * 33) % threads * round + (me + round * 65) % threads + round);
        }
        ASSERT_EQ(out[i], expected) << "thread " << i;
      }
    }
  }
}

__global__ void sum_block(int* out) {
  __shared__ int shared[1024];
  cg::thread_block g = cg::this_thread_block();
  for (int round = 0; round < 3; ++round) {
    out[round * g.num_threads() + g.thread_rank()] =
        sum_in_callee(g, shared, static_cast<int>(g.thread_rank()) + round);
  }
}

TEST(ThreadBlock, CalleeSynchronisesTheBlock) {
  CONFORMS("C.3.1.1");
  for (extent block : blocks) {
    const int n = static_cast<int>(block.count());
    memory<int> out(3 * block.count());
    run({1}, block, sum_block, out.data());
    for (int i = 0; i < 3 * n; ++i) ASSERT_EQ(out[i], n * (n - 1) / 2 + n * (i / n)) << text(block) << ", thread " << i;
  }
}

__global__ void load_once(const int* from, int* out) {
  __shared__ int x;
  cg::thread_block g = cg::this_thread_block();
  if (g.thread_rank() == 0) x = *from;
  g.sync();
  out[g.thread_rank()] = x;
}

TEST(ThreadBlock, RankZeroLoadsForAll) {
  CONFORMS("C.4.1.1.9");
  for (extent block : blocks) {
    memory<int> from(1), out(block.count());
    from[0] = 4711;
    run({1}, block, load_once, from.data(), out.data());
    for (int value : out) ASSERT_EQ(value, 4711) << text(block);
  }
}

__global__ void use_grid_group(int* valid) {
  if (cg::this_grid().thread_rank() == 0) *valid = 1;
  if (cg::this_grid().is_valid()) cg::this_grid().sync();
}

// Built without -rdc=true: the test proves that a kernel with a grid's barrier links.
TEST(ThreadBlock, GridBarrierWithoutRelocatableCode) {
  CONFORMS("C.2.1");
  memory<int> valid(1);
  run_cooperative({2}, {32}, use_grid_group, valid.data());
  EXPECT_EQ(valid[0], 1);
}

TEST(ThreadBlock, VersionAndCapability) {
  CONFORMS("C.3.4", "C.5.1.8", "C.5.2.3", "C.5.3.3", "C.6.2.1.10", "C.6.3.1.6");
  static_assert(CUDART_VERSION >= 9000);
  static_assert(__cplusplus >= 201103L);
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_GE(version, 9000);
  EXPECT_GE(compute_capability(), 80);  // covers 3.5, 5.0, 7.0 and the 8.0 of asynchronous copies
}

}  // namespace
