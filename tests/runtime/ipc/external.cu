// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// External memory and semaphores by file descriptors, between two processes and in one; refused uses; and with an
// argument a wait that ends with a report.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>

#include "other_process.hpp"
#include "patterns.hpp"

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

constexpr size_t granule = size_t{2} << 20;
constexpr int count = 4321;

__global__ void fill(int* p, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) p[i] = factor * i;
}
__global__ void add(int* p, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) p[i] += value;
}

int file_of(size_t bytes) {
  const int file = memfd_create("external", MFD_CLOEXEC);
  EXPECT(file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0);
  return file;
}

cudaExternalMemoryHandleDesc memory_desc(int file, size_t bytes) {
  cudaExternalMemoryHandleDesc desc{};
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = file;
  desc.size = bytes;
  return desc;
}
cudaExternalMemory_t import(int file, size_t bytes) {
  const cudaExternalMemoryHandleDesc desc = memory_desc(file, bytes);
  cudaExternalMemory_t made = nullptr;
  CALL(cudaImportExternalMemory(&made, &desc));
  return made;
}
int* map(cudaExternalMemory_t from, size_t offset, size_t bytes) {
  cudaExternalMemoryBufferDesc desc{};
  desc.offset = offset;
  desc.size = bytes;
  void* memory = nullptr;
  CALL(cudaExternalMemoryGetMappedBuffer(&memory, from, &desc));
  return static_cast<int*>(memory);
}

cudaExternalSemaphore_t semaphore(int file, bool is_timeline) {
  cudaExternalSemaphoreHandleDesc desc{};
  desc.type =
      is_timeline ? cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd : cudaExternalSemaphoreHandleTypeOpaqueFd;
  desc.handle.fd = file;
  cudaExternalSemaphore_t made = nullptr;
  CALL(cudaImportExternalSemaphore(&made, &desc));
  return made;
}
void signal(cudaExternalSemaphore_t s, unsigned long long value, cudaStream_t stream) {
  cudaExternalSemaphoreSignalParams parameters{};
  parameters.params.fence.value = value;
  CALL(cudaSignalExternalSemaphoresAsync(&s, &parameters, 1, stream));
}
void wait(cudaExternalSemaphore_t s, unsigned long long value, cudaStream_t stream) {
  cudaExternalSemaphoreWaitParams parameters{};
  parameters.params.fence.value = value;
  CALL(cudaWaitExternalSemaphoresAsync(&s, &parameters, 1, stream));
}

// The other process adds 7 to what this one writes; the semaphores order them.
int other_side(int socket) {
  const int memory = receive_descriptor(socket), number = receive_descriptor(socket),
            event = receive_descriptor(socket);
  const cudaExternalMemory_t from = import(memory, 2 * granule);
  const cudaExternalSemaphore_t timeline = semaphore(number, true), done = semaphore(event, false);
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  int* const p = map(from, granule, count * sizeof(int));
  for (unsigned long long round = 0; round < 3; ++round) {
    wait(timeline, 2 * round + 1, stream);
    add<<<(count + 127) / 128, 128, 0, stream>>>(p, 7);
    signal(timeline, 2 * round + 2, stream);
    signal(done, 0, stream);
  }
  CALL(cudaStreamSynchronize(stream));
  CALL(cudaDestroyExternalMemory(from));
  CALL(cudaFree(p));
  return failures != 0;
}

void test_processes() {
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(other_side(ends[1]));
  DRIVER(cuInit(0));
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle handle = 0;
  int exported = -1;
  DRIVER(cuMemCreate(&handle, 2 * granule, &properties, 0));
  DRIVER(cuMemExportToShareableHandle(&exported, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  const int number = file_of(64), event = eventfd(0, EFD_CLOEXEC);
  for (const int file : {exported, number, event}) EXPECT(send_descriptor(ends[0], file));
  CUdeviceptr address = 0;
  const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  DRIVER(cuMemAddressReserve(&address, 2 * granule, 0, 0, 0));
  DRIVER(cuMemMap(address, 2 * granule, 0, handle, 0));
  DRIVER(cuMemSetAccess(address, 2 * granule, &wanted, 1));
  int* const p = reinterpret_cast<int*>(address + granule);
  const cudaExternalSemaphore_t timeline = semaphore(number, true), done = semaphore(event, false);
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  std::vector<int> result(count);
  for (int round = 0; round < 3; ++round) {
    fill<<<(count + 127) / 128, 128, 0, stream>>>(p, round + 2);
    signal(timeline, 2 * static_cast<unsigned>(round) + 1, stream);
    wait(done, 0, stream);
    CALL(cudaMemcpyAsync(result.data(), p, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CALL(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; ++i) {
      if (result[i] != (round + 2) * i + 7) {
        std::printf("round %d, %d: %d\n", round, i, result[i]);
        ++failures;
        break;
      }
    }
  }
  int status = 1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  CALL(cudaDestroyExternalSemaphore(timeline));
  CALL(cudaDestroyExternalSemaphore(done));
  EXPECT(cudaDestroyExternalSemaphore(done) == cudaErrorInvalidResourceHandle);
  close(exported);
  DRIVER(cuMemUnmap(address, 2 * granule));
  DRIVER(cuMemAddressFree(address, 2 * granule));
  DRIVER(cuMemRelease(handle));
  (void)cudaGetLastError();
}

// Two mappings of a plain file, by both APIs; a mapping outlives the memory's handle.
void test_mappings() {
  const size_t before = open_files();
  const int file = file_of(5 * 4096 + 100);
  const cudaExternalMemory_t whole = import(file, 5 * 4096 + 100);
  int* const first = map(whole, 0, 5 * 4096 + 100);
  int* const second = map(whole, 2 * 4096, 3 * 4096);
  write_pattern(first, 5 * 4096 + 100, 5);
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, second));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  std::vector<unsigned char> bytes(3 * 4096);
  CALL(cudaMemcpy(bytes.data(), second, bytes.size(), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT(bytes[i] == 5 + (2 * 4096 + i) % 7);
  const auto refused = [&](size_t offset, size_t size, unsigned flags) {
    cudaExternalMemoryBufferDesc desc{};
    desc.offset = offset;
    desc.size = size;
    desc.flags = flags;
    void* memory = nullptr;
    return cudaExternalMemoryGetMappedBuffer(&memory, whole, &desc) == cudaErrorInvalidValue;
  };
  EXPECT(refused(4096, 5 * 4096, 0) && refused(100, 100, 0) && refused(0, 0, 0) && refused(0, 100, 1));
  EXPECT(refused(size_t{1} << 62, 100, 0) && refused(0, ~size_t{0}, 0));
  EXPECT(cudaFreeAsync(second, 0) == cudaErrorInvalidValue);
  CALL(cudaDestroyExternalMemory(whole));
  EXPECT(cudaDestroyExternalMemory(whole) == cudaErrorInvalidResourceHandle);
  EXPECT(count_equal(first, 5 * 4096 + 100, 5) == 5 * 4096 + 100);
  CALL(cudaFree(first));
  CALL(cudaFree(second));
  EXPECT(cudaFree(second) == cudaErrorInvalidValue);

  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc{};
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  desc.handle.fd = file_of(4096);
  desc.size = 4096;
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
  part.size = 64;
  CUexternalMemory handle = nullptr;
  CUdeviceptr address = 0;
  DRIVER(cuImportExternalMemory(&handle, &desc));
  DRIVER(cuExternalMemoryGetMappedBuffer(&address, handle, &part));
  DRIVER(cuMemsetD32(address, 77, 16));
  DRIVER(cuMemFree(address));
  DRIVER(cuDestroyExternalMemory(handle));
  EXPECT(open_files() == before);
}

void test_refused() {
  cudaExternalMemory_t memory = nullptr;
  cudaExternalSemaphore_t made = nullptr;
  const int file = file_of(4096), event = eventfd(0, EFD_CLOEXEC);
  int pipe_ends[2];
  EXPECT(pipe(pipe_ends) == 0);
  cudaExternalMemoryHandleDesc desc = memory_desc(file, 4097);
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorInvalidValue);  // refused: beyond the end of the file
  desc.size = 0;
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorInvalidValue);
  desc = memory_desc(pipe_ends[0], 1);
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorInvalidValue);
  desc = memory_desc(-1, 1);
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorInvalidValue);
  desc = memory_desc(file, 100);
  desc.type = cudaExternalMemoryHandleTypeD3D12Heap;
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorNotSupported);
  desc.type = static_cast<cudaExternalMemoryHandleType>(99);
  EXPECT(cudaImportExternalMemory(&memory, &desc) == cudaErrorInvalidValue);
  EXPECT(cudaImportExternalMemory(&memory, nullptr) == cudaErrorInvalidValue);

  cudaExternalSemaphoreHandleDesc wrong{};
  wrong.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
  wrong.handle.fd = file;
  EXPECT(cudaImportExternalSemaphore(&made, &wrong) == cudaErrorInvalidValue);  // refused: not an eventfd
  wrong.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  wrong.handle.fd = event;
  EXPECT(cudaImportExternalSemaphore(&made, &wrong) == cudaErrorInvalidValue);  // refused: not a file
  wrong.type = cudaExternalSemaphoreHandleTypeNvSciSync;
  EXPECT(cudaImportExternalSemaphore(&made, &wrong) == cudaErrorNotSupported);
  const cudaExternalSemaphore_t usable = semaphore(event, false);
  cudaExternalSemaphoreSignalParams parameters{};
  EXPECT(cudaSignalExternalSemaphoresAsync(&made, &parameters, 1, 0) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaSignalExternalSemaphoresAsync(&usable, &parameters, 0, 0) == cudaErrorInvalidValue);
  parameters.flags = 2;
  EXPECT(cudaSignalExternalSemaphoresAsync(&usable, &parameters, 1, 0) == cudaErrorInvalidValue);
  CALL(cudaDestroyExternalSemaphore(usable));
  for (const int open : {file, pipe_ends[0], pipe_ends[1]}) close(open);
  (void)cudaGetLastError();
}

// A host thread signals a semaphore; a wait for it in one stream does not delay another stream.
void test_host_signal() {
  const int file = file_of(8);
  void* const page = mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  auto* const number = static_cast<unsigned long long*>(page);
  const cudaExternalSemaphore_t timeline = semaphore(file, true);
  cudaStream_t waiting = nullptr, other = nullptr;
  CALL(cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking));
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  int* p = nullptr;
  CALL(cudaMallocManaged(&p, count * sizeof(int)));
  wait(timeline, 5, waiting);
  add<<<1, 1, 0, waiting>>>(p, 1);
  fill<<<(count + 127) / 128, 128, 0, other>>>(p, 1);
  CALL(cudaStreamSynchronize(other));
  EXPECT(cudaStreamQuery(waiting) == cudaErrorNotReady);
  std::atomic_ref(*number).store(4);
  EXPECT(cudaStreamQuery(waiting) == cudaErrorNotReady);
  std::thread([&] { std::atomic_ref(*number).store(6); }).join();
  CALL(cudaStreamSynchronize(waiting));
  EXPECT(p[0] == 1 && p[1] == 1);
  signal(timeline, 9, waiting);
  CALL(cudaStreamSynchronize(waiting));
  EXPECT(std::atomic_ref(*number).load() == 9);
  CALL(cudaDestroyExternalSemaphore(timeline));
  CALL(cudaFree(p));
}

int main(int argc, char**) {
  if (argc > 1) {
    wait(semaphore(file_of(8), true), 3, 0);
    std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  test_processes();
  test_mappings();
  test_refused();
  test_host_signal();
  return failures != 0;
}
