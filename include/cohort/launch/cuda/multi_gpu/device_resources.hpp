// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resources of launches over several GPUs on each device: the words of the multi-grid barrier and the scratch memory,
// which all devices access; streams and events.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include "../../../machine/ptx/port.hpp"
#include "driver_calls.hpp"

namespace cohort {
namespace detail {

// Writes the bytes of the barrier's words and of the scratch memory behind them, for `grids` grids that are as large as
// `device` holds.
inline cudaError_t most_multi_grid_bytes(int device, size_t grids, size_t* bytes) {
  int multiprocessors = 0, blocks_each = 0;
  cudaError_t result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (result == cudaSuccess) {
    result = cudaDeviceGetAttribute(&blocks_each, cudaDevAttrMaxBlocksPerMultiprocessor, device);
  }
  *bytes = multi_grid_bytes(static_cast<size_t>(multiprocessors) * static_cast<size_t>(blocks_each), grids);
  return result;
}

// The resources of one device. They live from the first launch to the end of the process or the reset of the device.
class device_resources {
 public:
  // Makes the resources on `device` if there are none: all of them, or none after an error. Waits for its own
  // allocation only. pre: `device` is current
  cudaError_t prepare(int device) {
    const unsigned long long context = current_context();
    if (is_made_ && context == context_) return cudaSuccess;
    if (is_made_) release_memory(cudaStreamPerThread);  // the reset destroyed `stream`
    *this = device_resources();
    context_ = context;
    cudaError_t result = make_streams();
    if (result == cudaSuccess) result = make_memory(device);
    is_made_ = result == cudaSuccess;
    if (!is_made_) release();
    return result;
  }
  // True before prepare(), and after a reset of the device since then.
  bool is_stale() const { return !is_made_ || context_ != current_context(); }

  multi_grid_words* words = nullptr;
  multi_grid_descriptor* descriptor = nullptr;  // source of the copy into the kernel's variable
  volatile uint32_t* ended_launch = nullptr;    // ended_words words of host memory: multi_grid_descriptor::ended

  cudaStream_t stream = nullptr;         // joins the streams of a launch whose first device this is
  cudaStream_t launch_stream = nullptr;  // runs the grids of cohort::launch_multi_device
  cudaEvent_t before = nullptr;          // work before the grid in its stream has ended
  cudaEvent_t go = nullptr;              // the grids of the launch may start
  cudaEvent_t ended = nullptr;           // the device's grid has ended
  cudaEvent_t done = nullptr;            // all grids of the launch have ended

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

  // Allocates from a pool of its own: a pool grants access to listed peers and leaves cudaDeviceEnablePeerAccess to the
  // program.
  cudaError_t make_memory(int device) {
    int devices = 0;
    size_t scratch_end = 0;
    cudaError_t result = cudaGetDeviceCount(&devices);
    if (result == cudaSuccess) result = most_multi_grid_bytes(device, static_cast<size_t>(devices), &scratch_end);
    if (result != cudaSuccess) return result;

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
    void* memory = nullptr;
    if (result == cudaSuccess) {
      result = cudaMallocFromPoolAsync(&memory, scratch_end + sizeof(multi_grid_descriptor), pool_, stream);
    }
    if (result != cudaSuccess) return result;
    words = static_cast<multi_grid_words*>(memory);
    descriptor = reinterpret_cast<multi_grid_descriptor*>(static_cast<char*>(memory) + scratch_end);
    result = cudaStreamSynchronize(stream);
    if (result != cudaSuccess) return result;

    void* of_host = nullptr;  // allocated last, so release() never has to free it
    result = cudaHostAlloc(&of_host, ended_words * sizeof(uint32_t), cudaHostAllocPortable | cudaHostAllocMapped);
    if (result != cudaSuccess) return result;
    ended_launch = static_cast<volatile uint32_t*>(of_host);
    for (uint32_t i = 0; i < ended_words; ++i) ended_launch[i] = 0;
    return cudaSuccess;
  }

  // Frees what prepare() had made before a call failed.
  void release() {
    release_memory(stream);
    const cudaEvent_t events[] = {before, go, ended, done};
    for (cudaEvent_t event : events) {
      if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
    }
    if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
    if (launch_stream != nullptr) static_cast<void>(cudaStreamDestroy(launch_stream));
    *this = device_resources();
  }
  // Frees the memory and its pool, which outlive cudaDeviceReset(). The reset destroys all other resources.
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
