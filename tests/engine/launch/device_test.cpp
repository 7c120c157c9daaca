// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The virtual device: its properties, and the values that its settings accept.
#include "engine/launch/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "engine/settings/settings.hpp"

namespace {

using namespace cohort::engine;

TEST(Device, DescribesAnSm90) {
  ASSERT_EQ(cohort_device_count(), 1);
  const cohort_device* d = cohort_device_get(0);
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(cohort_device_get(1), nullptr);
  EXPECT_EQ(cohort_device_get(-1), nullptr);
  EXPECT_NE(std::string(d->name).find("Cohort"), std::string::npos);
  EXPECT_EQ(d->warp_size, 32);
  EXPECT_EQ(d->max_threads_per_block, 1024);
  EXPECT_EQ(d->max_threads_per_sm, 2048);
  EXPECT_EQ(d->shared_per_block, 49152u);
  EXPECT_EQ(d->shared_per_block_optin, 232448u);
  EXPECT_EQ(d->compute_major * 10 + d->compute_minor, 90);
  EXPECT_GE(d->workers, 1);
}

TEST(Device, EverySettingRefusesNonsense) {
  GTEST_FLAG_SET(death_test_style, "fast");  // the child only calls getenv, so a plain fork is safe
  for (const setting* s = settings(); s->name; ++s) {
    for (const char* bad : {"abc", "12x", "-1", "1e30", "nan"}) {
      EXPECT_EXIT(
          {
            setenv(s->name, bad, 1);
            s->program ? (void)read_program_setting(s->name) : (void)read_setting(s->name, 0);
            std::exit(0);
          },
          ::testing::ExitedWithCode(2), std::string("cohort: ") + s->name + "=" + bad + " is not valid: expected")
          << s->name << "=" << bad;
    }
  }
}

TEST(Device, SettingsAreRead) {
  EXPECT_EQ(read_setting("COHORT_SMS", 3), std::getenv("COHORT_SMS") ? std::atof(std::getenv("COHORT_SMS")) : 3);
  setenv("COHORT_SHARED_PER_SM", "4096", 1);
  EXPECT_EQ(read_setting("COHORT_SHARED_PER_SM", 0), 4096);
  setenv("COHORT_SHARED_PER_SM", "", 1);
  EXPECT_EQ(read_setting("COHORT_SHARED_PER_SM", 5), 5);
  unsetenv("COHORT_SHARED_PER_SM");
}

TEST(Device, ResidencyFollowsThreadsAndSharedMemory) {
  const cohort_device& d = *cohort_device_get(0);
  EXPECT_EQ(blocks_per_sm(d, 1, 0), 32);
  EXPECT_EQ(blocks_per_sm(d, 256, 0), 8);
  EXPECT_EQ(blocks_per_sm(d, 257, 0), 7);  // 9 warps
  EXPECT_EQ(blocks_per_sm(d, 1024, 0), 2);
  EXPECT_EQ(blocks_per_sm(d, 1025, 0), 0);
  EXPECT_EQ(blocks_per_sm(d, 0, 0), 0);
  EXPECT_EQ(blocks_per_sm(d, 32, 48 * 1024), 4);  // 228 KiB / (48 + 1 reserved)
  EXPECT_EQ(blocks_per_sm(d, 32, 227 * 1024), 1);
  EXPECT_EQ(blocks_per_sm(d, 32, 227 * 1024 + 1), 0);
}

int check(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, size_t shared, int cooperative,
          unsigned bounds = 1024) {
  const cohort_kernel kernel = {"k", nullptr, nullptr, 0, bounds, 0, 0, nullptr};
  const cohort_launch l = {&kernel, nullptr, {gx, gy, gz}, {bx, by, bz}, shared, cooperative, 0};
  return cohort_check_launch(&l);
}

TEST(Device, LaunchesAreCheckedWithCudasErrors) {
  const size_t optin = cohort_device_get(0)->shared_per_block_optin;
  for (const int cooperative : {0, 1}) {
    const int shape = cooperative ? 1 : 9;
    EXPECT_EQ(check(1, 1, 1, 1, 1, 1, 0, cooperative), 0);
    EXPECT_EQ(check(0, 1, 1, 1, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 1, 0, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 65536, 1, 1, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 65536, 1, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 1, 1025, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 1, 32, 33, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 1, 1, 1, 65, 0, cooperative), shape);
    EXPECT_EQ(check(0x80000000u, 1, 1, 1, 1, 1, 0, cooperative), shape);
    EXPECT_EQ(check(1, 1, 1, 32, 1, 1, optin, cooperative), 0);
  }
  EXPECT_EQ(check(1, 1, 1, 32, 1, 1, optin + 1, 0), 1);
  EXPECT_EQ(check(1, 1, 1, 32, 1, 1, optin + 1, 1), 720);
  EXPECT_EQ(check(1, 1, 1, 32, 1, 1, ~size_t{0}, 0), 1);
  EXPECT_EQ(check(1, 1, 1, 65, 1, 1, 0, 0, 64), 701);
  EXPECT_EQ(check(1, 1, 1, 65, 1, 1, 0, 1, 64), 720);
  EXPECT_EQ(check(0x7fffffff, 65535, 65535, 1, 1, 1, 0, 0), 0);
  EXPECT_EQ(check(0x7fffffff, 65535, 65535, 1, 1, 1, 0, 1), 720);
  EXPECT_EQ(cohort_check_launch(nullptr), 1);
  const cohort_launch no_kernel = {nullptr, nullptr, {1, 1, 1}, {1, 1, 1}, 0, 0, 0};
  EXPECT_EQ(cohort_check_launch(&no_kernel), 98);
  const cohort_kernel kernel = {"k", nullptr, nullptr, 0, 0, 0, 0, nullptr};
  const cohort_launch no_device = {&kernel, nullptr, {1, 1, 1}, {1, 1, 1}, 0, 0, 1};
  EXPECT_EQ(cohort_check_launch(&no_device), 101);
}

}  // namespace
