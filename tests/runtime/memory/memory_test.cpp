// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "../test_module.hpp"

namespace {

class Memory : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    (void)cudaGetLastError();
  }
  static char* make(size_t bytes) {
    char* p = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMalloc(&p, bytes));
    return p;
  }
};

std::vector<unsigned char> counting(size_t bytes) {
  std::vector<unsigned char> v(bytes);
  std::iota(v.begin(), v.end(), static_cast<unsigned char>(1));
  return v;
}

TEST_F(Memory, AllocationsAreAlignedAndCounted) {
  size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaSuccess, cudaMemGetInfo(&before, &total));
  EXPECT_LE(before, total);
  size_t sum = 0;
  std::vector<char*> all;
  for (size_t bytes : {size_t{1}, size_t{255}, size_t{4097}, size_t{1} << 20, (size_t{5} << 20) + 3}) {
    all.push_back(make(bytes));
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(all.back()) % 256) << bytes;
    std::memset(all.back(), 7, bytes);
    sum += bytes;
  }
  ASSERT_EQ(cudaSuccess, cudaMemGetInfo(&during, &total));
  EXPECT_EQ(before - sum, during);
  for (char* p : all) EXPECT_EQ(cudaSuccess, cudaFree(p));
  ASSERT_EQ(cudaSuccess, cudaMemGetInfo(&after, &total));
  EXPECT_EQ(before, after);
}

TEST_F(Memory, AbsurdSizesAreRefused) {
  char* p = reinterpret_cast<char*>(1);
  size_t pitch = 0;
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMalloc(&p, SIZE_MAX));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMalloc(&p, SIZE_MAX / 2));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMalloc(&p, size_t{1} << 50));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocHost(&p, SIZE_MAX - 7));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocManaged(&p, size_t{1} << 60));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, SIZE_MAX / 2, 3));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, SIZE_MAX - 1, 1));
  cudaPitchedPtr volume;
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMalloc3D(&volume, make_cudaExtent(1, SIZE_MAX, SIZE_MAX)));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocAsync(&p, SIZE_MAX, nullptr));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaGetLastError());
  EXPECT_EQ(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 1));
  EXPECT_EQ(cudaSuccess, cudaMalloc(&p, 0));
  EXPECT_EQ(nullptr, p);
}

TEST_F(Memory, ForeignAndFreedPointersAreReported) {
  char* p = make(100);
  char* host = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocHost(&host, 100));
  int local = 0;
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(&local));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(p + 1));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(host));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(p));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(&local));
  EXPECT_EQ(cudaSuccess, cudaFree(p));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(p));
  EXPECT_EQ(cudaSuccess, cudaFreeHost(host));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(host));
  EXPECT_EQ(cudaSuccess, cudaFree(nullptr));
  EXPECT_EQ(cudaSuccess, cudaFreeHost(nullptr));
}

TEST_F(Memory, CopiesOfEachKind) {
  for (size_t bytes : {size_t{1}, size_t{1000}, size_t{200000}}) {
    const auto source = counting(bytes);
    std::vector<unsigned char> back(bytes, 0);
    char* a = make(bytes);
    char* b = make(bytes);
    ASSERT_EQ(cudaSuccess, cudaMemcpy(a, source.data(), bytes, cudaMemcpyHostToDevice));
    ASSERT_EQ(cudaSuccess, cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
    ASSERT_EQ(cudaSuccess, cudaMemcpy(back.data(), b, bytes, cudaMemcpyDeviceToHost));
    EXPECT_EQ(source, back);
    std::fill(back.begin(), back.end(), 0);
    ASSERT_EQ(cudaSuccess, cudaMemcpy(back.data(), b, bytes, cudaMemcpyDefault));
    EXPECT_EQ(source, back);
    std::fill(back.begin(), back.end(), 0);
    ASSERT_EQ(cudaSuccess, cudaMemcpy(back.data(), source.data(), bytes, cudaMemcpyHostToHost));
    EXPECT_EQ(source, back);
  }
}

TEST_F(Memory, WrongCopiesAreRefused) {
  char* device = make(64);
  char host[64] = {};
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 64, static_cast<cudaMemcpyKind>(5)));
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 64, static_cast<cudaMemcpyKind>(-1)));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost)) << "host is no device memory";
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(host, device, 64, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice)) << "leaves the allocation";
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(device + 1, host, 64, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemset(host, 0, 64));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemset(device, 0, 65));
  EXPECT_EQ(cudaSuccess, cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 4, host, 8, 8, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy2D(device, SIZE_MAX / 2, host, 8, 8, 4, cudaMemcpyHostToDevice));
}

TEST_F(Memory, Rows) {
  constexpr size_t width = 37, height = 11;
  char* device = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaSuccess, cudaMallocPitch(&device, &pitch, width, height));
  EXPECT_EQ(0u, pitch % 256);
  const auto source = counting(width * height);
  std::vector<unsigned char> back(width * height, 0);
  ASSERT_EQ(cudaSuccess, cudaMemset2D(device, pitch, 0xee, width, height));
  ASSERT_EQ(cudaSuccess, cudaMemcpy2D(device, pitch, source.data(), width, width - 1, height, cudaMemcpyHostToDevice));
  ASSERT_EQ(cudaSuccess, cudaMemcpy2D(back.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      EXPECT_EQ(x + 1 == width ? 0xee : source[y * width + x], back[y * width + x]) << x << ", " << y;
    }
  }
}

TEST_F(Memory, Volumes) {
  const cudaExtent extent = make_cudaExtent(20, 5, 3);
  cudaPitchedPtr device;
  ASSERT_EQ(cudaSuccess, cudaMalloc3D(&device, extent));
  ASSERT_EQ(cudaSuccess, cudaMemset3D(device, 0x11, extent));
  const auto source = counting(20 * 5 * 3);
  std::vector<unsigned char> back(source.size(), 0);
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(source.data()), 20, 20, 5);
  in.srcPos = make_cudaPos(2, 1, 1);
  in.dstPtr = device;
  in.dstPos = make_cudaPos(2, 1, 1);
  in.extent = make_cudaExtent(10, 3, 2);
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaSuccess, cudaMemcpy3D(&in));
  cudaMemcpy3DParms out{};
  out.srcPtr = device;
  out.dstPtr = make_cudaPitchedPtr(back.data(), 20, 20, 5);
  out.extent = extent;
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaSuccess, cudaMemcpy3D(&out));
  for (size_t z = 0; z < 3; ++z) {
    for (size_t y = 0; y < 5; ++y) {
      for (size_t x = 0; x < 20; ++x) {
        const bool inside = x >= 2 && x < 12 && y >= 1 && y < 4 && z >= 1;
        const size_t at = (z * 5 + y) * 20 + x;
        EXPECT_EQ(inside ? source[at] : 0x11, back[at]) << x << ", " << y << ", " << z;
      }
    }
  }
}

// A pageable source may change as soon as the copy call returns.
TEST_F(Memory, PageableSourceIsReadBeforeTheCallReturns) {
  cudaStream_t s = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreate(&s));
  for (size_t bytes : {size_t{16}, size_t{1} << 20}) {
    char* device = make(bytes);
    char* pinned = nullptr;
    ASSERT_EQ(cudaSuccess, cudaMallocHost(&pinned, bytes));
    std::vector<char> source(bytes, 3);
    ASSERT_EQ(cudaSuccess, cudaMemcpyAsync(device, source.data(), bytes, cudaMemcpyHostToDevice, s));
    std::fill(source.begin(), source.end(), 9);
    ASSERT_EQ(cudaSuccess, cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, s));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(s));
    EXPECT_EQ(3, pinned[0]);
    EXPECT_EQ(3, pinned[bytes - 1]);
  }
}

TEST_F(Memory, PointerAttributes) {
  char* device = make(64);
  char *managed = nullptr, *pinned = nullptr;
  char own[64];
  ASSERT_EQ(cudaSuccess, cudaMallocManaged(&managed, 64));
  ASSERT_EQ(cudaSuccess, cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
  cudaPointerAttributes a;
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&a, device + 63));
  EXPECT_EQ(cudaMemoryTypeDevice, a.type);
  EXPECT_EQ(device + 63, a.devicePointer);
  EXPECT_EQ(nullptr, a.hostPointer);
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&a, managed));
  EXPECT_EQ(cudaMemoryTypeManaged, a.type);
  EXPECT_EQ(managed, a.hostPointer);
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&a, pinned));
  EXPECT_EQ(cudaMemoryTypeHost, a.type);
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&a, own));
  EXPECT_EQ(cudaMemoryTypeUnregistered, a.type);
  EXPECT_EQ(nullptr, a.devicePointer);
}

TEST_F(Memory, RegisteredHostMemory) {
  std::vector<char> own(1000);
  void* mapped = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, own.data(), 0));
  ASSERT_EQ(cudaSuccess, cudaHostRegister(own.data(), own.size(), cudaHostRegisterMapped));
  EXPECT_EQ(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own.data() + 500, 100, 0));
  EXPECT_EQ(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own.data(), own.size(), 0));
  EXPECT_EQ(cudaSuccess, cudaHostGetDevicePointer(&mapped, own.data(), 0));
  EXPECT_EQ(own.data(), mapped);
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(own.data()));
  EXPECT_EQ(cudaSuccess, cudaHostUnregister(own.data()));
  EXPECT_EQ(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own.data()));
}

TEST_F(Memory, ManagedMemoryTakesAdvice) {
  char* managed = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocManaged(&managed, 4096));
  EXPECT_EQ(cudaSuccess, cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(cudaSuccess, cudaMemPrefetchAsync(managed, 4096, 0));
  EXPECT_EQ(cudaSuccess, cudaMemPrefetchAsync(managed, 4096, cudaCpuDeviceId, nullptr));
  EXPECT_EQ(cudaSuccess, cudaMemPrefetchAsync(managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 4096, 77));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 4097, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPrefetchAsync(make(16), 16, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMallocManaged(&managed, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMallocManaged(&managed, 16, 77));
}

TEST_F(Memory, StreamOrderedAllocation) {
  cudaStream_t s = nullptr;
  cudaMemPool_t pool = nullptr;
  char* p = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreate(&s));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t used = 0, before = 0;
  ASSERT_EQ(cudaSuccess, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &before));
  ASSERT_EQ(cudaSuccess, cudaMallocAsync(&p, 5000, s));
  ASSERT_EQ(cudaSuccess, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(before + 5000, used);
  ASSERT_EQ(cudaSuccess, cudaMemsetAsync(p, 1, 5000, s));
  EXPECT_EQ(cudaSuccess, cudaFreeAsync(p, s));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeAsync(p, s));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(s));
  ASSERT_EQ(cudaSuccess, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(before, used);

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 10000;
  cudaMemPool_t own = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMemPoolCreate(&own, &properties));
  EXPECT_EQ(cudaSuccess, cudaMallocFromPoolAsync(&p, 9000, own, s));
  char* more = nullptr;
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&more, 2000, own, s));
  EXPECT_EQ(cudaSuccess, cudaFree(p));
  EXPECT_EQ(cudaSuccess, cudaMemPoolDestroy(own));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolDestroy(own));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolDestroy(pool)) << "the default pool stays";
}

TEST_F(Memory, Symbols) {
  static int storage[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static int unrelated = 0;
  static int shadow[8];
  auto& m = *new test::module("symbols");
  m.add_variable("table", storage, sizeof storage, cohort_variable_constant);
  m.register_device();
  m.register_host();
  m.register_shadow(shadow, "table", sizeof shadow);
  void* address = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(cudaSuccess, cudaGetSymbolAddress(&address, shadow));
  EXPECT_EQ(storage, address);
  EXPECT_EQ(cudaSuccess, cudaGetSymbolSize(&bytes, shadow));
  EXPECT_EQ(sizeof storage, bytes);
  const int in[2] = {70, 80};
  EXPECT_EQ(cudaSuccess, cudaMemcpyToSymbol(shadow, in, sizeof in, 6 * sizeof(int)));
  int out[8] = {};
  EXPECT_EQ(cudaSuccess, cudaMemcpyFromSymbol(out, shadow, sizeof out));
  EXPECT_EQ(6, out[5]);
  EXPECT_EQ(70, out[6]);
  EXPECT_EQ(80, out[7]);
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpyToSymbol(shadow, in, sizeof in, 7 * sizeof(int)));
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(shadow, in, sizeof in, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(unrelated, in, 4));
  EXPECT_EQ(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, unrelated));
  // Other calls treat the address as device memory, as the attributes do.
  EXPECT_EQ(cudaSuccess, cudaMemcpy(out, storage, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(1, out[0]);
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy(out, storage + 7, 8, cudaMemcpyDeviceToHost));
  cudaPointerAttributes a;
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&a, storage + 1));
  EXPECT_EQ(cudaMemoryTypeDevice, a.type);
}

// Runs in a process of its own, because the environment is read once.
[[noreturn]] void use_limited_memory() {
  setenv("COHORT_MEMORY", "8388608", 1);
  void *a = nullptr, *b = nullptr;
  const bool first = cudaMalloc(&a, 5 << 20) == cudaSuccess;
  const bool second = cudaMalloc(&b, 5 << 20) == cudaErrorMemoryAllocation;
  const bool freed = cudaFree(a) == cudaSuccess;
  const bool third = cudaMalloc(&b, 5 << 20) == cudaSuccess;
  std::exit(first && second && freed && third ? 0 : 1);
}

TEST(MemoryLimit, IsObeyed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(use_limited_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
