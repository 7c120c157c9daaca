// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The written order of reductions and scans, compared bit for bit: an operator that is neither associative nor
// commutative, values of 4 to 48 bytes, blocks and tiles of every number of warps for which a machine has special code.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "conformance.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

template <unsigned int Words>
struct words {
  unsigned int word[Words];

  __host__ __device__ static words of(unsigned int number) {
    words made;
    for (unsigned int i = 0; i < Words; ++i) made.word[i] = number * 2654435761u + i * 7 + 1;
    return made;
  }
  // Neither associative nor commutative: the result depends on the whole tree.
  struct order {
    __host__ __device__ words operator()(const words& a, const words& b) const {
      words made;
      for (unsigned int i = 0; i < Words; ++i) made.word[i] = trace()(a.word[i] + i, b.word[i]);
      return made;
    }
  };
  friend bool operator==(const words& a, const words& b) { return std::memcmp(&a, &b, sizeof(words)) == 0; }
};

// The values of a type, and their operator on the device and in the model.
template <class T>
struct sample {
  using order = typename T::order;
  using model = typename T::order;
  __host__ __device__ static T of(unsigned int number) { return T::of(number); }
};
template <>
struct sample<float> {
  using order = cg::plus<float>;
  struct model {
    float operator()(float a, float b) const { return a + b; }
  };
  // Values of many magnitudes: different orders of additions round to different sums.
  __host__ __device__ static float of(unsigned int number) {
    const unsigned int bits = number * 2654435761u + 12345u;
    return static_cast<float>(static_cast<int>(bits)) * static_cast<float>(1u << (bits >> 9 & 15u)) * 0x1p-30f;
  }
};
template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
struct results {
  T reduced, inclusive, exclusive;
};

template <class T, class Group>
__device__ void combine(const Group& group, results<T>* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  const T mine = sample<T>::of(me);
  out[me].reduced = cg::reduce(group, mine, typename sample<T>::order());
  out[me].inclusive = cg::inclusive_scan(group, mine, typename sample<T>::order());
  out[me].exclusive = cg::exclusive_scan(group, mine, typename sample<T>::order());
}
// Size 0 means the whole block.
template <class T, unsigned int Size>
__global__ void combine_all(results<T>* out) {
  if constexpr (Size == 0) {
    combine(cg::this_thread_block(), out);
  } else {
    combine(cg::tiled_partition<Size>(cg::this_thread_block()), out);
  }
}

// Compares the threads first .. first + count - 1 with the model: it combines the lanes of each warp, then the warps.
template <class T>
void check_group(unsigned int first, unsigned int count, const memory<results<T>>& out) {
  const typename sample<T>::model op;
  std::vector<std::vector<T>> lanes;
  std::vector<T> of_warps, last_of_warps;
  for (unsigned int begin = 0; begin < count; begin += 32) {
    std::vector<T> values;
    for (unsigned int i = begin; i < count && i < begin + 32; ++i) values.push_back(sample<T>::of(first + i));
    of_warps.push_back(model::tree(values, op));
    lanes.push_back(model::inclusive(values, op));
    last_of_warps.push_back(lanes.back().back());
  }
  const T reduced = model::tree(of_warps, op);
  const std::vector<T> warps = model::inclusive(last_of_warps, op);
  T before{};
  for (unsigned int i = 0; i < count; ++i) {
    const T through = i < 32 ? lanes[0][i] : op(warps[i / 32 - 1], lanes[i / 32][i % 32]);
    const results<T>& seen = out[first + i];
    ASSERT_TRUE(same(seen.reduced, reduced)) << "reduce, thread " << first + i;
    ASSERT_TRUE(same(seen.inclusive, through)) << "inclusive_scan, thread " << first + i;
    ASSERT_TRUE(same(seen.exclusive, before)) << "exclusive_scan, thread " << first + i;
    before = through;
  }
}

template <class T, unsigned int Size>
void check() {
  for (unsigned int threads : {1u,   13u,  31u,  32u,  33u,  64u,  96u,  100u, 128u, 160u,  192u,
                               256u, 288u, 300u, 384u, 512u, 544u, 576u, 640u, 768u, 1000u, 1024u}) {
    SCOPED_TRACE(std::to_string(sizeof(T)) + " bytes, " + std::to_string(threads) + " threads, tiles of " +
                 std::to_string(Size));
    memory<results<T>> out(threads);
    run({1}, {threads}, combine_all<T, Size>, out.data());
    const unsigned int size = Size == 0 ? threads : Size;
    for (unsigned int first = 0; first < threads; first += size) {
      check_group(first, std::min(size, threads - first), out);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Order, Blocks) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3", "D.7");
  check<words<1>, 0>();
  check<words<2>, 0>();
  check<words<3>, 0>();
  check<words<4>, 0>();
  check<words<12>, 0>();
}

TEST(Order, Tiles) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3", "D.7");
  check<words<1>, 4>();
  check<words<2>, 16>();
  check<words<1>, 32>();
  check<words<3>, 32>();
  check<words<1>, 64>();
  check<words<3>, 64>();
  check<words<2>, 128>();
  check<words<1>, 256>();
  check<words<5>, 256>();
  check<words<1>, 512>();
  check<words<4>, 512>();
}

// A machine may swap the operands of float additions, but must keep the tree.
TEST(Order, SumsOfFloats) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3", "D.7");
  check<float, 0>();
  check<float, 8>();
  check<float, 32>();
  check<float, 64>();
  check<float, 128>();
  check<float, 256>();
  check<float, 512>();
  check<float, 1024>();
}

// Old contents of shared memory must not reach a result. Large blocks first leave zeros there, or ones where zeros
// would not show; then smaller blocks of the same kernel combine other values.
template <class T, class Op>
__global__ void reduce_in_block(T value, T* out) {
  const cg::thread_block block = cg::this_thread_block();
  const T result = cg::reduce(block, value, Op());
  out[blockIdx.x * block.size() + block.thread_rank()] = result;
}
template <class T, class Op, class Model>
void check_after_others(T left, T value, Model model) {
  constexpr unsigned int blocks = 32;
  memory<T> out(blocks * 1024);
  for (unsigned int threads = 32; threads <= 1024; threads += 32) {
    run({blocks}, {1024}, reduce_in_block<T, Op>, left, out.data());
    run({blocks}, {threads}, reduce_in_block<T, Op>, value, out.data());
    const T expected = model(value, threads);
    for (unsigned int i = 0; i < blocks * threads; ++i) ASSERT_EQ(out[i], expected) << threads << " threads, " << i;
  }
}

TEST(Order, NothingOfEarlierBlocks) {
  CONFORMS("C.6.3.1.2");
  const auto same_value = [](auto value, unsigned int) { return value; };
  const auto sum = [](auto value, unsigned int threads) { return static_cast<decltype(value)>(value * threads); };
  check_after_others<unsigned long long, cg::less<unsigned long long>>(0, 5, same_value);
  check_after_others<int, cg::greater<int>>(0, -7, same_value);
  check_after_others<float, cg::less<float>>(0.0f, 2.5f, same_value);
  check_after_others<unsigned int, cg::bit_and<unsigned int>>(0, 0x0ff0f0f0u, same_value);
  check_after_others<float, cg::plus<float>>(1.0f, 3.0f, sum);
  check_after_others<double, cg::plus<double>>(1.0, 3.0, sum);
  check_after_others<int, cg::plus<int>>(
      1, -3, [](int value, unsigned int threads) { return value * static_cast<int>(threads); });
}

// An operator may use its operands as indices into a table. It must get only values that threads passed or that it
// returned, never values of lanes and warps that the block does not have.
struct marked {
  unsigned int value, mark;
  __host__ __device__ static marked of(unsigned int value) { return {value, ~value * 2654435761u}; }
};
struct careful {
  unsigned int* strangers;
  __device__ marked operator()(const marked& a, const marked& b) const {
    if (a.mark != marked::of(a.value).mark || b.mark != marked::of(b.value).mark) atomicAdd(strangers, 1u);
    return marked::of(a.value + b.value);
  }
};
template <class Group>
__device__ void combine_carefully(const Group& group, marked* out, unsigned int* strangers) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  const marked mine = marked::of(me + 1);
  out[3 * me] = cg::reduce(group, mine, careful{strangers});
  out[3 * me + 1] = cg::inclusive_scan(group, mine, careful{strangers});
  out[3 * me + 2] = cg::exclusive_scan(group, mine, careful{strangers});
}
template <unsigned int Size>
__global__ void combine_all_carefully(marked* out, unsigned int* strangers) {
  if constexpr (Size == 0) {
    combine_carefully(cg::this_thread_block(), out, strangers);
  } else {
    combine_carefully(cg::tiled_partition<Size>(cg::this_thread_block()), out, strangers);
  }
}
template <unsigned int Size>
void check_strangers() {
  for (unsigned int threads : {3u, 41u, 63u, 72u, 300u, 392u, 545u, 1000u}) {
    SCOPED_TRACE(std::to_string(threads) + " threads, tiles of " + std::to_string(Size));
    memory<marked> out(3 * threads);
    memory<unsigned int> strangers(1);
    strangers[0] = 0;
    run({1}, {threads}, combine_all_carefully<Size>, out.data(), strangers.data());
    EXPECT_EQ(strangers[0], 0u);
    for (unsigned int t = 0; t < threads; ++t) {
      const unsigned int size = Size == 0 ? threads : Size, first = t - t % size;
      const unsigned int last = std::min(first + size, threads);
      const auto sum = [&](unsigned int end) { return (end * (end + 1) - first * (first + 1)) / 2; };
      ASSERT_EQ(out[3 * t].value, sum(last)) << t;
      ASSERT_EQ(out[3 * t + 1].value, sum(t + 1)) << t;
      ASSERT_EQ(out[3 * t + 2].value, t == first ? 0 : sum(t)) << t;
    }
  }
}

TEST(Order, NothingOfThreadsThatAreNotThere) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  check_strangers<0>();
  check_strangers<4>();
  check_strangers<16>();
  check_strangers<32>();
  check_strangers<64>();
  check_strangers<256>();
  check_strangers<512>();
}

// Coalesced groups of adjacent lanes, of scattered lanes and of single lanes.
__global__ void combine_lanes(unsigned int mask, results<words<1>>* out) {
  if ((mask >> threadIdx.x & 1) != 0) combine(cg::coalesced_threads(), out);
}

TEST(Order, CoalescedGroups) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3", "D.7");
  for (unsigned int mask : {1u, 0x80000000u, 3u, 0x80000001u, 0x7u, 0x55555555u, 0x0f3c96a5u, 0xffff0000u, 0x7ffffffeu,
                            0xfffffffeu, 0xaaaaaaabu, 0x12345678u, 0x00ffff00u, 0xffffffffu}) {
    SCOPED_TRACE(mask);
    memory<results<words<1>>> out(32);
    run({1}, {32}, combine_lanes, mask, out.data());
    std::vector<unsigned int> members;
    std::vector<words<1>> values;
    for (unsigned int lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      members.push_back(lane);
      values.push_back(words<1>::of(lane));
    }
    const words<1> reduced = model::tree(values, words<1>::order());
    const std::vector<words<1>> inclusive = model::inclusive(values, words<1>::order());
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      const results<words<1>>& seen = out[members[rank]];
      ASSERT_TRUE(seen.reduced == reduced) << rank;
      ASSERT_TRUE(seen.inclusive == inclusive[rank]) << rank;
      ASSERT_TRUE(seen.exclusive == (rank == 0 ? words<1>{} : inclusive[rank - 1])) << rank;
    }
  }
}

}  // namespace
