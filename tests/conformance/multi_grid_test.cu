// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several devices and multi_grid_group: sections C.4.1.3 and C.8 of the guide. CUDA 13 has neither; with
// its own header this file is empty.
#include "conformance.hpp"

#ifdef cudaCooperativeLaunchMultiDeviceNoPreSync

namespace {

using namespace conformance;

// A launch list with one entry and one stream for each device. The grids' arguments are equal except for the first, the
// grid's position in the list.
class MultiGrid : public testing::Test {
 protected:
  void SetUp() override {
    count = device_count();
    if (count < 2) GTEST_SKIP() << "needs two devices";
    for (int device = 0; device < count; ++device) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      cudaStream_t stream;
      ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
      streams.push_back(stream);
      places.push_back(device);
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  }
  void TearDown() override {
    for (cudaStream_t stream : streams) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaSetDevice(0);
    cudaGetLastError();
  }
  template <class... P, class... A>
  void prepare(extent grid, extent block, void (*kernel)(int, P...), A*... arguments) {
    list.clear();
    pointers.assign(static_cast<std::size_t>(count), {});
    for (int i = 0; i < count; ++i) {
      pointers[static_cast<std::size_t>(i)] = {&places[static_cast<std::size_t>(i)], static_cast<void*>(arguments)...};
      list.push_back({reinterpret_cast<void*>(kernel), shape(grid), shape(block),
                      pointers[static_cast<std::size_t>(i)].data(), 0, streams[static_cast<std::size_t>(i)]});
    }
  }
  cudaError_t launch(unsigned int flags = 0) {
    return cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size()), flags);
  }
  void wait() {
    for (cudaStream_t stream : streams) ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }

  int count = 0;
  std::vector<cudaStream_t> streams;
  std::vector<int> places;
  std::vector<std::vector<void*>> pointers;
  std::vector<cudaLaunchParams> list;
};

struct identity {
  int valid, grid_valid;
  unsigned int grid_rank, num_grids;
  unsigned long long thread_rank, num_threads, size, grid_size;
};

__global__ void look(int place, identity* out) {
  cg::multi_grid_group all = cg::this_multi_grid();
  cg::grid_group grid = cg::this_grid();
  static_assert(same_type<decltype(all.thread_rank()), unsigned long long>);
  static_assert(same_type<decltype(all.num_threads()), unsigned long long>);
  static_assert(same_type<decltype(all.size()), unsigned long long>);
  static_assert(same_type<decltype(all.grid_rank()), unsigned int>);
  static_assert(same_type<decltype(all.num_grids()), unsigned int>);
  out[static_cast<unsigned long long>(place) * grid.size() + grid.thread_rank()] = {
      all.is_valid(),    grid.is_valid(),   all.grid_rank(), all.num_grids(),
      all.thread_rank(), all.num_threads(), all.size(),      grid.size()};
}

TEST_F(MultiGrid, RanksAndSizes) {
  CONFORMS("C.4.1.3.1", "C.4.1.3.2", "C.4.1.3.4", "C.4.1.3.5", "C.8.2", "C.8.9");
  const extent grid{2, 2}, block{5, 7};
  const std::size_t threads = grid.count() * block.count(), all = threads * static_cast<std::size_t>(count);
  memory<identity> out(all);
  identity* pointer = out.data();
  prepare(grid, block, look, &pointer);
  ASSERT_EQ(launch(), cudaSuccess);
  wait();
  for (std::size_t i = 0; i < all; ++i) {
    ASSERT_EQ(out[i].valid, 1);
    ASSERT_EQ(out[i].grid_valid, 1);
    ASSERT_EQ(out[i].grid_rank, i / threads);
    ASSERT_EQ(out[i].num_grids, static_cast<unsigned int>(count));
    ASSERT_EQ(out[i].thread_rank, i);
    ASSERT_EQ(out[i].num_threads, all);
    ASSERT_EQ(out[i].size, all);
    ASSERT_EQ(out[i].grid_size, threads);
  }
}

__global__ void ask_valid(int place, int* out) {
  if (cg::this_grid().thread_rank() == 0) out[place] = cg::this_multi_grid().is_valid() ? 1 : 0;
}

TEST_F(MultiGrid, ValidInMultiDeviceLaunchesOnly) {
  CONFORMS("C.4.1.3.2");
  memory<int> valid(static_cast<std::size_t>(count));
  int* pointer = valid.data();
  run({2}, {32}, ask_valid, 0, pointer);
  EXPECT_EQ(valid[0], 0);
  run_cooperative({2}, {32}, ask_valid, 0, pointer);
  EXPECT_EQ(valid[0], 0);
  prepare({2}, {32}, ask_valid, &pointer);
  ASSERT_EQ(launch(), cudaSuccess);
  wait();
  for (int i = 0; i < count; ++i) EXPECT_EQ(valid[static_cast<std::size_t>(i)], 1) << "grid " << i;
  run({2}, {32}, ask_valid, 0, pointer);
  EXPECT_EQ(valid[0], 0);
}

// In each round a thread reads the value that a thread of the next grid wrote before the barrier.
__global__ void exchange(int place, unsigned int* values, unsigned int* sums, int rounds) {
  cg::multi_grid_group all = cg::this_multi_grid();
  const unsigned long long me = all.thread_rank(), n = all.num_threads(), grid = n / all.num_grids();
  unsigned int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    values[me] = static_cast<unsigned int>(me * 3 + static_cast<unsigned>(round * (place + 1)));
    all.sync();
    sum += values[(me + grid + static_cast<unsigned>(round)) % n];
    cg::sync(all);
  }
  sums[me] = sum;
}

TEST_F(MultiGrid, BarrierOrdersAllDevices) {
  CONFORMS("C.4.1.3.3", "C.6.1.1", "C.6.1.2", "C.8.10");
  const extent grid{3}, block{33};
  int rounds = 11;
  const unsigned int threads = 99, n = threads * static_cast<unsigned int>(count);
  memory<unsigned int> values(n), sums(n);
  unsigned int *to_values = values.data(), *to_sums = sums.data();
  prepare(grid, block, exchange, &to_values, &to_sums, &rounds);
  ASSERT_EQ(launch(), cudaSuccess);
  wait();
  for (unsigned int me = 0; me < n; ++me) {
    unsigned int expected = 0;
    for (unsigned int round = 0; round < 11; ++round) {
      const unsigned int other = (me + threads + round) % n;
      expected += other * 3 + round * (other / threads + 1);
    }
    ASSERT_EQ(sums[me], expected) << "thread " << me;
  }
}

__device__ int of_device;
__constant__ int constant_of_device;
__managed__ int of_all;

__global__ void use_variables(int place, int* seen) {
  cg::multi_grid_group all = cg::this_multi_grid();
  if (cg::this_grid().thread_rank() == 0) {
    of_device += place + 1;
    seen[2 * place] = constant_of_device;
    atomicAdd_system(&of_all, 1);
  }
  all.sync();
  if (cg::this_grid().thread_rank() == cg::this_grid().size() - 1) seen[2 * place + 1] = of_device;
}

TEST_F(MultiGrid, VariablesAreOfEachDevice) {
  CONFORMS("C.8.6");
  memory<int> seen(2 * static_cast<std::size_t>(count));
  int* pointer = seen.data();
  for (int device = 0; device < count; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    const int start = 100 * (device + 1), constant = 7 * device;
    ASSERT_EQ(cudaMemcpyToSymbol(of_device, &start, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemcpyToSymbol(constant_of_device, &constant, sizeof(int)), cudaSuccess);
  }
  of_all = 0;
  prepare({2}, {64}, use_variables, &pointer);
  ASSERT_EQ(launch(), cudaSuccess);
  wait();
  EXPECT_EQ(of_all, count);
  for (int device = 0; device < count; ++device) {
    EXPECT_EQ(seen[2 * static_cast<std::size_t>(device)], 7 * device);
    EXPECT_EQ(seen[2 * static_cast<std::size_t>(device) + 1], 100 * (device + 1) + device + 1);
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    int value = 0;
    ASSERT_EQ(cudaMemcpyFromSymbol(&value, of_device, sizeof(int)), cudaSuccess);
    EXPECT_EQ(value, 100 * (device + 1) + device + 1);
  }
}

__global__ void mark(int place, int* marks) {
  if (cg::this_grid().thread_rank() == 0) marks[place] = 1;
}

// An invalid list must not start a grid on any device.
TEST_F(MultiGrid, AllOrNothing) {
  CONFORMS("C.8.1", "C.8.3", "C.8.5", "C.8.9");
  memory<int> marks(static_cast<std::size_t>(count));
  marks.fill(0);
  int* pointer = marks.data();
  auto expect = [&](cudaError_t error, const char* what) {
    EXPECT_EQ(launch(), error) << what;
    EXPECT_EQ(cudaGetLastError(), error) << what;
    for (int device = 0; device < count; ++device) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    for (int mark : marks) ASSERT_EQ(mark, 0) << what;
  };
  int per_sm = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, mark, 32, 0), cudaSuccess);
  int sms = device_attribute(cudaDevAttrMultiProcessorCount, 0);
  for (int device = 1; device < count; ++device) {
    sms = std::min(sms, device_attribute(cudaDevAttrMultiProcessorCount, device));
  }
  const unsigned int most = static_cast<unsigned int>(per_sm * sms);
  prepare({most + 1}, {32}, mark, &pointer);
  expect(cudaErrorCooperativeLaunchTooLarge, "one block too many for the smallest device");
  prepare({2}, {32}, mark, &pointer);
  list[1].gridDim = dim3(3);
  expect(cudaErrorInvalidValue, "two grid sizes");
  prepare({2}, {32}, mark, &pointer);
  list[1].blockDim = dim3(64);
  expect(cudaErrorInvalidValue, "two block sizes");
  prepare({2}, {32}, mark, &pointer);
  list[1].sharedMem = 64;
  expect(cudaErrorInvalidValue, "two sizes of shared memory");
  prepare({2}, {32}, mark, &pointer);
  cudaStream_t second;
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  list[1].stream = second;
  expect(cudaErrorInvalidDevice, "two entries of one device");
  ASSERT_EQ(cudaStreamDestroy(second), cudaSuccess);
  prepare({2}, {32}, mark, &pointer);
  list[0].stream = nullptr;
  expect(cudaErrorInvalidResourceHandle, "the default stream");
  prepare({most}, {32}, mark, &pointer);
  ASSERT_EQ(launch(), cudaSuccess) << "as many blocks as fit";
  wait();
  for (int mark : marks) EXPECT_EQ(mark, 1);
}

TEST_F(MultiGrid, DevicesAreAlikeAndCanLaunchTogether) {
  CONFORMS("C.8.4", "C.8.11");
  for (int device = 0; device < count; ++device) {
    EXPECT_EQ(compute_capability(device), compute_capability(0));
    EXPECT_EQ(device_attribute(cudaDevAttrCooperativeMultiDeviceLaunch, device), 1);
  }
}

TEST_F(MultiGrid, WithPeerAccess) {
  CONFORMS("C.8.8");
  for (int device = 0; device < count; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    for (int peer = 0; peer < count; ++peer) {
      if (peer == device) continue;
      int can = 0;
      ASSERT_EQ(cudaDeviceCanAccessPeer(&can, device, peer), cudaSuccess);
      ASSERT_EQ(can, 1);
      ASSERT_EQ(cudaDeviceEnablePeerAccess(peer, 0), cudaSuccess);
    }
  }
  // All devices write into the memory of the last one.
  int *marks = nullptr, result[16] = {};
  ASSERT_EQ(cudaSetDevice(count - 1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&marks), sizeof(result)), cudaSuccess);
  prepare({1}, {32}, mark, &marks);
  ASSERT_EQ(launch(), cudaSuccess);
  wait();
  ASSERT_EQ(cudaMemcpy(result, marks, sizeof(int) * static_cast<std::size_t>(count), cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (int device = 0; device < count; ++device) EXPECT_EQ(result[device], 1);
  ASSERT_EQ(cudaFree(marks), cudaSuccess);
  for (int device = 0; device < count; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    for (int peer = 0; peer < count; ++peer) {
      if (peer != device) {
        EXPECT_EQ(cudaDeviceDisablePeerAccess(peer), cudaSuccess);
      }
    }
  }
}

// Earlier work of all streams runs before the launch, later work of any of them after it.
__global__ void add_one(int* value) { atomicAdd_system(value, 1); }
__global__ void copy_value(int place, const int* value, int* seen) {
  cg::this_multi_grid().sync();
  if (cg::this_grid().thread_rank() == 0) seen[place] = *value;
}

TEST_F(MultiGrid, OrderedWithAllItsStreams) {
  CONFORMS("C.8.1", "C.8.9");
  memory<int> value(1), seen(static_cast<std::size_t>(count));
  value[0] = 0;
  int *to_value = value.data(), *to_seen = seen.data();
  for (int round = 1; round <= 5; ++round) {
    for (int device = 0; device < count; ++device) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      add_one<<<10, 100, 0, streams[static_cast<std::size_t>(device)]>>>(to_value);
    }
    const int* from = to_value;
    prepare({2}, {32}, copy_value, &from, &to_seen);
    ASSERT_EQ(launch(), cudaSuccess);
    for (int device = 0; device < count; ++device) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      add_one<<<1, 1, 0, streams[static_cast<std::size_t>(device)]>>>(to_value);
    }
    wait();
    const int before = round * 1000 * count + (round - 1) * count;
    for (int each : seen) ASSERT_EQ(each, before) << "round " << round;
  }
}

}  // namespace

#endif
