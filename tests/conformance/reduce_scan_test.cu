// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce, inclusive_scan and exclusive_scan of tiles and coalesced groups: section C.6.3 of the guide.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <type_traits>

#include "conformance.hpp"

namespace {

using namespace conformance;

// A struct with its own operator+ and no other operator.
struct vector4 {
  int x, y, z, w;
  __host__ __device__ friend vector4 operator+(const vector4& a, const vector4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  }
  __host__ __device__ friend bool operator==(const vector4& a, const vector4& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
  }
};
// A struct of 24 bytes with operator< only, which compares the key.
struct keyed {
  double key;
  int data[4];
  __host__ __device__ friend bool operator<(const keyed& a, const keyed& b) { return a.key < b.key; }
  __host__ __device__ friend bool operator==(const keyed& a, const keyed& b) {
    return a.key == b.key && a.data[0] == b.data[0] && a.data[3] == b.data[3];
  }
};

template <class T>
struct maker {
  static T make(unsigned int n) { return static_cast<T>(n * 2654435761u >> 9) - static_cast<T>(n % 3 ? 0 : 1000); }
};
template <>
struct maker<float> {
  static float make(unsigned int n) { return static_cast<float>(static_cast<int>(n * 37 % 512) - 200) * 0.25f; }
};
template <>
struct maker<double> {
  static double make(unsigned int n) { return static_cast<double>(static_cast<int>(n * 91 % 4096) - 999) * 0.125; }
};
template <>
struct maker<vector4> {
  static vector4 make(unsigned int n) {
    return {static_cast<int>(n), static_cast<int>(n * n), -static_cast<int>(n), 1};
  }
};
template <>
struct maker<keyed> {
  static keyed make(unsigned int n) {
    return {static_cast<double>(n * 7919 % 1009), {static_cast<int>(n), 1, 2, static_cast<int>(n) * 3}};
  }
};

// The operators, each with its counterpart on the host.
struct on_plus {
  template <class T>
  using device = cg::plus<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return static_cast<T>(a + b);
  }
};
struct on_less {
  template <class T>
  using device = cg::less<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return b < a ? b : a;
  }
};
struct on_greater {
  template <class T>
  using device = cg::greater<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return a < b ? b : a;
  }
};
struct on_and {
  template <class T>
  using device = cg::bit_and<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return static_cast<T>(a & b);
  }
};
struct on_or {
  template <class T>
  using device = cg::bit_or<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return static_cast<T>(a | b);
  }
};
struct on_xor {
  template <class T>
  using device = cg::bit_xor<T>;
  template <class T>
  static T host(const T& a, const T& b) {
    return static_cast<T>(a ^ b);
  }
};

template <class T>
struct results {
  T reduced, inclusive, exclusive;
};

template <class Group, class T, class Op>
__device__ results<T> look(const Group& g, const T& value, Op op) {
  static_assert(same_type<decltype(cg::reduce(g, value, op)), T>);
  static_assert(same_type<decltype(cg::inclusive_scan(g, value, op)), T>);
  static_assert(same_type<decltype(cg::exclusive_scan(g, value, op)), T>);
  results<T> r;
  r.reduced = cg::reduce(g, value, op);
  r.inclusive = cg::inclusive_scan(g, value, op);
  r.exclusive = cg::exclusive_scan(g, value, op);
  return r;
}

template <unsigned int Size, class T, class Op>
__global__ void in_tiles(const T* in, results<T>* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  out[threadIdx.x] = look(tile, in[threadIdx.x], Op());
}
template <class T, class Op>
__global__ void in_coalesced(const T* in, results<T>* out, unsigned int mask) {
  if (mask >> (threadIdx.x % 32) & 1) out[threadIdx.x] = look(cg::coalesced_threads(), in[threadIdx.x], Op());
}

template <class T, class Host>
void check_group(const model::group& g, const memory<T>& in, const memory<results<T>>& out) {
  T total = in[g.members[0]];
  for (std::size_t r = 0; r < g.size(); ++r) {
    const T before = total;
    if (r > 0) total = Host::host(total, in[g.members[r]]);
    ASSERT_TRUE(out[g.members[r]].inclusive == total) << "inclusive, rank " << r;
    if (r > 0) {
      ASSERT_TRUE(out[g.members[r]].exclusive == before) << "exclusive, rank " << r;
    }
  }
  for (unsigned int member : g.members) ASSERT_TRUE(out[member].reduced == total) << "reduce, thread " << member;
}

constexpr unsigned int threads = 96;

template <unsigned int Size, class T, class Host>
void check_tiles(const memory<T>& in, const memory<results<T>>& out) {
  SCOPED_TRACE("tile<" + std::to_string(Size) + ">");
  run({1}, {threads}, in_tiles<Size, T, typename Host::template device<T>>, static_cast<const T*>(in.data()),
      out.data());
  for (const model::group& g : model::tiles(model::whole_block(threads), Size)) check_group<T, Host>(g, in, out);
}

template <class T, class Host>
void check(const char* name) {
  SCOPED_TRACE(name);
  memory<T> in(threads);
  memory<results<T>> out(threads);
  for (unsigned int t = 0; t < threads; ++t) in[t] = maker<T>::make(t + 1);
  check_tiles<4, T, Host>(in, out);
  check_tiles<32, T, Host>(in, out);
  for (unsigned int mask : {0x1u, 0x80000000u, 0x10204u, 0x55555555u, 0xfffffffeu, 0x0ff0f00fu, 0xffffffffu}) {
    SCOPED_TRACE("mask " + std::to_string(mask));
    run({1}, {threads}, in_coalesced<T, typename Host::template device<T>>, static_cast<const T*>(in.data()),
        out.data(), mask);
    for (const model::group& warp : model::tiles(model::whole_block(threads), 32)) {
      model::group g;
      for (unsigned int t : warp.members) {
        if (mask >> (t % 32) & 1) g.members.push_back(t);
      }
      check_group<T, Host>(g, in, out);
    }
  }
}

TEST(ReduceScan, SixOperatorsOnIntegers) {
  CONFORMS("C.2.5", "C.6.3.1.1", "C.6.3.2.1", "C.6.3.2.2", "C.6.3.2.3", "C.6.3.3.1", "C.6.3.3.2", "C.6.3.3.4", "N3.4");
  check<int, on_plus>("plus<int>");
  check<int, on_less>("less<int>");
  check<int, on_greater>("greater<int>");
  check<unsigned int, on_and>("bit_and<unsigned int>");
  check<unsigned int, on_or>("bit_or<unsigned int>");
  check<unsigned int, on_xor>("bit_xor<unsigned int>");
  check<long long, on_plus>("plus<long long>");
  check<unsigned long long, on_xor>("bit_xor<unsigned long long>");
  check<short, on_greater>("greater<short>");
  check<unsigned char, on_plus>("plus<unsigned char>");
}

TEST(ReduceScan, FloatsAndStructs) {
  CONFORMS("C.6.3.1.1", "C.6.3.2.2", "C.6.3.2.4", "C.6.3.3.2", "C.6.3.3.4");
  check<float, on_plus>("plus<float>");  // the sums are exact
  check<float, on_less>("less<float>");
  check<double, on_plus>("plus<double>");
  check<double, on_greater>("greater<double>");
  check<vector4, on_plus>("plus<vector4>");
  check<keyed, on_less>("less<keyed>");
  check<keyed, on_greater>("greater<keyed>");
}

// Compares operators that the hardware can reduce with lambdas of equal meaning, which it cannot.
template <class Group>
__device__ void compare(const Group& g, int v, unsigned int* mine) {
  const unsigned int u = static_cast<unsigned int>(v) * 2654435761u;
  mine[0] = cg::reduce(g, v, cg::plus<int>()) == cg::reduce(g, v, [](int a, int b) { return a + b; });
  mine[1] = cg::reduce(g, v, cg::less<int>()) == cg::reduce(g, v, [](int a, int b) { return b < a ? b : a; });
  mine[2] = cg::reduce(g, v, cg::greater<int>()) == cg::reduce(g, v, [](int a, int b) { return a < b ? b : a; });
  mine[3] = cg::reduce(g, u, cg::bit_and<unsigned int>()) ==
            cg::reduce(g, u, [](unsigned int a, unsigned int b) { return a & b; });
  mine[4] = cg::reduce(g, u, cg::bit_or<unsigned int>()) ==
            cg::reduce(g, u, [](unsigned int a, unsigned int b) { return a | b; });
  mine[5] = cg::reduce(g, u, cg::bit_xor<unsigned int>()) ==
            cg::reduce(g, u, [](unsigned int a, unsigned int b) { return a ^ b; });
  const cg::plus<int> constant;
  mine[6] = cg::reduce(g, v, constant) == cg::reduce(g, v, cg::plus<int>());
  const cg::greater<unsigned int> greatest;
  mine[7] = cg::reduce(g, u, greatest) == cg::reduce(g, u, cg::greater<unsigned int>());
}

__global__ void compare_hardware_with_software(unsigned int* out) {
  const int v = static_cast<int>(threadIdx.x * 7919 % 101) - 50;
  cg::thread_block block = cg::this_thread_block();
  compare(cg::tiled_partition<32>(block), v, out + 32 * threadIdx.x);
  compare(cg::tiled_partition<16>(block), v, out + 32 * threadIdx.x + 8);
  compare(cg::tiled_partition<2>(block), v, out + 32 * threadIdx.x + 16);
  if (threadIdx.x % 3 != 1) {
    compare(cg::coalesced_threads(), v, out + 32 * threadIdx.x + 24);
  } else {
    compare(cg::coalesced_threads(), v, out + 32 * threadIdx.x + 24);
  }
}

TEST(ReduceScan, HardwareAndSoftwareAgree) {
  CONFORMS("C.6.3.1.4", "C.6.3.1.5", "C.6.3.2.4", "D.14");
  memory<unsigned int> out(32 * 64);
  run({1}, {64}, compare_hardware_with_software, out.data());
  for (unsigned int i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 1u) << "thread " << i / 32 << ", value " << i % 32;
}

// Callables of every kind: a function object, a lambda that captures, a generic lambda.
struct multiply {
  __device__ unsigned int operator()(unsigned int a, unsigned int b) const { return a * b; }
};
__global__ void callables(unsigned int factor, unsigned int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned int v = threadIdx.x * 2 + 3;
  auto scaled = [factor](unsigned int a, unsigned int b) { return a * b * factor; };
  unsigned int* mine = out + 5 * threadIdx.x;
  mine[0] = cg::reduce(tile, v, multiply());
  mine[1] = cg::reduce(tile, v, scaled);
  mine[2] = cg::reduce(tile, v, [](auto a, auto b) { return a < b ? b : a; });
  mine[3] = cg::inclusive_scan(tile, v, multiply());
  mine[4] = cg::exclusive_scan(tile, v, multiply());
}

TEST(ReduceScan, CallablesOfEveryKind) {
  CONFORMS("C.6.3.1.5", "C.6.3.2.4", "C.6.3.3.4");
  memory<unsigned int> out(5 * 24);
  run({1}, {24}, callables, 10u, out.data());
  for (unsigned int t = 0; t < 24; ++t) {
    const unsigned int first = t - t % 8;
    unsigned int product = 1, through = 1, before = 1;
    for (unsigned int r = 0; r < 8; ++r) {
      product *= (first + r) * 2 + 3;
      if (first + r <= t) through *= (first + r) * 2 + 3;
      if (first + r < t) before *= (first + r) * 2 + 3;
    }
    EXPECT_EQ(out[5 * t], product);
    EXPECT_EQ(out[5 * t + 1], product * 10000000u);  // the operator ran seven times
    EXPECT_EQ(out[5 * t + 2], (first + 7) * 2 + 3);
    EXPECT_EQ(out[5 * t + 3], through);
    if (t % 8 != 0) {
      EXPECT_EQ(out[5 * t + 4], before);
    }
  }
}

__global__ void without_operator(int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  const int rank = static_cast<int>(tile.thread_rank());
  int* mine = out + 4 * block.thread_rank();
  mine[0] = cg::inclusive_scan(tile, rank);
  mine[1] = cg::exclusive_scan(tile, rank);
  static_assert(same_type<decltype(cg::inclusive_scan(tile, rank)), int>);
  mine[2] = mine[3] = -1;
  if (rank % 2 == 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    mine[2] = cg::inclusive_scan(odd, rank);
    mine[3] = cg::exclusive_scan(odd, rank);
  }
}

TEST(ReduceScan, ScanOfRanks) {
  CONFORMS("C.6.3.3.1", "C.6.3.3.2", "C.6.3.3.4", "C.6.3.3.6");
  const int expected[] = {0, 1, 3, 6, 10, 15, 21, 28};
  memory<int> out(4 * 64);
  run({1}, {64}, without_operator, out.data());
  for (int t = 0; t < 64; ++t) {
    const int r = t % 8;
    ASSERT_EQ(out[4 * t], expected[r]);
    ASSERT_EQ(out[4 * t + 1], r == 0 ? 0 : expected[r - 1]);
    if (r % 2 == 0) continue;
    int through =
        0;  // the odd threads of a warp form one group: sum the ranks 1, 3, 5, 7 of all tiles up to this thread
    for (int q = t - t % 32 + 1; q <= t; q += 2) through += q % 8;
    ASSERT_EQ(out[4 * t + 2], through);
    ASSERT_EQ(out[4 * t + 3], through - r);
  }
}

// Every thread of a tile allocates rank % 2 + 1 words of a buffer.
__global__ void allocate(int* buffer, int* used) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int need = static_cast<int>(tile.thread_rank() % 2) + 1;
  const int offset = cg::exclusive_scan(tile, need);
  int start = 0;
  if (tile.thread_rank() == tile.num_threads() - 1) start = atomicAdd(used, offset + need);
  start = tile.shfl(start, static_cast<int>(tile.num_threads() - 1));
  for (int i = 0; i < need; ++i) buffer[start + offset + i] = i;
}

TEST(ReduceScan, ExclusiveScanAllocatesFromABuffer) {
  CONFORMS("C.6.3.3.7");
  const int warps = 7;
  memory<int> buffer(48 * warps), used(1);
  used[0] = 0;
  run({1}, {32 * warps}, allocate, buffer.data(), used.data());
  ASSERT_EQ(used[0], 48 * warps);
  for (int i = 0; i < 48 * warps; ++i) ASSERT_EQ(buffer[i], i % 3 == 2 ? 1 : 0) << i;
}

// The guide's sum of a block: tiles reduce, and one thread adds their results.
__global__ void sum_of_block(const int* in, int* out) {
  __shared__ int partial[8];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(tile, in[block.group_index().x * 256 + block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    int total = 0;
    for (int each : partial) total += each;
    out[block.group_index().x] = total;
  }
}

TEST(ReduceScan, SumOfABlock) {
  CONFORMS("C.6.3.1.7");
  memory<int> in(3 * 256), out(3);
  int expected[3] = {};
  for (int i = 0; i < 3 * 256; ++i) expected[i / 256] += in[i] = i * i % 1001 - 300;
  run({3}, {256}, sum_of_block, static_cast<const int*>(in.data()), out.data());
  for (int b = 0; b < 3; ++b) EXPECT_EQ(out[b], expected[b]);
}

}  // namespace
