// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cohort/base/lane_mask.hpp>
#include <random>
#include <vector>

namespace {

std::vector<unsigned> lanes_of(std::uint32_t bits) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (bits >> lane & 1) lanes.push_back(lane);
  }
  return lanes;
}

void check(std::uint32_t bits, std::uint32_t votes) {
  SCOPED_TRACE(testing::Message() << std::hex << "mask " << bits << " votes " << votes);
  const cohort::lane_mask mask(bits);
  const auto lanes = lanes_of(bits);
  ASSERT_EQ(mask.count(), lanes.size());
  bool contiguous = true;
  std::uint32_t packed = 0;
  for (unsigned rank = 0; rank < lanes.size(); ++rank) {
    EXPECT_EQ(mask.lane_of(rank), lanes[rank]);
    EXPECT_EQ(mask.rank_of(lanes[rank]), rank);
    EXPECT_TRUE(mask.contains(lanes[rank]));
    if (rank > 0 && lanes[rank] != lanes[rank - 1] + 1) contiguous = false;
    if (votes >> lanes[rank] & 1) packed |= 1u << rank;
  }
  EXPECT_EQ(mask.is_contiguous(), contiguous);
  EXPECT_EQ(mask.to_ranks(votes), packed);
  if (!lanes.empty()) {
    EXPECT_EQ(mask.first(), lanes[0]);
  }
  for (unsigned from = 0; from < 32; from += 3) {
    for (unsigned to = from; to <= 33; to += 5) {
      std::uint32_t expected = 0;
      for (unsigned rank = from; rank < to && rank < lanes.size(); ++rank) expected |= 1u << lanes[rank];
      EXPECT_EQ(mask.ranks(from, to).bits, expected);
    }
  }
}

TEST(LaneMask, AgreesWithAListOfLanes) {
  std::mt19937 random(1);
  for (std::uint32_t bits : {0u, 1u, 0x80000000u, 0xffffffffu, 0xff00u, 0xaaaaaaaau, 0x80000001u})
    check(bits, random());
  for (int i = 0; i < 500; ++i) check(random() & random(), random());
  for (unsigned first = 0; first < 32; ++first) check(0xffffffffu << first, random());
}

TEST(LaneMask, Bits) {
  for (std::uint32_t i = 0; i < 2048; ++i) {
    unsigned set = 0;
    for (unsigned b = 0; b < 32; ++b) set += i >> b & 1;
    EXPECT_EQ(cohort::detail::popcount(i), set);
    EXPECT_EQ(cohort::detail::is_power_of_two(i), set == 1);
  }
  EXPECT_EQ(cohort::detail::lowest_bit(0), 32u);
  EXPECT_EQ(cohort::detail::low_bits(0), 0u);
  EXPECT_EQ(cohort::detail::low_bits(31), 0x7fffffffu);
  EXPECT_EQ(cohort::detail::low_bits(32), 0xffffffffu);
  EXPECT_EQ(cohort::detail::divide_up(9u, 4u), 3u);
}

}  // namespace
