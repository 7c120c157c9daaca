// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of different groups and value sizes follow one another without a barrier: a thread that runs ahead must
// not overwrite a value that another thread has not read yet.
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace {

using namespace testing_kernels;

struct eight {
  unsigned int words[8];
};
struct add_eight {
  COHORT_HOST_DEVICE eight operator()(const eight& a, const eight& b) const {
    eight sum;
    for (int i = 0; i < 8; ++i) sum.words[i] = a.words[i] + b.words[i];
    return sum;
  }
};

// Returns sums of `value` over the group, computed with values of 1, 4 and 32 bytes.
template <class Group>
COHORT_DEVICE unsigned int both_sums(const Group& group, unsigned int value) {
  const unsigned int sum = cohort::reduce(group, value, cohort::plus<unsigned int>());
  const eight many = {{value, sum, value, 1, 2, 3, 4, value + 5}};
  const eight total = cohort::reduce(group, many, add_eight());
  const unsigned char last = cohort::inclusive_scan(group, static_cast<unsigned char>(value));
  return sum + total.words[0] + total.words[7] + last;
}

// The order of the groups differs between the halves of a warp and between warps.
COHORT_KERNEL void mix(unsigned int* out) {
  const auto block = cohort::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile64 = cohort::tiled_partition<64>(block);
  const auto tile32 = cohort::tiled_partition<32>(block);
  const auto tile4 = cohort::tiled_partition<4>(block);
  const auto tile2 = cohort::tiled_partition<2>(block);
  const auto odd = cohort::binary_partition(tile32, me % 2 == 1);
  for (unsigned int round = 0; round < 6; ++round) {
    unsigned int* const mine = out + (round * block.size() + me) * 6;
    mine[0] = both_sums(block, me + round);
    if (me / 4 % 2 == round % 2) mine[1] = both_sums(tile4, me + round);
    mine[2] = both_sums(tile64, me + round);
    if (me % 2 == round % 2) mine[3] = both_sums(odd, me + round);
    mine[4] = both_sums(tile32, me + round);
    if (me / 2 % 3 == round % 3) mine[5] = both_sums(tile2, me + round);
  }
}

// The expected result of both_sums for member `rank` of a group.
unsigned int expected(const std::vector<unsigned int>& values, std::size_t rank) {
  unsigned int sum = 0;
  for (unsigned int v : values) sum += v;
  unsigned char last = 0;
  for (std::size_t i = 0; i <= rank; ++i) last = static_cast<unsigned char>(last + values[i]);
  return 3 * sum + 5 * static_cast<unsigned int>(values.size()) + last;
}

TEST(BackToBack, ThreadsThatRunAheadOverwriteNothing) {
  for (unsigned int threads : {64u, 100u, 256u}) {
    buffer<unsigned int> out(6 * 6 * threads);
    run({1, 1, 1}, {threads, 1, 1}, mix, out.data());
    for (unsigned int round = 0; round < 6; ++round) {
      const auto of_tile = [&](unsigned int size, unsigned int step, unsigned int t) {
        std::vector<unsigned int> values;
        std::size_t rank = 0;
        for (unsigned int i = t / size * size; i < threads && i < t / size * size + size; ++i) {
          if (step == 2 && i % 2 != t % 2) continue;
          if (i == t) rank = values.size();
          values.push_back(i + round);
        }
        return expected(values, rank);
      };
      for (unsigned int t = 0; t < threads; ++t) {
        SCOPED_TRACE(testing::Message() << "thread " << t << " of " << threads << ", round " << round);
        const unsigned int* const mine = out.data() + (round * threads + t) * 6;
        ASSERT_EQ(mine[0], of_tile(1024, 1, t));
        if (t / 4 % 2 == round % 2) {
          ASSERT_EQ(mine[1], of_tile(4, 1, t));
        }
        ASSERT_EQ(mine[2], of_tile(64, 1, t));
        if (t % 2 == round % 2) {
          ASSERT_EQ(mine[3], of_tile(32, 2, t));
        }
        ASSERT_EQ(mine[4], of_tile(32, 1, t));
        if (t / 2 % 3 == round % 3) {
          ASSERT_EQ(mine[5], of_tile(2, 1, t));
        }
      }
    }
  }
}

}  // namespace
