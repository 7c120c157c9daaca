// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accumulators of matrix products that a warp has started: products in a loop share one entry, which lives as long
// as one of them.
#include "engine/state/warpgroup_products.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace cohort::engine;

std::vector<uint32_t*> places_in(std::vector<uint32_t>& words) {
  std::vector<uint32_t*> places;
  for (uint32_t& word : words) places.push_back(&word);
  return places;
}

TEST(WarpgroupProducts, OfALoopShareTheirAccumulators) {
  warpgroup_table table;
  std::vector<uint32_t> d(32 * 4), e(32 * 4);
  char first = 0, second = 0, other = 0;
  constexpr uint32_t warp = 3, thread = 32 * warp + 7;
  const auto found = [&](const uint32_t& word) { return place_of_product(table, thread, &word); };

  accumulator_places* const of_d = add_product(table, warp, places_in(d), &first);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(add_product(table, warp, places_in(d), &second), of_d);
  accumulator_places* const of_e = add_product(table, warp, places_in(e), &other);
  EXPECT_EQ(table.accumulators[warp].size(), 2u);

  EXPECT_EQ(found(d[4 * 7]), &first);
  EXPECT_EQ(found(d[4 * 7 + 3]), &first);
  EXPECT_EQ(found(d[4 * 8]), nullptr);                        // an element of another lane
  EXPECT_EQ(place_of_product(table, 7, &d[4 * 7]), nullptr);  // a product of another warp
  EXPECT_EQ(found(e[4 * 7]), &other);

  remove_product(table, warp, of_d);
  EXPECT_EQ(found(d[4 * 7]), &second);
  for (int i = 0; i < 100; ++i) remove_product(table, warp, of_d);
  EXPECT_EQ(found(d[4 * 7]), nullptr);
  EXPECT_EQ(found(e[4 * 7]), &other);
  remove_product(table, warp, of_e);
  EXPECT_TRUE(table.accumulators[warp].empty());
}

}  // namespace
