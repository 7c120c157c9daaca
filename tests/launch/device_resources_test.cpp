// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources that launches over several GPUs keep on a device: all of them or none, whichever call of the runtime
// fails. A fake runtime counts the living resources; CUDA's runtime is not linked.
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cohort/launch/cuda/multi_gpu/device_resources.hpp>

#include <gtest/gtest.h>

namespace {

struct fake_runtime {
  std::map<void*, std::string> living;             // each resource that was created and not freed, with its kind
  std::vector<std::unique_ptr<char[]>> addresses;  // keeps addresses unique
  int calls = 0, failing = -1;                     // number of calls that create something; the one that fails
  unsigned long long context = 1;
  int wrong = 0;  // frees of resources that did not exist

  cudaError_t make(void** made, const char* kind, size_t bytes = 1) {
    if (calls++ == failing) return cudaErrorMemoryAllocation;
    addresses.push_back(std::make_unique<char[]>(bytes));
    *made = addresses.back().get();
    living[*made] = kind;
    return cudaSuccess;
  }
  cudaError_t give_back(void* made, const std::string& kind) {
    const auto found = living.find(made);
    if (found == living.end() || found->second != kind) {
      ++wrong;
      return cudaErrorInvalidValue;
    }
    living.erase(found);
    return cudaSuccess;
  }
  // A reset frees all resources of the context but the memory of pools, as CUDA documents.
  void reset_device() {
    ++context;
    for (auto i = living.begin(); i != living.end();) {
      i = i->second == "memory of a pool" || i->second == "pool" ? std::next(i) : living.erase(i);
    }
  }
};
fake_runtime* runtime = nullptr;

int context_id(void*, unsigned long long* id) {
  *id = runtime->context;
  return 0;
}

}  // namespace

extern "C" {
#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned int, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status)
#else
cudaError_t cudaGetDriverEntryPoint(const char* name, void** found, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status)
#endif
{
  const bool known = std::string(name) == "cuCtxGetId";
  *found = known ? reinterpret_cast<void*>(&context_id) : nullptr;
  *status = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 4;
  return runtime->calls++ == runtime->failing ? cudaErrorInvalidValue : cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 3;
  return runtime->calls++ == runtime->failing ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 1;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned int) {
  return runtime->make(reinterpret_cast<void**>(made), "stream");
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned int) {
  return runtime->make(reinterpret_cast<void**>(made), "event");
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* made, const cudaMemPoolProps*) {
  return runtime->make(reinterpret_cast<void**>(made), "pool");
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) {
  return runtime->calls++ == runtime->failing ? cudaErrorInvalidDevice : cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** made, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return runtime->make(made, "memory of a pool", bytes);
}
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t) {
  return runtime->calls++ == runtime->failing ? cudaErrorInvalidValue : cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return runtime->calls++ == runtime->failing ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaHostAlloc(void** made, size_t bytes, unsigned int) {
  return runtime->make(made, "memory of the host", bytes);
}
cudaError_t cudaFreeAsync(void* made, cudaStream_t) { return runtime->give_back(made, "memory of a pool"); }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t made) { return runtime->give_back(made, "pool"); }
cudaError_t cudaEventDestroy(cudaEvent_t made) { return runtime->give_back(made, "event"); }
cudaError_t cudaStreamDestroy(cudaStream_t made) { return runtime->give_back(made, "stream"); }
}

namespace {

// Returns the number of resources of each kind.
std::map<std::string, int> count(const fake_runtime& r) {
  std::map<std::string, int> kinds;
  for (const auto& made : r.living) ++kinds[made.second];
  return kinds;
}

class device_resources : public testing::Test {
 protected:
  device_resources() { runtime = &runtime_; }

  const std::map<std::string, int> all = {
      {"stream", 2}, {"event", 4}, {"pool", 1}, {"memory of a pool", 1}, {"memory of the host", 1}};
  fake_runtime runtime_;
  cohort::detail::device_resources memory_;
};

TEST_F(device_resources, is_made_once) {
  ASSERT_EQ(memory_.prepare(0), cudaSuccess);
  EXPECT_EQ(count(runtime_), all);
  const int calls = runtime_.calls;
  ASSERT_EQ(memory_.prepare(0), cudaSuccess);
  EXPECT_EQ(runtime_.calls, calls);
}

TEST_F(device_resources, nothing_is_left_of_what_failed) {
  ASSERT_EQ(memory_.prepare(0), cudaSuccess);
  const int calls = runtime_.calls;
  ASSERT_GE(calls, 10);
  for (int failing = 0; failing < calls; ++failing) {
    fake_runtime one;
    runtime = &one;
    one.failing = failing;
    cohort::detail::device_resources made;
    EXPECT_NE(made.prepare(0), cudaSuccess) << "call " << failing;
    EXPECT_TRUE(made.is_stale());
    EXPECT_TRUE(one.living.empty()) << "call " << failing << " leaves " << testing::PrintToString(count(one));
    one.failing = -1;
    EXPECT_EQ(made.prepare(0), cudaSuccess) << "call " << failing;
    EXPECT_FALSE(made.is_stale());
    EXPECT_EQ(count(one), all) << "after call " << failing;
    EXPECT_EQ(one.wrong, 0) << "call " << failing;
  }
}

TEST_F(device_resources, a_reset_leaves_nothing_behind) {
  ASSERT_EQ(memory_.prepare(0), cudaSuccess);
  runtime_.reset_device();
  EXPECT_TRUE(memory_.is_stale());
  ASSERT_EQ(memory_.prepare(0), cudaSuccess);
  EXPECT_EQ(count(runtime_), all);
  EXPECT_EQ(runtime_.wrong, 0);
  // If the retry fails, resources from before the reset must not be freed twice.
  runtime_.reset_device();
  runtime_.failing = runtime_.calls;
  EXPECT_NE(memory_.prepare(0), cudaSuccess);
  EXPECT_TRUE(runtime_.living.empty());
  EXPECT_EQ(runtime_.wrong, 0);
}

}  // namespace
