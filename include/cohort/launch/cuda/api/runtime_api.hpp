// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a GPU's runtime that launches need, under names of this library. Only the files of this folder name
// CUDA's functions, types and constants: the runtime of another vendor is a folder with the same names.
//
// A function does what its CUDA function does and returns its error. The current device is that of the calling thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

namespace cohort {
namespace detail {
namespace api {

using error = cudaError_t;
using stream = cudaStream_t;
using event = cudaEvent_t;
using memory_pool = cudaMemPool_t;
using kernel_attributes = cudaFuncAttributes;
using launch_config = cudaLaunchConfig_t;
using capture_mode = cudaStreamCaptureMode;

inline constexpr error success = cudaSuccess;
inline constexpr error not_ready = cudaErrorNotReady;
inline constexpr capture_mode relaxed_capture = cudaStreamCaptureModeRelaxed;
// The default stream of the calling host thread.
inline stream thread_stream() { return cudaStreamPerThread; }

// Errors of the calling host thread.
inline error peek_at_last_error() { return cudaPeekAtLastError(); }
inline error take_last_error() { return cudaGetLastError(); }

// Devices.
enum class attribute : int {
  warp_size = cudaDevAttrWarpSize,
  multiprocessors = cudaDevAttrMultiProcessorCount,
  blocks_per_multiprocessor = cudaDevAttrMaxBlocksPerMultiprocessor,
  threads_per_block = cudaDevAttrMaxThreadsPerBlock,
  block_dim_z = cudaDevAttrMaxBlockDimZ,
  grid_dim_x = cudaDevAttrMaxGridDimX,
  grid_dim_y = cudaDevAttrMaxGridDimY,
  grid_dim_z = cudaDevAttrMaxGridDimZ,
  cooperative_launch = cudaDevAttrCooperativeLaunch,
};
inline error get_device(int* device) { return cudaGetDevice(device); }
inline error set_device(int device) { return cudaSetDevice(device); }
inline error count_devices(int* count) { return cudaGetDeviceCount(count); }
inline error get_attribute(int* value, attribute which, int device) {
  return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(which), device);
}
// Writes the bytes that identify the device in all processes.
inline error get_uuid(unsigned char (&uuid)[16], int device) {
  cudaDeviceProp properties{};
  const error result = cudaGetDeviceProperties(&properties, device);
  for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(properties.uuid.bytes[i]);
  return result;
}
inline error can_access_peer(int* can, int device, int peer) { return cudaDeviceCanAccessPeer(can, device, peer); }
// Writes 1 if atomic operations of `device` on the memory of `peer` are native.
inline error has_native_atomics(int* native, int device, int peer) {
  return cudaDeviceGetP2PAttribute(native, cudaDevP2PAttrNativeAtomicSupported, device, peer);
}
inline error synchronize_device() { return cudaDeviceSynchronize(); }

// Streams and events. Events have no times.
inline error create_stream(stream* made) { return cudaStreamCreate(made); }
inline error create_non_blocking_stream(stream* made) { return cudaStreamCreateWithFlags(made, cudaStreamNonBlocking); }
inline error destroy_stream(stream s) { return cudaStreamDestroy(s); }
inline error synchronize_stream(stream s) { return cudaStreamSynchronize(s); }
inline error wait_for_event(stream s, event e) { return cudaStreamWaitEvent(s, e, 0); }
inline bool is_default_stream(stream s) { return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread; }
// Whether the stream is being captured; true if the runtime returns an error.
inline bool is_capturing(stream s) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(s, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}
// Exchanges the capture mode of the calling host thread.
inline error exchange_capture_mode(capture_mode* mode) { return cudaThreadExchangeStreamCaptureMode(mode); }
inline error create_event(event* made) { return cudaEventCreateWithFlags(made, cudaEventDisableTiming); }
inline error destroy_event(event e) { return cudaEventDestroy(e); }
inline error record_event(event e, stream s) { return cudaEventRecord(e, s); }
inline error query_event(event e) { return cudaEventQuery(e); }

// Memory. Mapped memory lies in the host; all devices can access it.
template <class T>
error allocate(T** memory, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
inline error free(void* memory) { return cudaFree(memory); }
inline error allocate_in_order(void** memory, size_t bytes, stream s) { return cudaMallocAsync(memory, bytes, s); }
inline error free_in_order(void* memory, stream s) { return cudaFreeAsync(memory, s); }
inline error allocate_mapped(void** memory, size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
}
inline error free_mapped(void* memory) { return cudaFreeHost(memory); }
inline error fill(void* memory, int byte, size_t bytes, stream s) { return cudaMemsetAsync(memory, byte, bytes, s); }
inline error copy_on_device(void* to, const void* from, size_t bytes, stream s) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s);
}
inline error copy_to_host(void* to, const void* from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}

// Pools of memory on a device.
inline error create_pool(memory_pool* made, int device) {
  cudaMemPoolProps kind = {};
  kind.allocType = cudaMemAllocationTypePinned;
  kind.location.type = cudaMemLocationTypeDevice;
  kind.location.id = device;
  return cudaMemPoolCreate(made, &kind);
}
inline error destroy_pool(memory_pool pool) { return cudaMemPoolDestroy(pool); }
// Lets the device `peer` read and write the pool's memory.
inline error share_pool(memory_pool pool, int peer) {
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = peer;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  return cudaMemPoolSetAccess(pool, &access, 1);
}
inline error allocate_from_pool(void** memory, size_t bytes, memory_pool pool, stream s) {
  return cudaMallocFromPoolAsync(memory, bytes, pool, s);
}

// Kernels, identified by the addresses of their host functions. `arguments` holds the address of each parameter.
inline error get_attributes(kernel_attributes* found, const void* kernel) {
  return ::cudaFuncGetAttributes(found, kernel);
}
// The extent of the kernel's __cluster_dims__; zero if it has none.
inline ::dim3 required_cluster(const kernel_attributes& of_kernel) {
  return ::dim3(static_cast<unsigned int>(of_kernel.requiredClusterWidth),
                static_cast<unsigned int>(of_kernel.requiredClusterHeight),
                static_cast<unsigned int>(of_kernel.requiredClusterDepth));
}
// The kernel's name; null if the runtime returns none: CUDA does since 12.3.
inline const char* name_of([[maybe_unused]] const void* kernel) {
  const char* name = nullptr;
#if CUDART_VERSION >= 12030
  if (cudaFuncGetName(&name, kernel) != cudaSuccess) return nullptr;
#endif
  return name;
}
inline error launch(const void* kernel, ::dim3 grid, ::dim3 block, void** arguments, size_t shared_bytes, stream s) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, s);
}
inline error launch_cooperative(const void* kernel, ::dim3 grid, ::dim3 block, void** arguments, size_t shared_bytes,
                                stream s) {
  return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared_bytes, s);
}

// A launch with attributes. Not copied: the configuration points to the attributes.
class shaped_launch {
 public:
  // `cluster`: the extent of a cluster in blocks; zero: the kernel's.
  shaped_launch(::dim3 grid, ::dim3 block, size_t shared_bytes, stream s, bool cooperative, ::dim3 cluster) {
    config_.gridDim = grid;
    config_.blockDim = block;
    config_.dynamicSmemBytes = shared_bytes;
    config_.stream = s;
    config_.attrs = attributes_;
    if (cooperative) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeCooperative;
      attributes_[config_.numAttrs++].val.cooperative = 1;
    }
    if (cluster.x != 0 || cluster.y != 0 || cluster.z != 0) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeClusterDimension;
      attributes_[config_.numAttrs].val.clusterDim.x = cluster.x;
      attributes_[config_.numAttrs].val.clusterDim.y = cluster.y;
      attributes_[config_.numAttrs++].val.clusterDim.z = cluster.z;
    }
  }
  shaped_launch(const shaped_launch&) = delete;
  error start(const void* kernel, void** arguments) const { return cudaLaunchKernelExC(&config_, kernel, arguments); }
  // Writes the number of clusters of this shape that are resident at once.
  error count_resident_clusters(int* count, const void* kernel) const {
    return cudaOccupancyMaxActiveClusters(count, kernel, &config_);
  }

 private:
  cudaLaunchAttribute attributes_[2] = {};
  cudaLaunchConfig_t config_ = {};
};

// Writes the number of blocks that are resident at once on each multiprocessor.
inline error count_resident_blocks(int* count, const void* kernel, int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, kernel, threads, shared_bytes);
}

}  // namespace api
}  // namespace detail
}  // namespace cohort
