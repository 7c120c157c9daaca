// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the model with values computed by hand.
#include "grid_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using testing::ElementsAre;

std::string join(const std::string& a, const std::string& b) { return "(" + a + b + ")"; }

TEST(GridModel, EnumeratesXFastest) {
  const auto all = model::enumerate({2, 2, 2});
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[1].x, 1u);
  EXPECT_EQ(all[2].y, 1u);
  EXPECT_EQ(all[4].z, 1u);
  EXPECT_EQ(all[7].x + all[7].y + all[7].z, 3u);
}

TEST(GridModel, CutsTheLastTile) {
  const auto all = model::tiles(model::whole_block(20), 8);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[2].members, ElementsAre(16, 17, 18, 19));
  EXPECT_EQ(all[2].index, 2u);
  EXPECT_EQ(all[2].count, 3u);
}

TEST(GridModel, NumbersLabelsByFirstMember) {
  const auto all = model::by_label(model::whole_block(5), std::vector<int>{7, 3, 7, 9, 3});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0].members, ElementsAre(0, 2));
  EXPECT_THAT(all[1].members, ElementsAre(1, 4));
  EXPECT_THAT(all[2].members, ElementsAre(3));
}

TEST(GridModel, NumbersPredicatesByValue) {
  const auto all = model::by_predicate(model::whole_block(3), {true, false, true});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0].members, ElementsAre(1));
  EXPECT_THAT(all[1].members, ElementsAre(0, 2));
  EXPECT_EQ(model::by_predicate(model::whole_block(3), {true, true, true}).size(), 1u);
}

TEST(GridModel, TreeOfFive) {
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(model::tree(letters, join), "(((ab)(cd))e)");
}

TEST(GridModel, TheLastOfAScanIsTheTree) {
  std::vector<std::string> letters;
  for (int i = 0; i < 33; ++i) {
    letters.push_back(std::string(1, static_cast<char>('A' + i)));
    EXPECT_EQ(model::inclusive(letters, join).back(), model::tree(letters, join));
  }
}

TEST(GridModel, ScanOfFour) {
  const std::vector<std::string> letters = {"a", "b", "c", "d"};
  EXPECT_THAT(model::inclusive(letters, join), ElementsAre("a", "(ab)", "((ab)c)", "((ab)(cd))"));
  EXPECT_THAT(model::exclusive(letters, std::string("-"), join), ElementsAre("-", "a", "(ab)", "((ab)c)"));
}

// Threads a, b, c, ... form blocks of 2 threads and grids of 2 blocks.
TEST(GridModel, LevelsOneAfterTheOther) {
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  EXPECT_EQ(model::tree(letters, model::nesting{2, 0}, join), "((((ab)(cd))((ef)(gh)))((ij)(kl)))");
  EXPECT_EQ(model::tree(letters, model::nesting{2, 2}, join), "((((ab)(cd))((ef)(gh)))((ij)(kl)))");
  const std::vector<std::string> nine(letters.begin(), letters.begin() + 9);
  EXPECT_EQ(model::tree(nine, model::nesting{1, 3}, join), "((((ab)c)((de)f))((gh)i))");
  EXPECT_EQ(model::tree(nine, model::nesting{3, 0}, join), "((((ab)c)((de)f))((gh)i))");
}

TEST(GridModel, ScanOverBlocks) {
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h"};
  EXPECT_THAT(model::inclusive(letters, model::nesting{2, 0}, join),
              ElementsAre("a", "(ab)", "((ab)c)", "((ab)(cd))", "(((ab)(cd))e)", "(((ab)(cd))(ef))",
                          "((((ab)(cd))(ef))g)", "((((ab)(cd))(ef))(gh))"));
  // Grids of 3 blocks of one thread: complete grids come first.
  EXPECT_THAT(model::inclusive(letters, model::nesting{1, 3}, join),
              ElementsAre("a", "(ab)", "((ab)c)", "(((ab)c)d)", "((((ab)c)d)e)", "((((ab)c)(de))f)",
                          "((((ab)c)((de)f))g)", "(((((ab)c)((de)f))g)h)"));
}

// 33 threads make a warp and one lane.
TEST(GridModel, WarpsOfABlock) {
  std::vector<std::string> letters;
  for (int i = 0; i < 34; ++i) letters.push_back(std::string(1, static_cast<char>('A' + i)));
  const std::vector<std::string> warp(letters.begin(), letters.begin() + 32);
  EXPECT_EQ(model::tree(letters, model::nesting{}, join),
            join(model::tree(warp, join), join(letters[32], letters[33])));
  const auto scanned = model::inclusive(letters, model::nesting{}, join);
  EXPECT_EQ(scanned[33], join(model::inclusive(warp, join)[31], join(letters[32], letters[33])));
  EXPECT_EQ(model::exclusive(letters, model::nesting{}, std::string("-"), join)[33], scanned[32]);
}

}  // namespace
