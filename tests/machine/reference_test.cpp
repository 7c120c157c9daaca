// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference implementation gives the bits of the CPU machine's own reductions, scans, shuffles and votes.
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <random>

namespace {

using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::sized;
using testing_kernels::trace_op;

struct plain_machine : cohort::cpu::machine {
  static constexpr bool has_lane_reduce = false;
  static constexpr bool has_lane_scan = false;
  static constexpr bool has_team_shuffle = false;
  static constexpr bool has_team_count = false;
  static constexpr bool has_team_reduce = false;
  static constexpr bool has_team_scan = false;
};
using reference = cohort::detail::complete_machine<plain_machine>;
using native = cohort::this_machine;

template <class T>
struct all_three {
  T reduce, inclusive, exclusive;
};

template <class Machine, class T, class Op>
all_three<T> with(std::uint32_t mask, const T& value, const T& first) {
  Op op{};
  return {Machine::reduce_lanes(mask, value, op, "reduce"), Machine::inclusive_scan_lanes(mask, value, op, "scan"),
          Machine::exclusive_scan_lanes(mask, value, first, op, "scan")};
}

// masks[warp] divides each warp into two groups.
template <class T, class Op>
COHORT_KERNEL void both_machines(const T* in, const std::uint32_t* masks, all_three<T>* of_reference,
                                 all_three<T>* of_native) {
  const auto block = cohort::this_thread_block();
  const unsigned int me = block.thread_rank(), lane = me % 32;
  const unsigned int left = block.size() - me / 32 * 32;
  const std::uint32_t exist = left >= 32 ? 0xffffffffu : (1u << left) - 1u;
  const std::uint32_t chosen = masks[me / 32];
  const std::uint32_t mask = exist & (chosen >> lane & 1u ? chosen : ~chosen);
  of_reference[me] = with<reference, T, Op>(mask, in[me], in[0]);
  of_native[me] = with<native, T, Op>(mask, in[me], in[0]);
}

template <class T, class Op, class Make>
void test_machines(Make make) {
  std::mt19937 random(11);
  for (unsigned int threads : {1u, 2u, 15u, 31u, 32u, 33u, 64u, 90u}) {
    for (int round = 0; round < 4; ++round) {
      buffer<T> in(threads);
      buffer<std::uint32_t> masks(3);
      buffer<all_three<T>> of_reference(threads), of_native(threads);
      for (unsigned int t = 0; t < threads; ++t) in[t] = make(random);
      for (int w = 0; w < 3; ++w)
        masks[static_cast<std::size_t>(w)] = round == 0 ? ~0u : static_cast<std::uint32_t>(random());
      run({1, 1, 1}, {threads, 1, 1}, both_machines<T, Op>, in.data(), masks.data(), of_reference.data(),
          of_native.data());
      for (unsigned int t = 0; t < threads; ++t) {
        EXPECT_EQ(std::memcmp(&of_reference[t], &of_native[t], sizeof(all_three<T>)), 0)
            << "thread " << t << " of " << threads;
      }
    }
  }
}

struct first_bytes {
  COHORT_HOST_DEVICE sized<31> operator()(const sized<31>& a, const sized<31>& b) const {
    sized<31> result;
    for (int i = 0; i < 31; ++i) result.bytes[i] = static_cast<unsigned char>(a.bytes[i] * 5u + (b.bytes[30 - i] ^ 1u));
    return result;
  }
};

TEST(Reference, SameBitsAsNative) {
  test_machines<unsigned int, trace_op>([](std::mt19937& random) { return static_cast<unsigned int>(random()); });
  test_machines<float, cohort::plus<float>>([](std::mt19937& random) { return static_cast<float>(random()) * 1e-3f; });
  test_machines<sized<31>, first_bytes>(
      [](std::mt19937& random) { return sized<31>::of(static_cast<unsigned int>(random())); });
}

// Collectives of teams: tiles and blocks that end inside a warp, with threads that have returned.
template <class T>
struct all_five {
  T reduce, inclusive, exclusive, shuffled;
  std::uint32_t count;
};

template <class Machine, class T, class Op>
COHORT_DEVICE void with_team(std::uint32_t size, const T* in, unsigned int me, all_five<T>& out) {
  Op op{};
  const T value = in[me];
  out.reduce = Machine::reduce_team(size, value, op, "reduce");
  out.inclusive = Machine::inclusive_scan_team(size, value, op, "scan");
  out.exclusive = Machine::exclusive_scan_team(size, value, in[0], op, "scan");
  out.shuffled = Machine::shuffle_team(size, value, me * 5 % 100, "shfl");
  out.count = Machine::count_team(size, me % 3 == 0, "count");
}

template <class T, class Op>
COHORT_KERNEL void both_teams(std::uint32_t size, unsigned int returns, const T* in, all_five<T>* of_reference,
                              all_five<T>* of_native) {
  const unsigned int me = cohort::this_thread_block().thread_rank();
  if (returns != 0 && (me % returns == 1 || me / 32 == returns)) return;
  with_team<reference, T, Op>(size, in, me, of_reference[me]);
  with_team<native, T, Op>(size, in, me, of_native[me]);
}

template <class T, class Op, class Make>
void test_teams(Make make) {
  std::mt19937 random(12);
  for (unsigned int threads : {1u, 31u, 33u, 64u, 90u, 130u, 257u}) {
    for (std::uint32_t size : {0u, 64u, 128u, 1024u}) {
      for (unsigned int returns : {0u, 2u, 3u}) {
        buffer<T> in(threads);
        buffer<all_five<T>> of_reference(threads), of_native(threads);
        for (unsigned int t = 0; t < threads; ++t) in[t] = make(random);
        std::memset(static_cast<void*>(of_reference.data()), 0, threads * sizeof(all_five<T>));
        std::memset(static_cast<void*>(of_native.data()), 0, threads * sizeof(all_five<T>));
        run({1, 1, 1}, {threads, 1, 1}, both_teams<T, Op>, size, returns, in.data(), of_reference.data(),
            of_native.data());
        for (unsigned int t = 0; t < threads; ++t) {
          EXPECT_EQ(std::memcmp(&of_reference[t], &of_native[t], sizeof(all_five<T>)), 0)
              << "thread " << t << " of " << threads << " in teams of " << size << ", pattern " << returns;
        }
      }
    }
  }
}

TEST(Reference, SameBitsInTeams) {
  test_teams<unsigned int, trace_op>([](std::mt19937& random) { return static_cast<unsigned int>(random()); });
  test_teams<float, cohort::plus<float>>([](std::mt19937& random) { return static_cast<float>(random()) * 1e-3f; });
  test_teams<sized<31>, first_bytes>(
      [](std::mt19937& random) { return sized<31>::of(static_cast<unsigned int>(random())); });
}

}  // namespace
