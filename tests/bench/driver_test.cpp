// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver with rows that need no kernel. This program is also the measuring process that the driver starts.
#include "driver.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "cpus.hpp"
#include "server.hpp"

namespace bench {

// Stand-ins for functions of the benchmark that this program does not link.
std::vector<std::pair<std::string, std::string>> peer_versions() { return {{"a peer", "version 7"}}; }
const char* cohortcc_version() { return "none"; }

namespace {

row_sides constant(double ours, double theirs) {
  return {[ours] { return ours; }, {{[theirs] { return theirs; }}}};
}

// A row whose peer returns 1 at first and 100 from the third round on.
row_sides drifting() {
  const auto calls = std::make_shared<int>(0);
  return {[] { return 1.0; }, {{[calls] { return ++*calls > 6 ? 100.0 : 1.0; }}}};
}

double is_off() {
  const char* mode = getenv("COHORT_GANGS");
  return mode && std::strcmp(mode, "off") == 0;
}

suite all_rows() {
  suite rows;
  const std::vector<peer_spec> peer = {{.name = "peer", .limit = bar::at_most(0.5)}};
  rows.begin_part("first");
  rows.add({.name = "half", .unit = "ns", .peers = peer}, [] { return constant(2, 4); });
  rows.add({.name = "missing", .unit = "ns", .peers = peer},
           [] { return row_sides{[] { return 1.0; }, {{{}, "not here"}}}; });
  rows.add({.name = "wrong", .unit = "ns", .peers = peer}, []() -> row_sides { exit(1); });
  rows.add({.name = "cpus of a row of one core", .unit = "cpus", .at_most = 1},
           [] { return row_sides{[] { return static_cast<double>(usable_cpus()); }}; });
  rows.begin_part("second");
  rows.add({.name = "cpus of a row of all cores", .unit = "cpus", .on = cpus::all},
           [] { return row_sides{[] { return static_cast<double>(usable_cpus()); }}; });
  rows.add({.name = "mode", .unit = "ns"}, [] { return row_sides{[] { return 1 + is_off(); }}; });
  rows.begin_part("contradiction");
  for (const char* name : {"3 ns", "3 ns too"}) {
    rows.add({.name = name, .unit = "ns", .peers = {{.name = "switch", .quantity = "switch"}}},
             [] { return constant(1, 3); });
  }
  rows.add({.name = "10 ns", .unit = "ns", .peers = {{.name = "switch", .quantity = "switch"}}},
           [] { return constant(1, 10); });
  rows.begin_part("mean");
  for (const double theirs : {1.0, 4.0}) {
    const std::vector<peer_spec> one = {{.name = "peer", .mean = "mean", .mean_limit = bar::at_most(1)}};
    rows.add({.name = "to " + std::to_string(theirs), .unit = "ns", .peers = one},
             [theirs] { return constant(2, theirs); });
  }
  rows.begin_part("median");
  rows.add({.name = "drift", .unit = "ns", .peers = {{.name = "drifting peer"}}, .rounds = 5}, drifting);
  return rows;
}

// Measures rows and returns the result file.
struct outcome {
  int failed;
  int missed;
  std::string file;
};

outcome run(plan how) {
  how.most_rounds = 3;
  const report result = measure(all_rows(), how);
  const std::string folder = testing::TempDir() + "cohort_driver_test";
  std::ifstream file(result.write(folder, "/"));
  std::stringstream text;
  text << file.rdbuf();
  return {result.failed_rows(), result.missed_bars(), text.str()};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Driver, RatiosAndBars) {
  const outcome all = run({.filter = "half"});
  EXPECT_EQ(all.failed, 0);
  EXPECT_EQ(all.missed, 0);
  EXPECT_TRUE(contains(all.file, R"("ratio": 0.5, "bar": "<= 0.500", "met": true, "repeats": 3)")) << all.file;
  EXPECT_TRUE(contains(all.file, R"("a peer": "version 7")")) << all.file;
}

TEST(Driver, AMissingPeerKeepsItsReason) {
  const outcome all = run({.filter = "missing"});
  EXPECT_EQ(all.failed, 0);
  EXPECT_TRUE(contains(all.file, R"("theirs": null, "note": "not here")")) << all.file;
}

TEST(Driver, AWrongResultFailsItsRowAndNoOther) {
  const outcome all = run({.filter = "wrong|half"});
  EXPECT_EQ(all.failed, 1);
  EXPECT_TRUE(contains(all.file, R"("failure": "the measuring process ended)")) << all.file;
  EXPECT_TRUE(contains(all.file, R"("ratio": 0.5)")) << all.file;
}

TEST(Driver, RowsOfOneCoreHaveOneCpu) {
  const outcome one = run({.filter = "one core"});
  EXPECT_EQ(one.missed, 0) << one.file;
  const outcome all = run({.part = "second", .filter = "all cores"});
  EXPECT_TRUE(contains(all.file, "\"ours\": " + std::to_string(usable_cpus()) + ",")) << all.file;
}

TEST(Driver, ModesCompareWithFibers) {
  EXPECT_FALSE(contains(run({.filter = "^mode$"}).file, "COHORT_GANGS=off"));
  const outcome both = run({.filter = "^mode$", .both_modes = true});
  EXPECT_TRUE(contains(both.file, R"("ours": 1, "peer": "COHORT_GANGS=off", "theirs": 2, "ratio": 0.5)")) << both.file;
}

TEST(Driver, AContradictionThatRemainsFailsItsRow) {
  const outcome all = run({.part = "contradiction"});
  EXPECT_EQ(all.failed, 1);
  EXPECT_TRUE(contains(all.file, "its peer measures 10, other rows 3: switch")) << all.file;
}

TEST(Driver, TheMedianCountsAndEachSideRunsOnceUnmeasured) {
  // A side is called twice a round, so five rounds are ten calls; the measured five return 1, 1, 1, 100 and 100.
  const outcome all = run({.part = "median"});
  EXPECT_TRUE(contains(all.file, R"("theirs": 1, "ratio": 1, "repeats": 5)")) << all.file;
}

TEST(Driver, AMeanIsGeometricAndHasTheLeastAndLargestRatio) {
  const outcome all = run({.part = "mean"});
  EXPECT_TRUE(contains(all.file, R"("name": "mean", "unit": "ns", "cores": "one", "ours": 2, "peer": "peer", )"
                                 R"("theirs": 2, "ratio": 1, "bar": "<= 1.00", "met": true, "repeats": 2, )"
                                 R"("spread": [0.5, 2])"))
      << all.file;
}

TEST(Driver, NoRowMatches) { EXPECT_TRUE(measure(all_rows(), {.filter = "nothing"}).empty()); }

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--serve") == 0) return bench::serve(bench::all_rows());
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
