// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "other_process.hpp"

#include <cstdint>
#include <cstring>

namespace {

__global__ void fill(unsigned char* to, size_t count, unsigned char value) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    to[i] = static_cast<unsigned char>(value + i % 7);
  }
}

__global__ void count_equal(const unsigned char* from, size_t count, unsigned char value, unsigned long long* equal) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    if (from[i] == static_cast<unsigned char>(value + i % 7)) atomicAdd(equal, 1ULL);
  }
}

void sleep_a_little(void*) { usleep(300000); }

unsigned long long* counter() {
  static unsigned long long* made = nullptr;
  if (!made) cudaMallocManaged(&made, sizeof *made);
  return made;
}

int run(int socket, const request& r, answer* a) {
  auto* const bytes = static_cast<unsigned char*>(r.address);
  const auto value = static_cast<unsigned char>(r.value);
  switch (r.what) {
    case action::open_memory:
      return cudaIpcOpenMemHandle(&a->address, r.memory, cudaIpcMemLazyEnablePeerAccess);
    case action::open_memory_driver: {
      CUdeviceptr address = 0;
      CUipcMemHandle handle;
      static_assert(sizeof handle == sizeof r.memory);
      memcpy(&handle, &r.memory, sizeof handle);
      const int error = cuIpcOpenMemHandle_v2(&address, handle, static_cast<unsigned>(r.value));
      a->address = reinterpret_cast<void*>(address);
      return error;
    }
    case action::close_memory:
      return cudaIpcCloseMemHandle(r.address);
    case action::free_memory:
      return cudaFree(r.address);
    case action::size_of: {
      CUdeviceptr base = 0;
      const int error = cuMemGetAddressRange(&base, &a->number, reinterpret_cast<uintptr_t>(r.address));
      a->address = reinterpret_cast<void*>(base);
      return error;
    }
    case action::fill:
      fill<<<8, 128>>>(bytes, r.bytes, value);
      return cudaDeviceSynchronize();
    case action::count_equal: {
      *counter() = 0;
      count_equal<<<8, 128>>>(bytes, r.bytes, value, counter());
      const int error = cudaDeviceSynchronize();
      a->number = *counter();
      return error;
    }
    case action::export_memory: {
      const int error = cudaMalloc(&a->address, r.bytes);
      return error != 0 ? error : cudaIpcGetMemHandle(&a->memory, a->address);
    }
    case action::export_again:
      return cudaIpcGetMemHandle(&a->memory, r.address);
    case action::open_event:
      return cudaIpcOpenEventHandle(&a->handle, r.event);
    case action::record:
      return cudaEventRecord(r.handle);
    case action::record_behind_spin:
      cudaLaunchHostFunc(0, sleep_a_little, nullptr);
      if (r.bytes > 0) fill<<<1, 32>>>(bytes, r.bytes, value);
      return cudaEventRecord(r.handle);
    case action::query:
      return cudaEventQuery(r.handle);
    case action::synchronize:
      return cudaEventSynchronize(r.handle);
    case action::wait_in_stream:
      cudaStreamWaitEvent(0, r.handle, 0);
      return cudaDeviceSynchronize();
    case action::destroy_event:
      return cudaEventDestroy(r.handle);
    case action::export_event: {
      const int error = cudaEventCreateWithFlags(&a->handle, cudaEventInterprocess | cudaEventDisableTiming);
      return error != 0 ? error : cudaIpcGetEventHandle(&a->event, a->handle);
    }
    case action::choose_device:
      return cudaSetDevice(r.value);
    case action::reset:
      return cudaDeviceReset();
    case action::change_user:
      return setgid(65534) == 0 && setuid(65534) == 0 ? 0 : -1;
    case action::leave:
      return 0;
    default:
      return run_descriptor_request(socket, r, a);
  }
}

}  // namespace

int serve(int socket) {
  cudaFree(nullptr);
  request r{};
  while (recv(socket, &r, sizeof r, MSG_WAITALL) == sizeof r) {
    answer a{};
    a.error = run(socket, r, &a);
    if (write(socket, &a, sizeof a) != sizeof a) return 1;
    if (r.what == action::leave) return 0;
  }
  return 0;
}
