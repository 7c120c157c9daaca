// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans and broadcasts of multi_grid_group, which CUDA never had, against the model: on one, two and all
// devices. Each collective has a kernel of its own, because nvcc compiles many in one kernel slowly.
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "conformance.hpp"
#include "machine.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

template <std::size_t Bytes>
struct mix {
  __host__ __device__ sized<Bytes> operator()(const sized<Bytes>& a, const sized<Bytes>& b) const {
    sized<Bytes> result;
    for (std::size_t i = 0; i < Bytes; ++i) {
      result.bytes[i] = static_cast<unsigned char>(a.bytes[i] * 3u + (b.bytes[Bytes - 1 - i] ^ 0x5au) * 7u);
    }
    return result;
  }
};

// The function x -> slope * x + offset. Composition is associative, not commutative.
struct line {
  unsigned int slope, offset;
  friend bool operator==(const line& a, const line& b) { return a.slope == b.slope && a.offset == b.offset; }
};
struct chain {
  __host__ __device__ line operator()(const line& a, const line& b) const {
    return {a.slope * b.slope, a.offset * b.slope + b.offset};
  }
};

// Three collectives back to back without a barrier: the scratch of one must not disturb the next.
template <class T, class Op>
__global__ void reductions(const T* in, T* out) {
  const auto all = cohort::this_multi_grid();
  const unsigned long long me = all.thread_rank(), n = all.num_threads();
  for (unsigned int i = 0; i < 3; ++i) out[i * n + me] = cohort::reduce(all, in[(me + i) % n], Op());
}
__global__ void inclusive_scans(const line* in, line* out) {
  const auto all = cohort::this_multi_grid();
  out[all.thread_rank()] = cohort::inclusive_scan(all, in[all.thread_rank()], chain());
}
__global__ void exclusive_scans(const line* in, line* out) {
  const auto all = cohort::this_multi_grid();
  out[all.thread_rank()] = cohort::exclusive_scan(all, in[all.thread_rank()], chain());
}
__global__ void broadcasts(const unsigned int* in, unsigned int* out) {
  const auto all = cohort::this_multi_grid();
  unsigned int sum = 0;
  for (unsigned int round = 0; round < 5; ++round) {
    sum = sum * 31u + cohort::broadcast(all, in[all.thread_rank()] + round, round * all.num_threads() / 5);
  }
  out[all.thread_rank()] = sum;
}
__global__ void votes(const unsigned int* in, unsigned int* out) {
  const auto all = cohort::this_multi_grid();
  const bool mine = in[all.thread_rank()] % 7 < 3;
  const auto count = cohort::count(all, mine);
  const unsigned int any = cohort::any(all, mine) ? 2 : 0, each = cohort::all(all, mine) ? 1 : 0;
  out[all.thread_rank()] = static_cast<unsigned int>(count) * 4 + any + each;
}

struct shape_of_launch {
  int devices;
  extent grid, block;
  std::size_t threads() const { return static_cast<std::size_t>(devices) * grid.count() * block.count(); }
  model::nesting nesting() const { return {block.count(), grid.count()}; }
};

std::vector<shape_of_launch> shapes() {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  std::vector<shape_of_launch> all;
  for (int devices : {1, 2, count}) {
    if (devices > count) continue;
    all.push_back({devices, {1}, {1}});
    all.push_back({devices, {2}, {96}});
    all.push_back({devices, {3, 2}, {7, 5, 2}});
    all.push_back({devices, {on_engine() ? 5u : 40u}, {256}});
  }
  return all;
}

template <class T>
std::vector<T> run_on(const shape_of_launch& s, void (*kernel)(const T*, T*), const std::vector<T>& values,
                      std::size_t outs) {
  memory<T> in(values.size()), out(outs);
  std::copy(values.begin(), values.end(), in.begin());
  const T* from = in.data();
  const cohort::error e =
      cohort::launch_multi_device(s.devices, {shape(s.grid), shape(s.block)}, kernel, from, out.data());
  EXPECT_EQ(e.number(), 0) << cohort::message(e) << ", " << s.devices << " grids of " << text(s.grid) << " x "
                           << text(s.block);
  return std::vector<T>(out.begin(), out.end());
}

std::vector<unsigned int> numbers(std::size_t count) {
  std::vector<unsigned int> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<unsigned int>(i * 2246822519u + 12345u);
  return all;
}

template <class T, class Op>
void test_reductions(const std::vector<shape_of_launch>& some, T (*make)(unsigned int)) {
  for (const auto& s : some) {
    SCOPED_TRACE(testing::Message() << s.devices << " grids of " << text(s.grid) << " x " << text(s.block));
    const std::size_t n = s.threads();
    std::vector<T> values;
    for (unsigned int number : numbers(n)) values.push_back(make(number));
    const std::vector<T> found = run_on(s, reductions<T, Op>, values, 3 * n);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<T> turned(n);
      for (std::size_t t = 0; t < n; ++t) turned[t] = values[(t + i) % n];
      const T expected = model::tree(turned, s.nesting(), Op());
      for (std::size_t t = 0; t < n; ++t) {
        ASSERT_EQ(std::memcmp(&found[i * n + t], &expected, sizeof(T)), 0) << "reduction " << i << ", thread " << t;
      }
    }
  }
}

TEST(MultiGridCollectives, ReductionsInTheWrittenOrder) {
  test_reductions<unsigned int, trace>(shapes(), [](unsigned int number) { return number; });
}
struct add {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
TEST(MultiGridCollectives, SumsOfFloatsToTheBit) {
  test_reductions<float, add>(shapes(), [](unsigned int number) { return static_cast<float>(number) * 1e-3f - 1e6f; });
}
TEST(MultiGridCollectives, ValuesLargerThanASlot) {
  auto some = shapes();
  for (auto& s : some) s.grid = {s.grid.x % 7 + 1};
  test_reductions<sized<300>, mix<300>>(some, [](unsigned int number) { return sized<300>::of(number); });
}

TEST(MultiGridCollectives, Scans) {
  for (const auto& s : shapes()) {
    SCOPED_TRACE(testing::Message() << s.devices << " grids of " << text(s.grid) << " x " << text(s.block));
    std::vector<line> values, inclusive, exclusive(1, line{});
    for (unsigned int number : numbers(s.threads())) {
      values.push_back({number | 1u, number >> 7});
      inclusive.push_back(inclusive.empty() ? values[0] : chain()(inclusive.back(), values.back()));
      exclusive.push_back(inclusive.back());
    }
    exclusive.pop_back();
    EXPECT_TRUE(run_on(s, inclusive_scans, values, values.size()) == inclusive) << "inclusive";
    EXPECT_TRUE(run_on(s, exclusive_scans, values, values.size()) == exclusive) << "exclusive";
  }
}

TEST(MultiGridCollectives, BroadcastsAndVotes) {
  for (const auto& s : shapes()) {
    SCOPED_TRACE(testing::Message() << s.devices << " grids of " << text(s.grid) << " x " << text(s.block));
    const auto values = numbers(s.threads());
    unsigned int sent = 0, count = 0;
    for (unsigned int round = 0; round < 5; ++round) sent = sent * 31u + values[round * values.size() / 5] + round;
    for (unsigned int value : values) count += value % 7 < 3;
    const unsigned int voted = count * 4 + (count != 0 ? 2 : 0) + (count == values.size() ? 1 : 0);
    for (unsigned int found : run_on(s, broadcasts, values, values.size())) ASSERT_EQ(found, sent);
    for (unsigned int found : run_on(s, votes, values, values.size())) ASSERT_EQ(found, voted);
  }
}

}  // namespace
