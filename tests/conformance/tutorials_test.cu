// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in the style of tutorials: reductions step by step, the first edition of the guide, notes on tiles, and the
// position of one thread in the hierarchy.
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "conformance.hpp"

namespace {

using namespace conformance;

// A tree reduction in shared memory. The group is passed by value.
template <class Group>
__device__ float tree_sum(Group group, float* shared, float value) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int half = group.size() / 2; half > 0; half /= 2) {
    shared[rank] = value;
    group.sync();
    if (rank < half) value += shared[rank + half];
    group.sync();
  }
  return value;
}

template <unsigned int Size>
__device__ float tree_sum_of_tile(cg::thread_block_tile<Size> tile, float* shared, float value) {
  return tree_sum(tile, shared, value);
}

template <unsigned int Size>
__global__ void tree_in_tiles(const float* in, float* out) {
  __shared__ float shared[128];
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned int me = threadIdx.x;
  const float sum = tree_sum_of_tile<Size>(tile, shared + me - tile.thread_rank(), in[me]);
  if (tile.thread_rank() == 0) out[me / Size] = sum;
}

template <unsigned int Size>
void check_tree() {
  memory<float> in(128), out(128);
  for (int i = 0; i < 128; ++i) in[i] = static_cast<float>(i % 17 - 4);
  run({1}, {128}, tree_in_tiles<Size>, static_cast<const float*>(in.data()), out.data());
  for (unsigned int tile = 0; tile < 128 / Size; ++tile) {
    float sum = 0;
    for (unsigned int i = 0; i < Size; ++i) sum += in[tile * Size + i];
    ASSERT_EQ(out[tile], sum) << "tile " << tile << " of " << Size;
  }
}

TEST(Tutorials, TreeInTiles) {
  CONFORMS("R1.1");
  check_tree<2>();
  check_tree<8>();
  check_tree<32>();
}

__global__ void tree_in_block(const float* in, float* out) {
  __shared__ float shared[256];
  cg::thread_block block = cg::this_thread_block();
  const float sum = tree_sum(block, shared, in[blockIdx.x * 256 + threadIdx.x]);
  if (block.thread_rank() == 0) out[blockIdx.x] = sum;
}

TEST(Tutorials, TreeInBlock) {
  CONFORMS("R1.2");
  memory<float> in(3 * 256), out(3);
  float expected[3] = {};
  for (int i = 0; i < 3 * 256; ++i) expected[i / 256] += in[i] = static_cast<float>(i * 31 % 64 - 20);
  run({3}, {256}, tree_in_block, static_cast<const float*>(in.data()), out.data());
  for (int b = 0; b < 3; ++b) EXPECT_EQ(out[b], expected[b]);
}

// Shuffle reductions that are generic over the group type, with the template parameters that programs usually write.
template <class Group>
__device__ int reduce_sum(Group group, int value) {
  for (unsigned int offset = group.size() / 2; offset > 0; offset /= 2) value += group.shfl_down(value, offset);
  return value;
}
template <unsigned int Size, class Parent>
__device__ int tile_maximum(const cg::thread_block_tile<Size, Parent>& tile, int value) {
  for (unsigned int offset = Size / 2; offset > 0; offset /= 2) {
    const int other = tile.shfl_down(value, offset);
    value = other > value ? other : value;
  }
  return value;
}

__global__ void by_shuffles(const int* in, int* sums, int* maxima) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = threadIdx.x;
  auto t32 = cg::tiled_partition<32>(block);
  auto t16 = cg::tiled_partition<16>(block);
  auto t8 = cg::tiled_partition<8>(block);
  auto t4 = cg::tiled_partition<4>(t8);
  sums[4 * me] = reduce_sum(t32, in[me]);
  sums[4 * me + 1] = reduce_sum(t16, in[me]);
  sums[4 * me + 2] = reduce_sum(t8, in[me]);
  sums[4 * me + 3] = reduce_sum(t4, in[me]);
  maxima[4 * me] = tile_maximum(t32, in[me]);
  maxima[4 * me + 1] = tile_maximum(t16, in[me]);
  maxima[4 * me + 2] = tile_maximum(t8, in[me]);
  maxima[4 * me + 3] = tile_maximum(t4, in[me]);
}

TEST(Tutorials, GenericSumsAndMaximaByShuffles) {
  CONFORMS("R1.3", "N3.3", "W4.2", "W4.5", "N3.2");
  memory<int> in(96), sums(4 * 96), maxima(4 * 96);
  for (int i = 0; i < 96; ++i) in[i] = i * 7919 % 201 - 100;
  run({1}, {96}, by_shuffles, static_cast<const int*>(in.data()), sums.data(), maxima.data());
  const int sizes[] = {32, 16, 8, 4};
  for (int k = 0; k < 4; ++k) {
    for (int first = 0; first < 96; first += sizes[k]) {  // only rank 0 has the result of its tile
      int sum = 0, maximum = in[first];
      for (int i = first; i < first + sizes[k]; ++i) sum += in[i], maximum = std::max(maximum, in[i]);
      EXPECT_EQ(sums[4 * first + k], sum) << "tile of " << sizes[k] << " at " << first;
      EXPECT_EQ(maxima[4 * first + k], maximum) << "tile of " << sizes[k] << " at " << first;
    }
  }
}

// Reduces an array in one launch: every round reduces to one value for each block, until one value is left.
__global__ void sum_in_one_launch(const float* in, float* a, float* b, unsigned long long count, float* result) {
  __shared__ float shared[256];
  cg::grid_group grid = cg::this_grid();
  const unsigned long long threads = grid.num_blocks() * 256;
  float value = 0;
  for (unsigned long long i = grid.block_rank() * 256 + cg::this_thread_block().thread_index().x; i < count;
       i += threads) {
    value += in[i];
  }
  value = tree_sum(cg::this_thread_block(), shared, value);
  if (cg::this_thread_block().thread_rank() == 0) a[grid.block_rank()] = value;
  grid.sync();
  for (unsigned long long left = grid.num_blocks(); left > 1; left = (left + 1) / 2) {
    const unsigned long long half = (left + 1) / 2, me = grid.thread_rank();
    if (me < half) b[me] = a[me] + (me + half < left ? a[me + half] : 0.0f);
    grid.sync();
    float* const old = a;
    a = b;
    b = old;
  }
  if (grid.thread_rank() == 0) *result = a[0];
}

TEST(Tutorials, SumOfAnArrayInOneLaunch) {
  CONFORMS("R1.5", "R1.6", "R1.4", "C.7.1");
  const unsigned long long count = 1ull << 20;
  memory<float> in(count), a(4096), b(4096), result(1);
  for (unsigned long long i = 0; i < count; ++i) in[i] = static_cast<float>(i % 8);
  const int sms = device_attribute(cudaDevAttrMultiProcessorCount);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const float* from = in.data();
  float *to_a = a.data(), *to_b = b.data(), *to = result.data();
  unsigned long long n = count;
  void* arguments[] = {&from, &to_a, &to_b, &n, &to};
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum_in_one_launch), dim3(static_cast<unsigned>(sms)),
                                        dim3(256), arguments, 0, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(result[0], static_cast<float>(count / 8 * 28));  // exact: all partial sums are below 2^24
}

__global__ void plain_values(unsigned int* out) {
  const unsigned int x = cg::this_thread_block().thread_index().x;
  const unsigned long long block = cg::this_grid().block_rank(), blocks = cg::this_grid().num_blocks();
  if (x == blockDim.x - 1) out[block] = x + 1000 * static_cast<unsigned int>(blocks);
}

TEST(Tutorials, PositionsAreValues) {
  CONFORMS("R1.4");
  memory<unsigned int> out(6);
  run({3, 2}, {40}, plain_values, out.data());
  for (unsigned int value : out) EXPECT_EQ(value, 6039u);
}

// The guide's first edition: tiles whose size is a run-time value.
__device__ int sum_any(const cg::thread_group& g, int* shared, int value) {
  const unsigned int rank = static_cast<unsigned int>(g.thread_rank());
  for (unsigned int half = static_cast<unsigned int>(g.size()) / 2; half > 0; half /= 2) {
    shared[rank] = value;
    g.sync();
    if (rank < half) value += shared[rank + half];
    g.sync();
  }
  return value;
}

__global__ void first_edition(int* out) {
  __shared__ int shared[64];
  const int me = static_cast<int>(threadIdx.x);
  const int block_sum = sum_any(cg::this_thread_block(), shared, me);
  cg::thread_group tile8 = cg::tiled_partition(cg::this_thread_block(), 8);
  const int tile_sum = sum_any(tile8, shared + me - me % 8, me);
  cg::thread_group my_block = cg::this_thread_block();
  cg::thread_group my_tile = cg::tiled_partition(my_block, 32);
  if (my_block.thread_rank() < 32) {
    shared[me] = me * 5;
    my_tile.sync();
    out[3 * me + 2] = shared[31 - me];
  } else {
    out[3 * me + 2] = static_cast<int>(my_tile.size() * 100 + my_tile.thread_rank());
  }
  out[3 * me] = block_sum;
  out[3 * me + 1] = tile_sum;
}

TEST(Tutorials, GroupsOfRunTimeSize) {
  CONFORMS("E2.3", "E2.4", "E2.5");
  memory<int> out(3 * 64);
  run({1}, {64}, first_edition, out.data());
  EXPECT_EQ(out[0], 64 * 63 / 2);
  for (int t = 0; t < 64; ++t) {
    if (t % 8 == 0) {
      EXPECT_EQ(out[3 * t + 1], 8 * t + 28) << t;
    }
    EXPECT_EQ(out[3 * t + 2], t < 32 ? (31 - t) * 5 : 3200 + t - 32) << t;
  }
}

// Compares reduce() on half a warp with a hand-written loop over 16 lanes.
__global__ void half_warp_maximum(const int* in, int* out) {
  auto half_warp = cg::tiled_partition<16>(cg::this_thread_block());
  const int x = in[threadIdx.x];
  int by_hand = x;
  for (int offset = 8; offset > 0; offset /= 2) {
    const int other = __shfl_xor_sync(0xffffffffu, by_hand, offset, 16);
    by_hand = other > by_hand ? other : by_hand;
  }
  out[2 * threadIdx.x] = cg::reduce(half_warp, x, cg::greater<int>());
  out[2 * threadIdx.x + 1] = by_hand;
}

TEST(Tutorials, MaximumOfHalfAWarp) {
  CONFORMS("N3.4");
  memory<int> in(96), out(2 * 96);
  for (int i = 0; i < 96; ++i) in[i] = i * 37 % 100 - 50;
  run({1}, {96}, half_warp_maximum, static_cast<const int*>(in.data()), out.data());
  for (int t = 0; t < 96; ++t) {
    const int expected = *std::max_element(in.data() + t / 16 * 16, in.data() + t / 16 * 16 + 16);
    EXPECT_EQ(out[2 * t], expected);
    EXPECT_EQ(out[2 * t + 1], expected);
  }
}

// A maximum in three levels: a grid-stride loop, a warp with shared memory, one atomic for each block.
__global__ void maximum(const int* in, int count, int* out) {
  __shared__ int shared[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int value = -1000000;
  for (int i = static_cast<int>(cg::this_grid().thread_rank()); i < count;
       i += static_cast<int>(cg::this_grid().size())) {
    value = max(value, in[i]);
  }
  value = cg::reduce(warp, value, cg::greater<int>());
  if (warp.thread_rank() == 0) shared[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    value = warp.thread_rank() < warp.meta_group_size() ? shared[warp.thread_rank()] : -1000000;
    value = cg::reduce(warp, value, cg::greater<int>());
    if (warp.thread_rank() == 0) atomicMax(out, value);
  }
}

TEST(Tutorials, MaximumInThreeLevels) {
  CONFORMS("N3.5");
  for (int count : {1, 1000, 33333}) {
    memory<int> in(static_cast<std::size_t>(count)), out(1);
    for (int i = 0; i < count; ++i) in[i] = static_cast<int>(static_cast<unsigned>(i) * 2654435761u % 100003u) - 70000;
    out[0] = -1000000;
    run({5}, {256}, maximum, static_cast<const int*>(in.data()), count, out.data());
    EXPECT_EQ(out[0], *std::max_element(in.begin(), in.end()));
  }
}

// The position of one thread in its tiles.
template <unsigned int N, class P>
__device__ unsigned int place(const cg::thread_block_tile<N, P>& t) {
  return t.thread_rank() + 100 * t.size() + 10000 * t.meta_group_rank() + 1000000 * t.meta_group_size();
}

__global__ void where(unsigned long long who, unsigned long long* out) {
  cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() != who) return;
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(block);
  auto eight = cg::tiled_partition<8>(block);
  auto eight_of_warp = cg::tiled_partition<8>(warp);
  auto four = cg::tiled_partition<4>(eight_of_warp);
  out[0] = grid.block_rank();
  out[1] = block.thread_rank();
  out[2] = place(warp);
  out[3] = place(half);
  out[4] = place(eight);
  out[5] = place(eight_of_warp);
  out[6] = place(four);
}

TEST(Tutorials, OneThreadsPlaceInTheHierarchy) {
  CONFORMS("W4.1");
  memory<unsigned long long> out(7);
  run({4900}, {256}, where, 1234567ull, out.data());
  const unsigned long long expected[] = {4822, 135, 8043207, 16081607, 32160807, 4000807, 2010403};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(out[i], expected[i]) << "value " << i;
}

}  // namespace
