// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many launches over several devices in flight. Launches with equal devices and blocks continue each other; others,
// with other devices, order or blocks, come in between. A grid may begin while earlier launches run elsewhere.
#include <cohort/cohort.hpp>

#include "conformance.hpp"
#include "machine.hpp"
#include "operators.hpp"

#ifdef cudaCooperativeLaunchMultiDeviceNoPreSync

namespace {

using namespace conformance;

// A value that is larger than one message between grids.
struct traces {
  unsigned int of[40];
  friend __host__ __device__ traces operator+(const traces& a, const traces& b) {
    traces sum;
    for (unsigned int i = 0; i < 40; ++i) sum.of[i] = trace()(a.of[i], b.of[i]);
    return sum;
  }
};

__host__ __device__ unsigned int value_of(unsigned int launch, unsigned int thread) {
  return thread * 2246822519u + launch * 12345u;
}

// Launches 0, 1, 2 and 3 of each four use no collective, messages, a barrier, or values in the scratch memory. Some
// grids begin late. `out` has two elements for each thread.
__global__ void one_of_many(unsigned int launch, unsigned int* out) {
  const auto all = cohort::this_multi_grid();
  const unsigned int me = static_cast<unsigned int>(all.thread_rank()),
                     n = static_cast<unsigned int>(all.num_threads());
  const unsigned int mine = value_of(launch, me);
  if ((launch / 4 + all.grid_rank()) % 3 == 0) __nanosleep(50000);
  switch (launch % 4) {
    case 0:
      out[me] = mine;
      break;
    case 1:
      out[me] = cohort::reduce(all, mine, trace());
      out[me] += cohort::reduce(all, mine + 1, trace());
      out[me] += cohort::reduce(all, mine + 2, trace());
      break;
    case 2:
      out[n + me] = mine;
      all.sync();
      out[me] = out[n + (me + n / 2) % n];
      break;
    default: {
      traces many;
      for (unsigned int i = 0; i < 40; ++i) many.of[i] = mine + i;
      out[me] = cohort::reduce(all, many, cohort::plus<traces>()).of[launch % 40];
    }
  }
}

struct launch_of_many {
  std::vector<int> devices;
  unsigned int blocks, threads, flags;
  unsigned int count() const { return static_cast<unsigned int>(devices.size()) * blocks * threads; }
};

unsigned int expected_of(const launch_of_many& l, unsigned int launch, unsigned int me) {
  const model::nesting nesting{l.threads, l.blocks};
  const auto reduced = [&](unsigned int more) {
    std::vector<unsigned int> values;
    for (unsigned int t = 0; t < l.count(); ++t) values.push_back(value_of(launch, t) + more);
    return model::tree(values, nesting, trace());
  };
  switch (launch % 4) {
    case 0:
      return value_of(launch, me);
    case 1:
      return reduced(0) + reduced(1) + reduced(2);
    case 2:
      return value_of(launch, (me + l.count() / 2) % l.count());
    default:
      return reduced(launch % 40);
  }
}

TEST(MultiGridSequence, LaunchesInFlight) {
  const int devices = device_count();
  if (devices < 2) GTEST_SKIP() << "needs two devices";
  const unsigned int both = cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync;
  const launch_of_many usual{{0, 1}, 5, 96, both};
  const launch_of_many others[] = {
      {{1, 0}, 5, 96, both}, {{0, 1}, 3, 96, both},
      {{1}, 5, 96, both},    {{0, 1}, 5, 33, both},
      {{0, 1}, 5, 96, 0},    {{0, devices - 1}, 5, 96, cudaCooperativeLaunchMultiDeviceNoPreSync}};
  std::vector<launch_of_many> launches;
  for (const launch_of_many& other : others) {
    for (int i = 0; i < 13; ++i) launches.push_back(usual);
    launches.push_back(other);
  }
  std::vector<std::vector<cudaStream_t>> streams(static_cast<std::size_t>(devices), std::vector<cudaStream_t>(2));
  for (int device = 0; device < devices; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    for (cudaStream_t& stream : streams[static_cast<std::size_t>(device)]) {
      ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    }
  }
  constexpr std::size_t most = 2 * 2 * 5 * 96;
  memory<unsigned int> out(most * launches.size());
  out.fill(0);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const launch_of_many& l = launches[i];
    unsigned int number = static_cast<unsigned int>(i);
    unsigned int* to = out.data() + i * most;
    void* arguments[] = {&number, &to};
    std::vector<cudaLaunchParams> list;
    for (int device : l.devices) {
      list.push_back({reinterpret_cast<void*>(&one_of_many), dim3(l.blocks), dim3(l.threads), arguments, 0,
                      streams[static_cast<std::size_t>(device)][i / 5 % 2]});
    }
    ASSERT_EQ(cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size()), l.flags),
              cudaSuccess)
        << "launch " << i;
  }
  for (int device = 0; device < devices; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (cudaStream_t stream : streams[static_cast<std::size_t>(device)]) {
      ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
  }
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const launch_of_many& l = launches[i];
    unsigned int expected = expected_of(l, static_cast<unsigned int>(i), 0);
    for (unsigned int me = 0; me < l.count(); ++me) {
      if (i % 2 == 0) expected = expected_of(l, static_cast<unsigned int>(i), me);
      ASSERT_EQ(out[i * most + me], expected) << "launch " << i << ", thread " << me;
    }
  }
}

}  // namespace

#endif
