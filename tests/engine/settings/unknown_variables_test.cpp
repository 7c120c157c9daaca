// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mistyped COHORT_* variable is named, with the known one that it resembles.
#include "engine/settings/settings.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "engine/settings/environment.hpp"

namespace {

using namespace cohort::engine;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(UnknownVariables, NamesTheNearest) {
  const char* const typos[][2] = {
      {"COHORT_TIMEOT", "COHORT_TIMEOUT"},       // a letter is missing
      {"COHORT_TIMEOUTT", "COHORT_TIMEOUT"},     // a letter too many
      {"COHORT_WROKERS", "COHORT_WORKERS"},      // two letters are swapped
      {"COHORT_SM", "COHORT_SMS"},               //
      {"COHORT_DEVICE", "COHORT_DEVICES"},       //
      {"COHORT_MEMROY", "COHORT_MEMORY"},        //
      {"COHORT_CLNAG", "COHORT_CLANG"},          // a variable of cohortcc
      {"COHORT_ADDRTOLINE", "COHORT_ADDR2LINE"}  //
  };
  for (const auto& [typo, known] : typos) {
    EXPECT_EQ(warn_of_variable(typo), std::string("cohort: warning: ") + typo +
                                          " is set, but Cohort has no such variable; " + known +
                                          " has a similar name\n");
  }
}

TEST(UnknownVariables, NamesTheListForAllOthers) {
  for (const char* name : {"COHORT_BANANA", "COHORT_", "COHORT_VERBOSE_OUTPUT"}) {
    EXPECT_THAT(warn_of_variable(name), AllOf(HasSubstr(name), HasSubstr("cohort-info --env")));
  }
}

TEST(UnknownVariables, LeavesKnownOnesAlone) {
  for (const setting* s = settings(); s->name; ++s) EXPECT_THAT(warn_of_variable(s->name), IsEmpty()) << s->name;
  EXPECT_THAT(warn_of_variable("COHORT_CLANG"), IsEmpty());
  EXPECT_THAT(warn_of_variable("COHORT_TEST_RANKS"), IsEmpty());
}

TEST(UnknownVariables, AreThoseOfTheEnvironment) {
  setenv("COHORT_TIMEOT", "5", 1);
  setenv("COHORTS", "5", 1);
  setenv("MY_COHORT_TIMEOT", "5", 1);
  ::testing::internal::CaptureStderr();
  warn_of_unknown_variables();
  const std::string printed = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed, warn_of_variable("COHORT_TIMEOT"));
  unsetenv("COHORT_TIMEOT");
}

TEST(Environment, EmptyIsNotSet) {
  setenv("COHORT_SMS", "", 1);
  EXPECT_EQ(environment_variable("COHORT_SMS"), nullptr);
  setenv("COHORT_SMS", "3", 1);
  EXPECT_STREQ(environment_variable("COHORT_SMS"), "3");
  unsetenv("COHORT_SMS");
  EXPECT_EQ(environment_variable("COHORT_SMS"), nullptr);
}

}  // namespace
