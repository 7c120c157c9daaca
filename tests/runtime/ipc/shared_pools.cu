// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools that processes share through file descriptors. The argument names the case.
#include <string>
#include <vector>

#include "other_process.hpp"
#include "patterns.hpp"

namespace {

const char* const program = "/proc/self/exe";

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

void* as_handle(int file) { return reinterpret_cast<void*>(static_cast<intptr_t>(file)); }

cudaMemPool_t make_pool(size_t most_bytes = 0) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = most_bytes;
  cudaMemPool_t pool = nullptr;
  CALL(cudaMemPoolCreate(&pool, &properties));
  return pool;
}

cudaMemPool_t share(other_process& other, cudaMemPool_t pool) {
  int file = -1;
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  const answer imported = other.ask({action::import_pool}, file);
  close(file);
  EXPECT(imported.error == 0);
  return imported.pool;
}

cudaMemPoolPtrExportData data_of(void* memory) {
  cudaMemPoolPtrExportData data;
  CALL(cudaMemPoolExportPointer(&data, memory));
  return data;
}

answer import_there(other_process& other, cudaMemPool_t pool, const cudaMemPoolPtrExportData& data) {
  request wanted{action::import_pointer};
  wanted.pool = pool;
  wanted.pointer = data;
  return other.ask(wanted);
}

void pools() {
  other_process other(program);
  const cudaMemPool_t pool = make_pool();
  const cudaMemPool_t there = share(other, pool);
  std::vector<void*> mine, theirs;
  std::vector<size_t> all_bytes = {1, 100, 4096, 4097, 100001, size_t{3} << 20, size_t{64} << 20};
  for (size_t bytes : all_bytes) {
    void* memory = nullptr;
    CALL(cudaMallocAsync(&memory, bytes, pool, 0));
    write_pattern(memory, bytes, 3);
    const answer imported = import_there(other, there, data_of(memory));
    EXPECT(imported.error == 0);
    EXPECT(other.with(action::count_equal, imported.address, bytes, 3).number == bytes);
    EXPECT(other.with(action::fill, imported.address, bytes, 8).error == 0);
    mine.push_back(memory);
    theirs.push_back(imported.address);
  }
  size_t used = 0;
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  size_t sum = 0;
  for (size_t bytes : all_bytes) sum += bytes;
  EXPECT(used == sum);
  for (size_t i = 0; i < mine.size(); ++i) {
    EXPECT(count_equal(mine[i], all_bytes[i], 8) == all_bytes[i]);
    EXPECT(other.with(i % 2 ? action::free_memory : action::free_in_stream, theirs[i]).error == 0);
    EXPECT(other.with(action::free_memory, theirs[i]).error != 0);
    CALL(cudaFreeAsync(mine[i], 0));
  }
  CALL(cudaStreamSynchronize(0));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  // Reused memory is cleared of what other processes wrote, and its old export data is invalid.
  char* memory = nullptr;
  CALL(cudaMallocAsync(&memory, 4096, pool, 0));
  const cudaMemPoolPtrExportData old = data_of(memory);
  CALL(cudaMemsetAsync(memory, 5, 4096, 0));
  CALL(cudaFreeAsync(memory, 0));
  CALL(cudaStreamSynchronize(0));
  EXPECT(import_there(other, there, old).error == cudaErrorInvalidValue);
  CALL(cudaMallocAsync(&memory, 4096, pool, 0));
  unsigned char byte = 1;
  CALL(cudaMemcpy(&byte, memory + 100, 1, cudaMemcpyDeviceToHost));
  EXPECT(byte == 0);
  EXPECT(import_there(other, there, old).error == cudaErrorInvalidValue);
  CALL(cudaFreeAsync(memory, 0));
  // A destroyed pool lives on until its memory is freed.
  CALL(cudaMallocAsync(&memory, 4096, pool, 0));
  const answer last = import_there(other, there, data_of(memory));
  CALL(cudaMemPoolDestroy(pool));
  request destroy{action::destroy_pool};
  destroy.pool = there;
  EXPECT(other.ask(destroy).error == 0);
  write_pattern(memory, 4096, 2);
  EXPECT(other.with(action::count_equal, last.address, 4096, 2).number == 4096);
  EXPECT(other.with(action::free_memory, last.address).error == 0);
  CALL(cudaFree(memory));
}

void pool_misuse() {
  other_process other(program);
  const cudaMemPool_t pool = make_pool(), second = make_pool();
  cudaMemPool_t plain = nullptr;
  CALL(cudaDeviceGetDefaultMemPool(&plain, 0));
  const auto type = cudaMemHandleTypePosixFileDescriptor;
  int file = -1;
  EXPECT(cudaMemPoolExportToShareableHandle(nullptr, pool, type, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolExportToShareableHandle(&file, nullptr, type, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolExportToShareableHandle(&file, plain, type, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolExportToShareableHandle(&file, pool, type, 1) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeNone, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeFabric, 0) == cudaErrorInvalidValue);
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, type, 0));
  cudaMemPool_t imported = nullptr;
  EXPECT(cudaMemPoolImportFromShareableHandle(nullptr, as_handle(file), type, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolImportFromShareableHandle(&imported, as_handle(file), type, 1) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolImportFromShareableHandle(&imported, as_handle(file), cudaMemHandleTypeWin32, 0) ==
         cudaErrorNotSupported);
  EXPECT(cudaMemPoolImportFromShareableHandle(&imported, as_handle(file), cudaMemHandleTypeNone, 0) ==
         cudaErrorInvalidValue);
  close(file);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  for (auto wrong : {cudaMemHandleTypeWin32, cudaMemHandleTypeWin32Kmt, cudaMemHandleTypeFabric}) {
    properties.handleTypes = wrong;
    EXPECT(cudaMemPoolCreate(&imported, &properties) == cudaErrorNotSupported);
  }

  char *memory = nullptr, *other_memory = nullptr, *plain_memory = nullptr, *allocated = nullptr;
  CALL(cudaMallocAsync(&memory, 5000, pool, 0));
  CALL(cudaMallocAsync(&other_memory, 5000, second, 0));
  CALL(cudaMallocAsync(&plain_memory, 5000, 0));
  CALL(cudaMalloc(&allocated, 5000));
  cudaMemPoolPtrExportData data;
  EXPECT(cudaMemPoolExportPointer(nullptr, memory) == cudaErrorInvalidValue);
  for (void* wrong : {static_cast<void*>(nullptr), static_cast<void*>(memory + 1), static_cast<void*>(plain_memory),
                      static_cast<void*>(allocated), static_cast<void*>(&data)}) {
    EXPECT(cudaMemPoolExportPointer(&data, wrong) == cudaErrorInvalidValue);
  }
  data = data_of(memory);
  void* found = nullptr;
  EXPECT(cudaMemPoolImportPointer(&found, pool, &data) == cudaErrorInvalidValue);  // made by this process
  cudaIpcMemHandle_t legacy;
  EXPECT(cudaIpcGetMemHandle(&legacy, memory) == cudaErrorInvalidValue);

  const cudaMemPool_t there = share(other, pool), second_there = share(other, second);
  EXPECT(import_there(other, second_there, data).error == cudaErrorInvalidValue);
  EXPECT(import_there(other, nullptr, data).error == cudaErrorInvalidValue);
  for (size_t i = 0; i < sizeof data; ++i) {
    cudaMemPoolPtrExportData forged = data;
    forged.reserved[i] ^= 0x41;
    EXPECT(import_there(other, there, forged).error == cudaErrorInvalidValue);
  }
  EXPECT(import_there(other, there, {}).error == cudaErrorInvalidValue);
  const answer good = import_there(other, there, data), again = import_there(other, there, data);
  EXPECT(good.error == 0 && again.error == 0);
  request wanted{action::allocate_from};
  wanted.pool = there;
  wanted.bytes = 100;
  EXPECT(other.ask(wanted).error == cudaErrorInvalidValue);
  wanted.what = action::make_current_pool;
  EXPECT(other.ask(wanted).error == cudaErrorInvalidValue);
  wanted.what = action::export_pool_again;
  EXPECT(other.ask(wanted).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::export_pointer, good.address).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::close_memory, good.address).error == cudaErrorInvalidValue);
  const answer range = other.with(action::size_of, static_cast<char*>(good.address) + 4999);
  EXPECT(range.address == good.address && range.number == 5000);
  EXPECT(other.with(action::free_memory, static_cast<char*>(good.address) + 1).error == cudaErrorInvalidValue);
  EXPECT(other.with(action::free_memory, good.address).error == 0);
  EXPECT(other.with(action::fill, again.address, 5000, 4).error == 0);
  EXPECT(count_equal(memory, 5000, 4) == 5000);
  EXPECT(other.with(action::reset).error == 0);  // a reset frees the imported memory
  EXPECT(other.with(action::free_memory, again.address).error == cudaErrorInvalidValue);
  EXPECT(count_equal(memory, 5000, 4) == 5000);
}

// A pool of the largest size has room up to its limit, whatever was freed before.
void pool_limits() {
  constexpr size_t mib = size_t{1} << 20;
  const cudaMemPool_t pool = make_pool(8 * mib);
  std::vector<void*> memory(8);
  for (int turn = 0; turn < 20; ++turn) {
    for (void*& each : memory) CALL(cudaMallocAsync(&each, mib, pool, 0));
    void* more = nullptr;
    EXPECT(cudaMallocAsync(&more, 1, pool, 0) == cudaErrorMemoryAllocation);
    for (void* each : memory) CALL(cudaFreeAsync(each, 0));
    CALL(cudaMallocAsync(&more, 8 * mib, pool, 0));
    CALL(cudaFreeAsync(more, 0));
  }
  CALL(cudaStreamSynchronize(0));
  CALL(cudaMemPoolDestroy(pool));
}

// Descriptors of other files are refused.
void forged() {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  for (int file : {-1, 12345, 0, ends[0], open("/dev/null", O_RDWR), open("/", O_RDONLY)}) {
    cudaMemPool_t pool = nullptr;
    EXPECT(cudaMemPoolImportFromShareableHandle(&pool, as_handle(file), cudaMemHandleTypePosixFileDescriptor, 0) ==
           cudaErrorInvalidValue);
  }
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle handle = 0, imported = 0;
  int file = -1;
  DRIVER(cuMemCreate(&handle, size_t{2} << 20, &properties, 0));
  DRIVER(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  cudaMemPool_t pool = nullptr;
  EXPECT(cudaMemPoolImportFromShareableHandle(&pool, as_handle(file), cudaMemHandleTypePosixFileDescriptor, 0) ==
         cudaErrorInvalidValue);
  CALL(cudaMemPoolExportToShareableHandle(&file, make_pool(), cudaMemHandleTypePosixFileDescriptor, 0));
  EXPECT(cuMemImportFromShareableHandle(&imported, as_handle(file), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
         CUDA_ERROR_INVALID_VALUE);
}

void open_files_are_closed() {
  other_process other(program);
  const size_t before = open_files();
  for (int i = 0; i < 300; ++i) {
    const cudaMemPool_t pool = make_pool();
    request destroy{action::destroy_pool};
    destroy.pool = share(other, pool);
    void* memory = nullptr;
    CALL(cudaMallocAsync(&memory, 100, pool, 0));
    CALL(cudaFreeAsync(memory, 0));
    EXPECT(other.ask(destroy).error == 0);
    CALL(cudaMemPoolDestroy(pool));
  }
  CALL(cudaStreamSynchronize(0));
  EXPECT(open_files() == before);
}

__global__ void store(volatile char* base, long offset) { base[offset] = 1; }

// COHORT_GUARD=strict finds a write beyond the end of pooled memory, also if another process made it.
void overrun(const std::string& by) {
  other_process other(program);
  const cudaMemPool_t pool = make_pool();
  char* memory = nullptr;
  CALL(cudaMallocAsync(&memory, 1000, pool, 0));
  if (by == "kernel") store<<<1, 1>>>(memory, 1002);
  if (by == "process") {
    const answer imported = import_there(other, share(other, pool), data_of(memory));
    EXPECT(other.with(action::fill, static_cast<char*>(imported.address) + 1001, 1).error == 0);
  }
  if (by == "import") {  // one page beyond the end: found in each mode
    request wanted{action::export_pool};
    other.send(wanted);
    const int file = other.descriptor();
    wanted.pool = other.take_answer().pool;
    wanted.what = action::allocate_from;
    wanted.bytes = 1000;
    const answer made = other.ask(wanted);
    cudaMemPool_t imported = nullptr;
    CALL(cudaMemPoolImportFromShareableHandle(&imported, as_handle(file), cudaMemHandleTypePosixFileDescriptor, 0));
    cudaMemPoolPtrExportData data = other.with(action::export_pointer, made.address).pointer;
    CALL(cudaMemPoolImportPointer(reinterpret_cast<void**>(&memory), imported, &data));
    store<<<1, 1>>>(memory, 4096);
  }
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// Pools of the driver API and of the runtime API are the same objects.
void driver_pools() {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool = nullptr, imported = nullptr, current = nullptr, standard = nullptr;
  EXPECT(cuMemPoolCreate(&pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr memory = 0, seen = 0;
  EXPECT(cuMemAllocFromPoolAsync(&memory, 0, pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemAllocFromPoolAsync(&memory, 1000, pool, nullptr));
  size_t used = 0;
  DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT(used == 1000);
  CUmemoryPool owner = nullptr;
  DRIVER(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory + 5));
  EXPECT(owner == pool);
  int file = -1;
  EXPECT(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1) ==
         CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  DRIVER(cuMemPoolImportFromShareableHandle(&imported, as_handle(file), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  close(file);
  CUmemPoolPtrExportData data;
  DRIVER(cuMemPoolExportPointer(&data, memory));
  DRIVER(cuMemPoolImportPointer(&seen, imported, &data));
  EXPECT(seen != memory);
  DRIVER(cuMemsetD8(memory, 7, 1000));
  unsigned char byte = 0;
  DRIVER(cuMemcpyDtoH(&byte, seen + 999, 1));
  EXPECT(byte == 7);
  CUmemAccess_flags flags{};
  CUmemLocation place{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  DRIVER(cuMemPoolGetAccess(&flags, pool, &place));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const CUmemAccessDesc wanted{place, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  DRIVER(cuMemPoolSetAccess(imported, &wanted, 1));
  unsigned long long threshold = 5;
  DRIVER(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  DRIVER(cuMemPoolTrimTo(pool, 0));
  DRIVER(cuDeviceGetDefaultMemPool(&standard, 0));
  DRIVER(cuDeviceSetMemPool(0, pool));
  DRIVER(cuDeviceGetMemPool(&current, 0));
  EXPECT(current == pool && standard != pool);
  DRIVER(cuMemFreeAsync(seen, nullptr));
  DRIVER(cuMemFree(memory));
  DRIVER(cuMemPoolDestroy(imported));
  DRIVER(cuMemPoolDestroy(pool));
  DRIVER(cuDeviceGetMemPool(&current, 0));
  EXPECT(current == standard);
}

// A forked child shares pooled memory. It neither frees nor allocates memory of its parent's pools.
void forked() {
  const cudaMemPool_t pool = make_pool();
  void* memory = nullptr;
  CALL(cudaMallocAsync(&memory, 5000, pool, 0));
  write_pattern(memory, 5000, 2);
  const cudaMemPoolPtrExportData data = data_of(memory);
  const pid_t child = fork();
  if (child == 0) {
    EXPECT(count_equal(memory, 5000, 2) == 5000);
    CALL(cudaFreeAsync(memory, 0));
    EXPECT(cudaMallocAsync(&memory, 5000, pool, 0) == cudaErrorMemoryAllocation);
    _exit(failures == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  EXPECT(count_equal(memory, 5000, 2) == 5000);
  other_process other(program);
  EXPECT(import_there(other, share(other, pool), data).error == 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "serve") return serve(std::atoi(argv[2]));
  CALL(cudaFree(nullptr));
  if (what == "pools") pools();
  if (what == "misuse") pool_misuse();
  if (what == "limits") pool_limits();
  if (what == "forged") forged();
  if (what == "open_files") open_files_are_closed();
  if (what == "overrun") overrun(argv[2]);
  if (what == "driver") driver_pools();
  if (what == "forked") forked();
  return failures == 0 ? 0 : 1;
}
