// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows whose baselines contradict each other are found, and no others.
#include "contradictions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace bench {
namespace {

measured_row row_of(const std::string& name, double ours, double theirs, const std::string& quantity,
                    double lowest_ratio = 0) {
  const row_spec spec{
      .name = name, .unit = "ns", .peers = {{.name = "peer", .quantity = quantity, .lowest_ratio = lowest_ratio}}};
  return {spec, {ours, ours, ours * 100}, {{theirs, theirs, theirs * 100}}, {""}, ""};
}

TEST(Contradictions, EqualPeersAreNone) {
  EXPECT_THAT(find_contradictions({row_of("a", 1, 3.4, "switch"), row_of("b", 9, 4.2, "switch")}), IsEmpty());
}

TEST(Contradictions, OneOutlierIsNamedWithBothValues) {
  const auto found = find_contradictions(
      {row_of("a", 1, 3.4, "switch"), row_of("b", 1, 10.6, "switch"), row_of("c", 1, 3.5, "switch")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].row, 1u);
  EXPECT_THAT(found[0].text, HasSubstr("10.6"));
  EXPECT_THAT(found[0].text, HasSubstr("other rows 3.5"));
  EXPECT_THAT(found[0].text, HasSubstr("switch"));
}

TEST(Contradictions, ShorterOutliersCountToo) {
  const auto found = find_contradictions(
      {row_of("a", 1, 1.0, "switch"), row_of("b", 1, 3.5, "switch"), row_of("c", 1, 3.5, "switch")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].row, 0u);
}

TEST(Contradictions, OtherQuantitiesAndNoQuantityDoNotMeet) {
  EXPECT_THAT(find_contradictions({row_of("a", 1, 3, "switch"), row_of("b", 1, 300, "sum"), row_of("c", 1, 3, ""),
                                   row_of("d", 1, 3000, "")}),
              IsEmpty());
}

TEST(Contradictions, OurSideIsNotShorterThanWhatItContains) {
  EXPECT_THAT(find_contradictions({row_of("a", 0.8, 1, "", 0.7)}), IsEmpty());
  const auto found = find_contradictions({row_of("a", 0.32, 1, "", 0.7)});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].text, HasSubstr("0.32"));
  EXPECT_THAT(found[0].text, HasSubstr("contains the peer's work"));
}

TEST(Contradictions, MissingPeersAndFailedRowsAreLeftOut) {
  measured_row missing = row_of("a", 1, 1, "switch");
  missing.peers[0].clear();
  measured_row failed = row_of("b", 0.1, 100, "", 0.7);
  failed.failure = "wrong result";
  EXPECT_THAT(find_contradictions({missing, failed, row_of("c", 1, 3, "switch")}), IsEmpty());
}

}  // namespace
}  // namespace bench
