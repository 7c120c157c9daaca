// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks fit into memory and address space, and where the limits come from.
#include "engine/launch/thread_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/fiber/sanitizer.hpp"

namespace {

using namespace cohort::engine;

constexpr uint64_t gib = uint64_t{1} << 30;
constexpr uint64_t plenty = gib << 14;
constexpr size_t stack = 256 * 1024;

TEST(ThreadMemory, ScarceMemoryLimitsTheBlocks) {
  // A thread of a 1024-thread block takes 8 to 10 KiB, whatever the size of its stack.
  for (const size_t stack_bytes : {stack, 4 * stack}) {
    const uint64_t blocks = blocks_that_fit({gib, plenty}, 1024, 0, stack_bytes);
    EXPECT_GE(blocks, gib / (1024 * 13 * 1024));
    EXPECT_LE(blocks, gib / (1024 * 8 * 1024));
  }
  EXPECT_EQ(blocks_that_fit({gib, plenty}, 1, gib / 10, stack), 9u);  // the block's shared memory counts too
  EXPECT_EQ(blocks_that_fit({gib, plenty}, 1024, gib, stack), 0u);
}

TEST(ThreadMemory, ScarceAddressSpaceLimitsTheBlocks) {
  EXPECT_EQ(blocks_that_fit({plenty, 1024 * gib}, 1, 0, gib), 1023u);  // a guard lies below each stack
  EXPECT_EQ(blocks_that_fit({plenty, 1024 * gib}, 512, 0, gib), 1u);
  EXPECT_EQ(blocks_that_fit({plenty, 1024 * gib}, 1024, 0, gib), 0u);
}

TEST(ThreadMemory, IsSharedByTheDevices) {
  const thread_memory one = find_thread_memory(1), four = find_thread_memory(4);
  EXPECT_NEAR(static_cast<double>(one.resident_bytes), 4.0 * static_cast<double>(four.resident_bytes), 16);
  EXPECT_NEAR(static_cast<double>(one.address_bytes), 4.0 * static_cast<double>(four.address_bytes), 16);
}

TEST(ThreadMemory, FollowsTheLimitOfTheAddressSpace) {
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  GTEST_SKIP() << "the sanitizer's shadow takes terabytes";
#endif
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit{4 * gib, 4 * gib};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    const thread_memory found = find_thread_memory(1);
    _exit(found.address_bytes <= gib && found.address_bytes > gib / 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// A folder with the files of /sys/fs/cgroup that a test writes.
class ControlGroups : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "cohort-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  uint64_t limit(const std::string& list) { return control_group_limit(list, root_); }

 private:
  std::filesystem::path root_;
};

constexpr uint64_t none = ~uint64_t{0};

TEST_F(ControlGroups, WithoutALimit) {
  EXPECT_EQ(limit(""), none);
  EXPECT_EQ(limit("0::/\n"), none);
  EXPECT_EQ(limit("nonsense\n7:cpu\n"), none);
  write("a/memory.max", "max");
  EXPECT_EQ(limit("0::/a\n"), none);
}

TEST_F(ControlGroups, TheSmallestOfAllAroundCounts) {
  write("a/memory.max", "5000");
  write("a/b/memory.max", "max");
  write("a/b/c/memory.max", "7000");
  write("d/memory.max", "10");
  EXPECT_EQ(limit("0::/a/b/c\n"), 5000u);
  write("a/b/memory.max", "4000");
  EXPECT_EQ(limit("0::/a/b/c\n"), 4000u);
  write("memory.max", "3000");
  EXPECT_EQ(limit("0::/a/b/c\n"), 3000u);
  EXPECT_EQ(limit("0::/\n"), 3000u);
}

TEST_F(ControlGroups, TheOlderHierarchyCountsToo) {
  write("memory/job/memory.limit_in_bytes", "6000");
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limit("9:name=systemd:/\n4:memory:/job\n1:cpu:/x\n0::/\n"), 6000u);
  EXPECT_EQ(limit("4:memory:/of/the/host\n"), 9223372036854771712u);
}

}  // namespace
