// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The assertions about the layouts of shared structures, tested on structures that violate them.
#include <cohort/machine/cpu/port/layouts.hpp>
#include <cohort/machine/cpu/warp/match.hpp>
#include <cohort/machine/cpu/warp/shuffle.hpp>
#include <cohort/machine/cpu/warp/vote.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace {

struct good {
  uint32_t word;
  void* pointer;
};
struct displaced {
  uint32_t word;
  alignas(16) uint32_t far;
};
struct longer {
  uint32_t word;
  uint32_t unlisted;
};
struct resized {
  uint32_t word;
};

}  // namespace

template <>
struct cohort_layout<good> {
  static constexpr size_t bytes = 16;
  static constexpr cohort_field_layout fields[] = {{"word", 0, 4, 4}, {"pointer", offsetof(good, pointer), 8, 8}};
};
template <>
struct cohort_layout<displaced> {
  static constexpr size_t bytes = 32;
  static constexpr cohort_field_layout fields[] = {{"word", 0, 4, 4}, {"far", offsetof(displaced, far), 4, 4}};
};
template <>
struct cohort_layout<longer> {
  static constexpr size_t bytes = 8;
  static constexpr cohort_field_layout fields[] = {{"word", 0, 4, 4}};
};
template <>
struct cohort_layout<resized> {
  static constexpr size_t bytes = 8;
  static constexpr cohort_field_layout fields[] = {{"word", 0, 4, 4}};
};

namespace {

TEST(Layouts, NaturalLayoutIsTold) {
  EXPECT_TRUE(cohort_has_natural_layout<good>());
  EXPECT_FALSE(cohort_has_natural_layout<displaced>());
  EXPECT_FALSE(cohort_has_natural_layout<longer>());   // has a field without a row
  EXPECT_FALSE(cohort_has_natural_layout<resized>());  // its size differs from the table's
}

TEST(Layouts, EachStructureHasRowsOfDifferentNames) {
  std::set<std::string_view> structures;
#define COHORT_STRUCT(structure, size)                                                   \
  EXPECT_TRUE(structures.insert(cohort_layout<structure>::name).second) << #structure;   \
  {                                                                                      \
    std::set<std::string_view> fields;                                                   \
    for (const auto& field : cohort_layout<structure>::fields) {                         \
      EXPECT_TRUE(fields.insert(field.name).second) << #structure << "::" << field.name; \
    }                                                                                    \
  }
#define COHORT_FIELD(type, name)
#define COHORT_FIELD_OR(type, name, value)
#define COHORT_STRUCT_END
#include <cohort/machine/cpu/port/layouts.inc>
  EXPECT_EQ(structures.size(), 23u);
}

TEST(Layouts, EachCollectiveHasItsResolveFunction) {
  const std::set<cohort_resolve> functions = {
#define COHORT_BALLOT(joint, resolve) resolve,
#define COHORT_SHUFFLE(joint, resolve, operand) resolve,
#define COHORT_MATCH(joint, resolve, operand) resolve,

#include <cohort/machine/cpu/port/collectives.inc>

  };
  EXPECT_EQ(functions.size(), 5u);
}

}  // namespace
