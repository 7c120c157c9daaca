// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches over several GPUs keep on each of them, from the first launch to the end of the process: the words of
// the barrier and the scratch, reached from all devices; a stream, events.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include "../../../machine/ptx/port.hpp"
#include "driver_calls.hpp"

namespace cohort {
namespace detail {

class device_memory {
 public:
  // Makes what is missing on the device, which is the current one, all of it or nothing. Waits for nothing but its own
  // allocation.
  cudaError_t prepare(int device) {
    const unsigned long long context = current_context();
    if (is_made_ && context == context_) return cudaSuccess;
    if (is_made_) release_memory(cudaStreamPerThread);  // its own stream is gone
    *this = device_memory();
    context_ = context;
    cudaError_t result = make_streams();
    if (result == cudaSuccess) result = make_memory(device);
    is_made_ = result == cudaSuccess;
    if (!is_made_) release();
    return result;
  }
  // The device was reset since it was prepared, or never prepared.
  bool is_stale() const { return !is_made_ || context_ != current_context(); }

  multi_grid_words* words = nullptr;
  multi_grid_descriptor* descriptor = nullptr;  // from where the kernel's variable is written
  volatile uint32_t* ended_launch = nullptr;    // in the host's memory: multi_grid_descriptor::ended

  cudaStream_t stream = nullptr;         // where the devices of a launch meet, if this one is its first
  cudaStream_t launch_stream = nullptr;  // where cohort::launch_multi_device launches
  cudaEvent_t before = nullptr, go = nullptr, ended = nullptr, done = nullptr;

 private:
  cudaError_t make_streams() {
    cudaError_t result = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (result == cudaSuccess) result = cudaStreamCreateWithFlags(&launch_stream, cudaStreamNonBlocking);
    cudaEvent_t* const events[] = {&before, &go, &ended, &done};
    for (cudaEvent_t* event : events) {
      if (result == cudaSuccess) result = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    }
    return result;
  }

  // Memory of a pool is open to the peers that are named, and leaves cudaDeviceEnablePeerAccess to the program.
  cudaError_t make_memory(int device) {
    int multiprocessors = 0, blocks_each = 0, devices = 0;
    cudaError_t result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (result == cudaSuccess) {
      result = cudaDeviceGetAttribute(&blocks_each, cudaDevAttrMaxBlocksPerMultiprocessor, device);
    }
    if (result == cudaSuccess) result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess) return result;
    const size_t blocks =
        static_cast<size_t>(multiprocessors) * static_cast<size_t>(blocks_each) * static_cast<size_t>(devices);

    cudaMemPoolProps kind = {};
    kind.allocType = cudaMemAllocationTypePinned;
    kind.location.type = cudaMemLocationTypeDevice;
    kind.location.id = device;
    result = cudaMemPoolCreate(&pool_, &kind);
    for (int peer = 0; peer < devices && result == cudaSuccess; ++peer) {
      int reaches = 0;
      if (peer == device || cudaDeviceCanAccessPeer(&reaches, peer, device) != cudaSuccess || reaches == 0) continue;
      cudaMemAccessDesc access = {};
      access.location.type = cudaMemLocationTypeDevice;
      access.location.id = peer;
      access.flags = cudaMemAccessFlagsProtReadWrite;
      result = cudaMemPoolSetAccess(pool_, &access, 1);
    }
    const size_t scratch_end = sizeof(multi_grid_words) + blocks * multi_grid_scratch_bytes;
    void* memory = nullptr;
    if (result == cudaSuccess) {
      result = cudaMallocFromPoolAsync(&memory, scratch_end + sizeof(multi_grid_descriptor), pool_, stream);
    }
    if (result != cudaSuccess) return result;
    words = static_cast<multi_grid_words*>(memory);
    descriptor = reinterpret_cast<multi_grid_descriptor*>(static_cast<char*>(memory) + scratch_end);
    result = cudaStreamSynchronize(stream);
    if (result != cudaSuccess) return result;

    void* of_host = nullptr;  // the last that is made: release() need not free it
    result = cudaHostAlloc(&of_host, ended_words * sizeof(uint32_t), cudaHostAllocPortable | cudaHostAllocMapped);
    if (result != cudaSuccess) return result;
    ended_launch = static_cast<volatile uint32_t*>(of_host);
    for (uint32_t i = 0; i < ended_words; ++i) ended_launch[i] = 0;
    return cudaSuccess;
  }

  // What was made before something failed.
  void release() {
    release_memory(stream);
    const cudaEvent_t events[] = {before, go, ended, done};
    for (cudaEvent_t event : events) {
      if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
    }
    if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
    if (launch_stream != nullptr) static_cast<void>(cudaStreamDestroy(launch_stream));
    *this = device_memory();
  }
  // cudaDeviceReset() ends all but this.
  void release_memory(cudaStream_t in) {
    if (words != nullptr) static_cast<void>(cudaFreeAsync(words, in));
    if (pool_ != nullptr) static_cast<void>(cudaMemPoolDestroy(pool_));
  }

  cudaMemPool_t pool_ = nullptr;
  bool is_made_ = false;
  unsigned long long context_ = 0;
};

}  // namespace detail
}  // namespace cohort
