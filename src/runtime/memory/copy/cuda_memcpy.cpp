// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy and its forms in one, two and three dimensions.
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/array/array.hpp"
#include "runtime/memory/copy/array_place.hpp"
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

cudaError_t copy_in(cudaStream_t handle, const copy_request& request, bool wait) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    return error != cudaSuccess ? error : copy(*s, request, wait);
  });
}

copy_request straight(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return {{bytes_of(to), bytes, bytes}, {bytes_of(from), bytes, bytes}, {bytes, 1, 1}, kind};
}

copy_request pitched(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                     cudaMemcpyKind kind) {
  return {{bytes_of(to), to_pitch, 0}, {bytes_of(from), from_pitch, 0}, {width, height, 1}, kind};
}

place in_volume(const cudaPitchedPtr& p, const cudaPos& at) {
  const size_t slice = p.pitch * p.ysize;
  if (!p.ptr) return {};
  return {bytes_of(p.ptr) + at.z * slice + at.y * p.pitch + at.x, p.pitch, slice};
}

// The error that refuses a copy between two devices: a fatal one of either, even if the current device has none.
cudaError_t check_devices(int to, int from) {
  if (!is_device(to) || !is_device(from)) return cudaErrorInvalidDevice;
  for (int device : {to, from}) {
    const cudaError_t fatal = device_at(device).fatal_error.load(std::memory_order_acquire);
    if (fatal != cudaSuccess) return fatal;
  }
  return cudaSuccess;
}

cudaError_t copy_volume(const cudaMemcpy3DParms* p, cudaStream_t handle, bool wait) {
  copy_request request{};
  const cudaError_t error = p ? to_copy_request(*p, &request) : cudaErrorInvalidValue;
  return error != cudaSuccess ? remember(error) : copy_in(handle, request, wait);
}

}  // namespace

cudaError_t to_copy_request(const cudaMemcpy3DParms& p, copy_request* request) {
  const cudaArray* const to = array_table::instance().find(p.dstArray);
  const cudaArray* const from = array_table::instance().find(p.srcArray);
  if ((p.dstArray && (!to || p.dstPtr.ptr)) || (p.srcArray && (!from || p.srcPtr.ptr))) return cudaErrorInvalidValue;
  if (to && from && to->format.bytes() != from->format.bytes()) return cudaErrorInvalidValue;
  // The width counts texels in a copy with an array, bytes in any other copy.
  const size_t unit = to ? to->format.bytes() : from ? from->format.bytes() : 1;
  box extent{0, p.extent.height, p.extent.depth};
  if (__builtin_mul_overflow(p.extent.width, unit, &extent.width)) return cudaErrorInvalidValue;
  *request = {in_volume(p.dstPtr, p.dstPos), in_volume(p.srcPtr, p.srcPos), extent, p.kind};
  if (to && !find_place(*to, p.dstPos, extent, &request->to)) return cudaErrorInvalidValue;
  if (from && !find_place(*from, p.srcPos, extent, &request->from)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_in(cudaStreamLegacy, straight(to, from, bytes, kind), true);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_in(stream, straight(to, from, bytes, kind), false);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  if (const cudaError_t error = check_devices(to_device, from_device); error != cudaSuccess) return remember(error);
  return copy_in(stream, straight(to, from, bytes, cudaMemcpyDeviceToDevice), false);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, cudaStreamLegacy);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_in(cudaStreamLegacy, pitched(to, to_pitch, from, from_pitch, width, height, kind), true);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_in(stream, pitched(to, to_pitch, from, from_pitch, width, height, kind), false);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_volume(p, cudaStreamLegacy, true); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) { return copy_volume(p, stream, false); }

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  const cudaError_t error = p ? check_devices(p->dstDevice, p->srcDevice) : cudaErrorInvalidValue;
  if (error != cudaSuccess) return remember(error);
  const cudaMemcpy3DParms volume{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                 p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy_volume(&volume, stream, false);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) { return cudaMemcpy3DPeerAsync(p, cudaStreamLegacy); }

}  // extern "C"
