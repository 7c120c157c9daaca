// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes of a world of GPUs that find each other by a file. NCCL's headers declare the calls, and the test defines
// them.
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include <cuda_runtime.h>

#include <cohort/launch/cuda/world/id_file.hpp>

#include <gtest/gtest.h>

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, 0x5a, sizeof id->internal);
  return ncclSuccess;
}

namespace {

using namespace cohort;
using namespace cohort::detail;

class IdFile : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/cohort-id-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    path_ = folder_ + "/world";
    ::setenv("COHORT_TIMEOUT", "0.2", 1);
  }
  void TearDown() override {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
    ::unsetenv("COHORT_TIMEOUT");
  }

  // Connects process `process` of two. Returns the error number; `report` gets the standard error.
  int connect(uint32_t process, gpu_network* network, std::string* report) {
    testing::internal::CaptureStderr();
    const int result = connect_over_file(path_.c_str(), process, 2, network);
    *report = testing::internal::GetCapturedStderr();
    if (result == 0) network->close(network->state);
    return result;
  }

  std::string folder_, path_;
};

TEST_F(IdFile, ProcessesOfOneHostHaveOneId) {
  gpu_network first, second;
  std::string report;
  ASSERT_EQ(connect(0, &first, &report), 0) << report;
  ASSERT_EQ(connect(1, &second, &report), 0) << report;
  EXPECT_EQ(std::memcmp(&first.id, &second.id, sizeof first.id), 0);
  EXPECT_EQ(second.id.internal[5], 0x5a);
  EXPECT_EQ(report, "");
}

TEST_F(IdFile, AnotherHostIsRefusedAtOnce) {
  for (const bool other_system : {false, true}) {
    id_record record{};
    record.place = host_place::here();
    std::strcpy(record.place.name, "elsewhere");
    if (other_system) record.place.boot[3] ^= 1;
    if (!other_system) record.place.shared_memory += 1;  // a container has a /dev/shm of its own
    ASSERT_TRUE(write_id(path_, record));
    gpu_network network;
    std::string report;
    EXPECT_EQ(connect(1, &network, &report), error_not_supported);
    EXPECT_NE(report.find("cohort: world: rank 1 runs on host " + std::string(host_place::here().name) +
                          ", but rank 0 on host elsewhere"),
              std::string::npos)
        << report;
    EXPECT_NE(report.find("start them on one host, or compile the program for CPUs"), std::string::npos) << report;
  }
}

TEST_F(IdFile, AMissingFileIsReported) {
  gpu_network network;
  std::string report;
  EXPECT_EQ(connect(1, &network, &report), error_operating_system);
  EXPECT_NE(report.find("found no id of a world in " + path_), std::string::npos) << report;
}

}  // namespace
