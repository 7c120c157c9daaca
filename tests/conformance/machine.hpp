// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Abilities of the tested machine beyond CUDA's rules, detected at run time. A test that needs one begins with
// NEEDS(...), which skips it with a reason on other machines; docs/gpu.md explains the reasons.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace conformance {

struct ability {
  bool is_there;
  const char* without;  // the reason for the skip
};

// Whether the device is Cohort's engine. Every other device is taken for a GPU.
inline bool on_engine() {
  static const bool is = [] {
    cudaDeviceProp properties;
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess && std::strstr(properties.name, "Cohort") != nullptr;
  }();
  return is;
}

inline ability ends_stuck_launches() {
  return {on_engine(), "this machine cannot report a thread that waits for ever: the launch would hang, as CUDA says"};
}
inline ability knows_plain_launches() {
  return {on_engine(),
          "this machine cannot tell a plain launch from the cooperative one before it on the same stream: the driver "
          "leaves the grid's workspace where it was"};
}
inline ability copies_late() {
  return {on_engine(), "this machine makes asynchronous copies when it likes, and may be done before anybody reads"};
}
inline ability gives_zeros_for_missing_lanes() {
  return {on_engine(), "this machine gives any value for a lane that does not exist, as CUDA says"};
}

// Code compiled for a debugger (-G) also keeps unused shared memory.
inline ability reserves_what_is_used() {
#if defined(__CUDACC_DEBUG__)
  return {false,
          "what is compiled for a debugger reserves all shared memory that any function of the program could use"};
#else
  return {true, ""};
#endif
}

#define NEEDS(what)                                                                        \
  if (const conformance::ability has_ability = conformance::what(); !has_ability.is_there) \
  GTEST_SKIP() << has_ability.without

// Upper bounds of the shared memory that a kernel uses beyond its own variables: for the barriers of tiles, and for the
// exchange of values between warps, with the gaps of two alignments to 1024 bytes.
inline std::size_t barrier_bytes() { return on_engine() ? 0 : 1680; }
inline std::size_t exchange_bytes() { return on_engine() ? 0 : 4096 + 8192 + 2048; }

// Runs the current test again in a child process, which may end with a broken context, and reports the child's
// failures. Returns false in the child: there the caller runs the test's body.
inline bool runs_elsewhere(int most_seconds = 60) {
  constexpr const char* mark = "CONFORMANCE_TEST_ALONE";
  if (std::getenv(mark) != nullptr) return false;
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
  std::string program = "/proc/self/exe", brief = "--gtest_brief=1", own_filter = filter;
  std::vector<std::string> settings = {std::string(mark) + "=1"};
  for (char** each = environ; *each != nullptr; ++each) {
    if (std::strncmp(*each, "GTEST_", 6) != 0) settings.push_back(*each);
  }
  std::vector<char*> environment, arguments = {program.data(), own_filter.data(), brief.data(), nullptr};
  for (std::string& each : settings) environment.push_back(each.data());
  environment.push_back(nullptr);
  pid_t child = 0;
  const int spawned = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environment.data());
  EXPECT_EQ(spawned, 0) << "the test's own process: " << std::strerror(spawned);
  if (spawned != 0) return true;
  int status = 0;
  pid_t ended = 0;
  for (int wait = 0; wait < most_seconds * 100 && ended == 0; ++wait) {
    ended = waitpid(child, &status, WNOHANG);
    if (ended == 0) usleep(10000);
  }
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ADD_FAILURE() << "the test's own process had not ended after " << most_seconds << " seconds";
  } else {
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the test's own process ended with status " << status;
  }
  return true;
}
// Begins a test that may leave the context broken. CONFORMS(...) must stand before it.
#define IN_A_PROCESS_OF_ITS_OWN() \
  if (conformance::runs_elsewhere()) return

}  // namespace conformance
