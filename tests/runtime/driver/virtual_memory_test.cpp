// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physical memory, reserved addresses, mappings and rights: the effects of valid calls.
#include "virtual_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using test::granule;
using test::properties_of;
using VirtualMemory = test::virtual_memory;

void add(void** arguments) {
  test::argument<int*>(arguments, 0)[test::global_index()] += test::argument<int>(arguments, 1);
}
const test::kernel add_kernel("virtual_add", add, {8, 4});

CUresult launch_add(CUdeviceptr to, int value, CUstream stream = nullptr, unsigned blocks = 4) {
  return static_cast<CUresult>(
      test::launch(add_kernel, dim3(blocks), dim3(64), 0, stream, reinterpret_cast<int*>(to), value));
}

TEST_F(VirtualMemory, IsDeviceMemory) {
  const size_t before = free_bytes();
  const CUdeviceptr memory = usable(2 * granule);
  EXPECT_EQ(before - 2 * granule, free_bytes());
  EXPECT_EQ(0, word_at(memory + granule)) << "new memory is clear";
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory, 5, 2 * granule / 4));
  EXPECT_EQ(CUDA_SUCCESS, launch_add(memory, 2));
  EXPECT_EQ(7, word_at(memory));
  EXPECT_EQ(7, word_at(memory + 255 * 4));
  EXPECT_EQ(5, word_at(memory + 256 * 4));
  EXPECT_EQ(5, word_at(memory + 2 * granule - 4));
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaSuccess, cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(memory + 9)));
  EXPECT_EQ(cudaMemoryTypeDevice, attributes.type);
  EXPECT_EQ(0, attributes.device);
  EXPECT_EQ(nullptr, attributes.hostPointer);
  drop(memory, 2 * granule);
  EXPECT_EQ(before, free_bytes());
}

TEST_F(VirtualMemory, AttributesOfAddresses) {
  const CUdeviceptr memory = reserve(4 * granule);
  EXPECT_EQ(0u, attribute_of<unsigned>(memory + granule, CU_POINTER_ATTRIBUTE_MAPPED));
  EXPECT_EQ(memory, attribute_of<CUdeviceptr>(memory + granule, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR));
  EXPECT_EQ(4 * granule, attribute_of<size_t>(memory + granule, CU_POINTER_ATTRIBUTE_RANGE_SIZE));
  int device = -1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory + granule));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_MAPPED, memory + 4 * granule));

  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp properties = properties_of(2, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  ASSERT_EQ(CUDA_SUCCESS, cuMemCreate(&handle, 2 * granule, &properties, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemMap(memory + granule, 2 * granule, 0, handle, 0));
  ASSERT_EQ(CUDA_SUCCESS, set_access(memory + granule, 2 * granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READ));
  const CUdeviceptr inside = memory + granule + 12345;
  EXPECT_EQ(1u, attribute_of<unsigned>(inside, CU_POINTER_ATTRIBUTE_MAPPED));
  EXPECT_EQ(0u, attribute_of<unsigned>(memory, CU_POINTER_ATTRIBUTE_MAPPED));
  EXPECT_EQ(memory, attribute_of<CUdeviceptr>(inside, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR));
  EXPECT_EQ(4 * granule, attribute_of<size_t>(inside, CU_POINTER_ATTRIBUTE_RANGE_SIZE));
  EXPECT_EQ(memory + granule, attribute_of<CUdeviceptr>(inside, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR));
  EXPECT_EQ(2 * granule, attribute_of<size_t>(inside, CU_POINTER_ATTRIBUTE_MAPPING_SIZE));
  EXPECT_EQ(2, attribute_of<int>(inside, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL));
  EXPECT_EQ(CU_MEMORYTYPE_DEVICE, attribute_of<CUmemorytype>(inside, CU_POINTER_ATTRIBUTE_MEMORY_TYPE));
  EXPECT_EQ(0u, attribute_of<unsigned>(inside, CU_POINTER_ATTRIBUTE_IS_MANAGED));
  EXPECT_EQ(0u, attribute_of<unsigned>(inside, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE));
  EXPECT_EQ(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
            attribute_of<CUmemAllocationHandleType>(inside, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES));
  EXPECT_EQ(CU_MEM_ACCESS_FLAGS_PROT_READ, attribute_of<CUmemAccess_flags>(inside, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(1)));
  EXPECT_EQ(CU_MEM_ACCESS_FLAGS_PROT_NONE, attribute_of<CUmemAccess_flags>(inside, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS));
  CUdeviceptr base = 0;
  size_t bytes = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetAddressRange(&base, &bytes, inside));
  EXPECT_EQ(memory + granule, base);
  EXPECT_EQ(2 * granule, bytes);

  CUmemAllocationProp found{};
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetAllocationPropertiesFromHandle(&found, handle));
  EXPECT_EQ(CU_MEM_ALLOCATION_TYPE_PINNED, found.type);
  EXPECT_EQ(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, found.requestedHandleTypes);
  EXPECT_EQ(CU_MEM_LOCATION_TYPE_DEVICE, found.location.type);
  EXPECT_EQ(2, found.location.id);
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory + granule, 2 * granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, 4 * granule));
}

TEST_F(VirtualMemory, AliasesShareTheirBytes) {
  const CUmemGenericAllocationHandle handle = create(2 * granule);
  const CUdeviceptr one = reserve(2 * granule), other = reserve(4 * granule);
  ASSERT_EQ(CUDA_SUCCESS, cuMemMap(one, 2 * granule, 0, handle, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemMap(other + granule, granule, 0, handle, 0)) << "the first half alone";
  ASSERT_EQ(CUDA_SUCCESS, set_access(one, 2 * granule, 0));
  ASSERT_EQ(CUDA_SUCCESS, set_access(other + granule, granule, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(one, 40, 256));
  EXPECT_EQ(CUDA_SUCCESS, launch_add(one, 2));
  EXPECT_EQ(42, word_at(other + granule + 1020));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(other + granule, 1, 1)) << "read-only";
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(one, 2 * granule));
  EXPECT_EQ(42, word_at(other + granule));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemMap(one, granule, 0, handle, 0)) << "the handle is released";
  // cuMemRetainAllocationHandle returns the handle of mapped memory.
  CUmemGenericAllocationHandle retained = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemRetainAllocationHandle(&retained, reinterpret_cast<void*>(other + granule + 77)));
  EXPECT_EQ(handle, retained);
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(other + granule, granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemMap(one, 2 * granule, 0, retained, 0));
  EXPECT_EQ(CUDA_SUCCESS, set_access(one, 2 * granule, 0));
  EXPECT_EQ(42, word_at(one + 4)) << "the contents outlived their mappings";
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(retained));
  drop(one, 2 * granule);
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(other, 4 * granule));
}

// An array of stripes that lie on three devices, as one range.
TEST_F(VirtualMemory, AdjacentMappingsAreOneRange) {
  const CUdeviceptr memory = reserve(3 * granule);
  for (int d = 0; d < 3; ++d) {
    const CUmemGenericAllocationHandle handle = create(granule, d);
    ASSERT_EQ(CUDA_SUCCESS, cuMemMap(memory + static_cast<size_t>(d) * granule, granule, 0, handle, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  }
  ASSERT_EQ(CUDA_SUCCESS, set_access(memory, 3 * granule, 0));
  std::vector<int> values(3 * granule / 4);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 7);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyHtoD(memory, values.data(), 3 * granule));
  EXPECT_EQ(CUDA_SUCCESS, launch_add(memory + granule - 512, 1)) << "128 words of each side";
  std::vector<int> found(values.size());
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(found.data(), memory, 3 * granule));
  for (size_t i = granule / 4 - 128; i < granule / 4 + 128; ++i) ++values[i];
  EXPECT_EQ(values, found);
  EXPECT_EQ(1, attribute_of<int>(memory + granule, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(found.data(), memory + 4, 3 * granule)) << "beyond the end";
  drop(memory, 3 * granule);
}

// Arrays grow by a reservation directly after their end.
TEST_F(VirtualMemory, ReservationsAtAddresses) {
  const CUdeviceptr first = reserve(2 * granule);
  const CUdeviceptr behind = reserve(granule, first + 2 * granule);
  EXPECT_EQ(first + 2 * granule, behind);
  const CUdeviceptr taken = reserve(granule, first);
  EXPECT_NE(first, taken) << "a hint whose addresses are used";
  const CUmemGenericAllocationHandle handle = create(3 * granule);
  EXPECT_EQ(CUDA_SUCCESS, cuMemMap(first, 3 * granule, 0, handle, 0)) << "over both";
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(CUDA_SUCCESS, set_access(first, 3 * granule, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD8(first, 1, 3 * granule));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(behind, granule)) << "mapped";
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(first, 3 * granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(first, 2 * granule));
  EXPECT_EQ(first, reserve(2 * granule, first)) << "free again";
  for (CUdeviceptr each : {behind, taken}) EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(each, granule));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(first, 2 * granule));

  CUdeviceptr aligned = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressReserve(&aligned, 4096, size_t{1} << 30, 0, 0));
  EXPECT_EQ(0u, aligned % (size_t{1} << 30));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(aligned, 4096));
  // A reservation far larger than the device's memory, at addresses that the runtime has not reserved yet.
  const CUdeviceptr huge = reserve(size_t{1} << 38);
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(huge, size_t{1} << 38));
  void* const outside = mmap(nullptr, 2 * granule, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, outside);
  ASSERT_EQ(0, munmap(outside, 2 * granule));
  const CUdeviceptr far = (reinterpret_cast<CUdeviceptr>(outside) + granule - 1) / granule * granule;
  EXPECT_EQ(far, reserve(granule, far));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(far, granule));
}

TEST_F(VirtualMemory, RightsOfDevices) {
  const CUdeviceptr memory = reserve(2 * granule);
  for (size_t at : {size_t{0}, granule}) {
    const CUmemGenericAllocationHandle handle = create(granule);
    ASSERT_EQ(CUDA_SUCCESS, cuMemMap(memory + at, granule, 0, handle, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  }
  EXPECT_EQ(0u, access_of(memory, 0)) << "a mapping begins without rights";
  const CUmemAccessDesc both[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                                  {{CU_MEM_LOCATION_TYPE_DEVICE, 2}, CU_MEM_ACCESS_FLAGS_PROT_READ}};
  EXPECT_EQ(CUDA_SUCCESS, cuMemSetAccess(memory, 2 * granule, both, 2));
  EXPECT_EQ(3u, access_of(memory, 0));
  EXPECT_EQ(0u, access_of(memory, 1));
  EXPECT_EQ(1u, access_of(memory + 2 * granule - 1, 2));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory, 3, 1));
  EXPECT_EQ(CUDA_SUCCESS, set_access(memory, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  EXPECT_EQ(0u, access_of(memory, 0));
  EXPECT_EQ(3u, access_of(memory + granule, 0));
  EXPECT_EQ(3, word_at(memory)) << "device 2 may still read";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory, 4, 1));
  EXPECT_EQ(CUDA_SUCCESS, set_access(memory, granule, 2, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  int value = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&value, memory, 4));
  // A new mapping does not inherit the rights of the previous one.
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory + granule, granule));
  const CUmemGenericAllocationHandle again = create(granule);
  EXPECT_EQ(CUDA_SUCCESS, cuMemMap(memory + granule, granule, 0, again, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(again));
  EXPECT_EQ(0u, access_of(memory + granule, 0));
  drop(memory, 2 * granule);
}

TEST_F(VirtualMemory, BelongsToTheProcess) {
  const CUdeviceptr memory = usable(granule);
  const size_t used = free_bytes();
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory, 11, 64));
  EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxReset(0));
  EXPECT_EQ(used, free_bytes());
  EXPECT_EQ(11, word_at(memory + 252));
  // No call needs a context.
  std::thread([&] {
    CUcontext current = nullptr;
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&current));
    EXPECT_EQ(nullptr, current);
    EXPECT_EQ(3u, access_of(memory, 0));
    const CUdeviceptr other = reserve(granule);
    const CUmemGenericAllocationHandle handle = create(granule, 1);
    EXPECT_EQ(CUDA_SUCCESS, cuMemMap(other, granule, 0, handle, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
    EXPECT_EQ(CUDA_SUCCESS, set_access(other, granule, 1));
    drop(other, granule);
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&current));
    EXPECT_EQ(nullptr, current);
  }).join();
  drop(memory, granule);
}

std::atomic<bool> host_may_end{false};

// Work that was submitted before an unmap, or before rights are taken away, still uses the memory.
TEST_F(VirtualMemory, UnmapWaitsForStreams) {
  const CUmemGenericAllocationHandle handle = create(granule);
  const CUdeviceptr memory = reserve(granule), other = reserve(granule);
  for (CUdeviceptr each : {memory, other}) {
    ASSERT_EQ(CUDA_SUCCESS, cuMemMap(each, granule, 0, handle, 0));
    ASSERT_EQ(CUDA_SUCCESS, set_access(each, granule, 0));
  }
  const cudaStream_t busy = stream();
  const auto submit = [&] {
    host_may_end = false;
    EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(busy, [](void*) { host_may_end.wait(false); }, nullptr));
    EXPECT_EQ(CUDA_SUCCESS, launch_add(memory, 1, busy));
    EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32Async(memory + 4096, 9, 4, busy));
    return std::thread([] {
      usleep(100000);  // lets the call below begin; if it has not, the test proves less
      host_may_end = true;
      host_may_end.notify_all();
    });
  };
  std::thread first = submit();
  EXPECT_EQ(CUDA_SUCCESS, set_access(memory, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READ));
  first.join();
  EXPECT_EQ(1, word_at(other));
  EXPECT_EQ(CUDA_SUCCESS, set_access(memory, granule, 0));
  std::thread second = submit();
  EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory, granule));
  second.join();
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(busy));
  EXPECT_EQ(2, word_at(other));
  EXPECT_EQ(9, word_at(other + 4096));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, granule));
  drop(other, granule);
}

TEST_F(VirtualMemory, DuringACapture) {
  const CUdeviceptr memory = usable(granule), other = reserve(granule);
  const cudaStream_t captured = stream();
  cudaGraph_t graph = nullptr;
  // A call that waits is refused during a capture, and ends the capture as all such calls do.
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemUnmap(memory, granule));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(captured, &graph));
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, set_access(memory, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READ));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(captured, &graph));
  // Calls that do not wait are permitted.
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(CUDA_SUCCESS, launch_add(memory, 5, captured));
  const CUmemGenericAllocationHandle handle = create(granule);
  EXPECT_EQ(CUDA_SUCCESS, cuMemMap(other, granule, 0, handle, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  EXPECT_EQ(CUDA_SUCCESS, set_access(other, granule, 0));
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(captured, &graph));
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(executable, captured));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(captured));
  EXPECT_EQ(5, word_at(memory));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  drop(memory, granule);
  drop(other, granule);
}

// Thousands of allocations leak neither files nor memory nor addresses, and no contents survive.
TEST_F(VirtualMemory, Churn) {
  const size_t before = free_bytes();
  const size_t count = std::min<size_t>(1500, before / granule / 2);
  const CUdeviceptr memory = reserve(count * granule);
  for (size_t turn = 0; turn < 3; ++turn) {
    for (size_t i = 0; i < count; ++i) {
      const CUdeviceptr at = memory + (i * 701 % count) * granule;
      const CUmemGenericAllocationHandle handle = create(granule);
      ASSERT_EQ(CUDA_SUCCESS, cuMemMap(at, granule, 0, handle, 0));
      ASSERT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
    }
    ASSERT_EQ(CUDA_SUCCESS, set_access(memory, count * granule, 0));
    EXPECT_EQ(before - count * granule, free_bytes());
    int wrong = 0;
    for (size_t i = 0; i < count; i += 50) {
      wrong += word_at(memory + i * granule) != 0;
      EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory + i * granule, static_cast<unsigned>(i + 1), 1));
    }
    for (size_t i = 0; i < count; i += 50) wrong += word_at(memory + i * granule) != static_cast<int>(i + 1);
    EXPECT_EQ(0, wrong);
    EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory, count / 2 * granule));
    EXPECT_EQ(CUDA_SUCCESS, cuMemUnmap(memory + count / 2 * granule, (count - count / 2) * granule));
    EXPECT_EQ(before, free_bytes());
  }
  EXPECT_EQ(CUDA_SUCCESS, cuMemAddressFree(memory, count * granule));
}

TEST_F(VirtualMemory, SizesUpTo64MiB) {
  for (size_t bytes = granule; bytes <= size_t{64} << 20; bytes *= 2) {
    const CUdeviceptr memory = usable(bytes);
    EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory, 3, bytes / 4));
    EXPECT_EQ(3, word_at(memory));
    EXPECT_EQ(3, word_at(memory + bytes - 4));
    drop(memory, bytes);
  }
}

}  // namespace
