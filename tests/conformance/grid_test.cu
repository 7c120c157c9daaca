// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid_group and the cooperative launch: sections C.4.1.2, C.6.1 and C.7 of the guide, and the conversion of a
// grid_group to thread_group.
#include <functional>
#include <utility>
#include <vector>

#include "conformance.hpp"

namespace {

using namespace conformance;

__global__ void ask_valid(int* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = cg::this_grid().is_valid() ? 1 : 0;
}

// Runs in a process without earlier launches: the first launch must be the plain one.
TEST(Grid, ValidInCooperativeLaunchesOnly) {
  CONFORMS("C.4.1.2.2");
  IN_A_PROCESS_OF_ITS_OWN();
  memory<int> valid(1);
  run({2}, {32}, ask_valid, valid.data());
  EXPECT_EQ(valid[0], 0) << "a plain launch before any cooperative one";
  run_cooperative({2}, {32}, ask_valid, valid.data());
  EXPECT_EQ(valid[0], 1) << "a cooperative launch";
}

TEST(Grid, PlainLaunchesAreNotValidAfterACooperativeOne) {
  CONFORMS("D.10");
  NEEDS(knows_plain_launches);
  memory<int> valid(1);
  run_cooperative({2}, {32}, ask_valid, valid.data());
  EXPECT_EQ(valid[0], 1);
  run({2}, {32}, ask_valid, valid.data());
  EXPECT_EQ(valid[0], 0) << "a plain launch after a cooperative one on the same stream";
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int* pointer = valid.data();
  void* arguments[] = {&pointer};
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(cudaLaunchCooperativeKernel(ask_valid, dim3(2), dim3(32), arguments, 0, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(valid[0], 1);
    ask_valid<<<2, 32, 0, stream>>>(pointer);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(valid[0], 0) << "a plain launch on another stream, round " << round;
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// In each round every block reads the values that all other blocks wrote before the barrier.
enum class barrier { member, free_function, thread_group, thread_group_reference };
__device__ void sync_reference(const cg::thread_group& group) { group.sync(); }

template <barrier Kind>
__global__ void exchange(unsigned int* values, unsigned int* sums, int rounds) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_group any = grid;
  auto wait = [&] {
    if (Kind == barrier::member) grid.sync();
    if (Kind == barrier::free_function) cg::sync(grid);
    if (Kind == barrier::thread_group) any.sync();
    if (Kind == barrier::thread_group_reference) sync_reference(grid);
  };
  const unsigned long long me = grid.thread_rank();
  const unsigned long long n = grid.num_threads();
  unsigned int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    values[me] = static_cast<unsigned int>(me * 7 + round);
    wait();
    for (unsigned long long block = 0; block < grid.num_blocks(); ++block) {
      sum += values[(block * (n / grid.num_blocks()) + me + round) % n];
    }
    wait();
  }
  sums[me] = sum;
}

template <barrier Kind>
void check_exchange() {
  for (extent grid : {extent{1}, extent{2}, extent{2, 2}, extent{3, 1, 1}}) {
    for (extent block : {extent{1}, extent{33}, extent{8, 4, 3}}) {
      const int rounds = 9;
      const std::size_t n = grid.count() * block.count();
      memory<unsigned int> values(n), sums(n);
      run_cooperative(grid, block, exchange<Kind>, values.data(), sums.data(), rounds);
      for (std::size_t me = 0; me < n; ++me) {
        unsigned int expected = 0;
        for (int round = 0; round < rounds; ++round) {
          for (std::size_t b = 0; b < grid.count(); ++b) {
            expected += static_cast<unsigned int>((b * block.count() + me + static_cast<unsigned>(round)) % n * 7 +
                                                  static_cast<unsigned>(round));
          }
        }
        ASSERT_EQ(sums[me], expected) << text(grid) << " blocks of " << text(block) << ", thread " << me;
      }
    }
  }
}

TEST(Grid, BarrierOrdersTheWholeGrid) {
  CONFORMS("C.4.1.2.3", "C.6.1.1", "C.7.1");
  check_exchange<barrier::member>();
  check_exchange<barrier::free_function>();
}

struct identity {
  unsigned long long size, rank, free_rank;
  unsigned int type;
};
__global__ void convert(identity* grid_out, identity* block_out, identity* tile_out) {
  const unsigned long long me = cg::this_grid().thread_rank();
  cg::thread_group grid = cg::this_grid();
  cg::thread_group block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition<4>(cg::this_thread_block());
  auto look = [](const cg::thread_group& g) {
    return identity{g.size(), g.thread_rank(), cg::thread_rank(g), g.get_type()};
  };
  grid_out[me] = look(grid);
  block_out[me] = look(block);
  tile_out[me] = look(tile);
}

void expect_identity(const identity& seen, unsigned long long size, unsigned long long rank) {
  EXPECT_EQ(seen.size, size);
  EXPECT_EQ(seen.rank, rank);
  EXPECT_EQ(seen.free_rank, rank);
}

TEST(Grid, ThreadGroupKeepsItsIdentity) {
  CONFORMS("C.2.4", "D.1");
  for (bool cooperative : {false, true}) {
    memory<identity> grid(3 * 40), block(3 * 40), tile(3 * 40);
    if (cooperative) {
      run_cooperative({3}, {10, 4}, convert, grid.data(), block.data(), tile.data());
    } else {
      run({3}, {10, 4}, convert, grid.data(), block.data(), tile.data());
    }
    for (unsigned int i = 0; i < 120; ++i) {
      SCOPED_TRACE(i);
      expect_identity(grid[i], 120, i);
      expect_identity(block[i], 40, i % 40);
      expect_identity(tile[i], 4, i % 4);
      EXPECT_NE(grid[i].type, block[i].type);
      EXPECT_NE(grid[i].type, tile[i].type);
      EXPECT_NE(block[i].type, tile[i].type);
    }
  }
}

TEST(Grid, ThreadGroupOfAGridSynchronisesTheGrid) {
  CONFORMS("C.2.4", "D.1");
  check_exchange<barrier::thread_group>();
  check_exchange<barrier::thread_group_reference>();
}

// The last of more than 2^32 threads stores its rank and sizes; all others return at once.
__global__ void last_thread(unsigned long long* out) {
  if (blockIdx.x != gridDim.x - 1 || threadIdx.x != blockDim.x - 1) return;
  cg::grid_group grid = cg::this_grid();
  out[0] = grid.thread_rank();
  out[1] = grid.num_threads();
  out[2] = grid.size();
  out[3] = grid.block_rank();
  out[4] = grid.num_blocks();
}

TEST(Grid, CountsBeyondFourBillionThreads) {
  CONFORMS("C.4.1.2.6");
  const unsigned long long blocks = (1ull << 22) + 3, threads = blocks * 1024;
  static_assert((((1ull << 22) + 3) * 1024) >> 32 != 0);
  memory<unsigned long long> out(5);
  run({static_cast<unsigned int>(blocks)}, {1024}, last_thread, out.data());
  const unsigned long long expected[] = {threads - 1, threads, threads, blocks - 1, blocks};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(out[i], expected[i]) << "value " << i;
}

// Split-phase barriers with other work between arrive and wait. The last block to arrive does not wait.
__global__ void arrive_and_wait(unsigned int* values, unsigned int* sums) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  const unsigned long long me = grid.thread_rank(), n = grid.num_threads();
  unsigned int sum = 0;
  for (unsigned int round = 0; round < 20; ++round) {
    values[me] = round + static_cast<unsigned int>(me);
    auto block_token = block.barrier_arrive();
    sum += round;
    block.barrier_wait(std::move(block_token));
    sum += values[me - block.thread_rank() + (block.thread_rank() + 1) % block.size()];
    auto token = grid.barrier_arrive();
    if (blockIdx.x % 2 == round % 2) sum += round;
    grid.barrier_wait(std::move(token));
    sum += values[(me + block.size() + round) % n];
    grid.sync();
  }
  sums[me] = sum;
}

TEST(Grid, BarrierInTwoHalves) {
  CONFORMS("C.4.1.2.3", "C.4.1.1.2");
  for (unsigned int blocks : {1u, 2u, 7u}) {
    const unsigned int threads = 40, n = blocks * threads;
    memory<unsigned int> values(n), sums(n);
    run_cooperative({blocks}, {threads}, arrive_and_wait, values.data(), sums.data());
    for (unsigned int t = 0; t < n; ++t) {
      unsigned int sum = 0;
      for (unsigned int round = 0; round < 20; ++round) {
        sum += round + (t / threads % 2 == round % 2 ? round : 0);
        sum += round + t - t % threads + (t % threads + 1) % threads;
        sum += round + (t + threads + round) % n;
      }
      ASSERT_EQ(sums[t], sum) << "thread " << t << " of " << blocks << " blocks";
    }
  }
}

// A kernel of many stages: step k of a scan adds the value 2^k positions before.
__global__ void scan_of_grid(unsigned int* a, unsigned int* b) {
  cg::grid_group grid = cg::this_grid();
  const unsigned long long me = grid.thread_rank();
  for (unsigned long long step = 1; step < grid.num_threads(); step += step) {
    b[me] = a[me] + (me >= step ? a[me - step] : 0);
    grid.sync();
    unsigned int* const old = a;
    a = b;
    b = old;
  }
}

TEST(Grid, PersistentKernelOfManyStages) {
  CONFORMS("C.7.1", "C.4.1.2.3");
  const unsigned int n = 4 * 125;
  memory<unsigned int> a(n), b(n);
  for (unsigned int i = 0; i < n; ++i) a[i] = i * i % 97;
  run_cooperative({4}, {125}, scan_of_grid, a.data(), b.data());
  unsigned int steps = 0, sum = 0;
  for (unsigned int step = 1; step < n; step += step) ++steps;
  for (unsigned int i = 0; i < n; ++i) {
    sum += i * i % 97;
    ASSERT_EQ((steps % 2 ? b : a)[i], sum) << i;
  }
}

__global__ void barrier_twice(int* count) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) atomicAdd(count, 1);
  grid.sync();
  if (grid.thread_rank() == 0) count[1] = count[0];
  grid.sync();
}

int resident_blocks(int threads) {
  int per_sm = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, barrier_twice, threads, 0), cudaSuccess);
  return per_sm;
}

TEST(Grid, CooperativeLaunchFitsWhatTheOccupancySays) {
  CONFORMS("C.7.2", "C.7.3", "C.7.4");
  const int sms = device_attribute(cudaDevAttrMultiProcessorCount);
  ASSERT_GE(sms, 1);
  memory<int> count(2);
  for (int threads : {32, 256, 1024}) {
    const int per_sm = resident_blocks(threads);
    ASSERT_GE(per_sm, 1);
    for (int blocks : {sms, per_sm * sms}) {
      count[0] = count[1] = 0;
      run_cooperative({static_cast<unsigned>(blocks)}, {static_cast<unsigned>(threads)}, barrier_twice, count.data());
      EXPECT_EQ(count[1], blocks) << threads << " threads";
    }
    int* pointer = count.data();
    void* arguments[] = {&pointer};
    EXPECT_EQ(cudaLaunchCooperativeKernel(barrier_twice, dim3(static_cast<unsigned>(per_sm * sms + 1)),
                                          dim3(static_cast<unsigned>(threads)), arguments, 0, nullptr),
              cudaErrorCooperativeLaunchTooLarge)
        << threads << " threads";
    EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

TEST(Grid, DeviceSaysThatItCanLaunchCooperatively) {
  CONFORMS("C.7.5");
  EXPECT_EQ(device_attribute(cudaDevAttrCooperativeLaunch), 1);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_GE(properties.major, 6);
}

TEST(GridMisuse, BarrierNeedsACooperativeLaunch) {
  CONFORMS("C.6.1.2", "C.7.2");
  IN_A_PROCESS_OF_ITS_OWN();
  memory<int> count(2);
  cudaStream_t fresh;  // without an earlier cooperative launch
  ASSERT_EQ(cudaStreamCreate(&fresh), cudaSuccess);
  barrier_twice<<<2, 32, 0, fresh>>>(count.data());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

}  // namespace
