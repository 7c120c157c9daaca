// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/box_copy.hpp"

#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

// One side of a copy. The names are those of CUDA_MEMCPY3D, without `src` or `dst`.
struct copy_side {
  CUmemorytype type;
  void* host;
  CUdeviceptr device;
  size_t x, y, z;
  size_t pitch, height;
  size_t level;

  void* memory() const { return type == CU_MEMORYTYPE_HOST ? host : pointer_of(device); }
  // Rows must lie inside the pitch, and those of one slice of several inside its height.
  bool fits(const cudaExtent& extent) const {
    if (level != 0) return false;
    if ((extent.height > 1 || y > 0 || pitch > 0) && (x > pitch || extent.width > pitch - x)) return false;
    return (extent.depth <= 1 && z == 0) || (y <= height && extent.height <= height - y);
  }
};

CUresult check(const copy_side& side, const cudaExtent& extent) {
  switch (side.type) {
    case CU_MEMORYTYPE_ARRAY:
      return CUDA_ERROR_NOT_SUPPORTED;
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return side.fits(extent) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST) return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

// Copy is CUDA_MEMCPY3D or CUDA_MEMCPY3D_PEER.
template <class Copy>
copy_side source_of(const Copy& c) {
  return {c.srcMemoryType, const_cast<void*>(c.srcHost),
          c.srcDevice,     c.srcXInBytes,
          c.srcY,          c.srcZ,
          c.srcPitch,      c.srcHeight,
          c.srcLOD};
}

template <class Copy>
copy_side target_of(const Copy& c) {
  return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight, c.dstLOD};
}

// Writes the members that cudaMemcpy3DParms and cudaMemcpy3DPeerParms share.
template <class Copy, class Made>
CUresult write_sides(const Copy& c, Made* made) {
  const copy_side from = source_of(c), to = target_of(c);
  *made = {};
  made->extent = {c.WidthInBytes, c.Height, c.Depth};
  CUresult error = check(from, made->extent);
  if (error == CUDA_SUCCESS) error = check(to, made->extent);
  if (error != CUDA_SUCCESS) return error;
  made->srcPtr = {from.memory(), from.pitch, c.WidthInBytes, from.height};
  made->srcPos = {from.x, from.y, from.z};
  made->dstPtr = {to.memory(), to.pitch, c.WidthInBytes, to.height};
  made->dstPos = {to.x, to.y, to.z};
  return CUDA_SUCCESS;
}

CUDA_MEMCPY3D volume_of(const CUDA_MEMCPY2D& c) {
  CUDA_MEMCPY3D volume{};
  volume.srcXInBytes = c.srcXInBytes;
  volume.srcY = c.srcY;
  volume.srcMemoryType = c.srcMemoryType;
  volume.srcHost = c.srcHost;
  volume.srcDevice = c.srcDevice;
  volume.srcPitch = c.srcPitch;
  volume.dstXInBytes = c.dstXInBytes;
  volume.dstY = c.dstY;
  volume.dstMemoryType = c.dstMemoryType;
  volume.dstHost = c.dstHost;
  volume.dstDevice = c.dstDevice;
  volume.dstPitch = c.dstPitch;
  volume.WidthInBytes = c.WidthInBytes;
  volume.Height = c.Height;
  volume.Depth = 1;
  return volume;
}

// Calls `copy(const cudaMemcpy3DParms*)` in the current context.
template <class Copy>
CUresult copy_volume(const CUDA_MEMCPY3D* c, Copy&& copy) {
  return context_call([&] {
    cudaMemcpy3DParms parameters;
    const CUresult error = c ? to_runtime(*c, &parameters) : CUDA_ERROR_INVALID_VALUE;
    return error != CUDA_SUCCESS ? error : to_result(copy(&parameters));
  });
}

template <class Copy>
CUresult copy_plane(const CUDA_MEMCPY2D* c, Copy&& copy) {
  if (!c) return copy_volume(nullptr, copy);
  const CUDA_MEMCPY3D volume = volume_of(*c);
  return copy_volume(&volume, copy);
}

// Calls `copy(const cudaMemcpy3DPeerParms*)` in the current context.
template <class Copy>
CUresult copy_between(const CUDA_MEMCPY3D_PEER* c, Copy&& copy) {
  return context_call([&] {
    cudaMemcpy3DPeerParms parameters;
    context *from = nullptr, *to = nullptr;
    CUresult error = c ? write_sides(*c, &parameters) : CUDA_ERROR_INVALID_VALUE;
    if (error == CUDA_SUCCESS) error = find_context(c->srcContext, &from);
    if (error == CUDA_SUCCESS) error = find_context(c->dstContext, &to);
    if (error != CUDA_SUCCESS) return error;
    parameters.srcDevice = from->device;
    parameters.dstDevice = to->device;
    return to_result(copy(&parameters));
  });
}

}  // namespace

CUresult to_runtime(const CUDA_MEMCPY3D& c, cudaMemcpy3DParms* made) {
  if (c.reserved0 || c.reserved1) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = write_sides(c, made);
  if (error == CUDA_SUCCESS) made->kind = kind_of(c.dstMemoryType, c.srcMemoryType);
  return error;
}

CUDA_MEMCPY3D to_driver(const cudaMemcpy3DParms& p) {
  const bool is_unified = p.kind == cudaMemcpyDefault;
  const bool from_host = p.kind == cudaMemcpyHostToHost || p.kind == cudaMemcpyHostToDevice;
  const bool to_host = p.kind == cudaMemcpyHostToHost || p.kind == cudaMemcpyDeviceToHost;
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = p.srcPos.x;
  c.srcY = p.srcPos.y;
  c.srcZ = p.srcPos.z;
  c.srcMemoryType = is_unified ? CU_MEMORYTYPE_UNIFIED : from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (from_host) {
    c.srcHost = p.srcPtr.ptr;
  } else {
    c.srcDevice = address_of(p.srcPtr.ptr);
  }
  c.srcPitch = p.srcPtr.pitch;
  c.srcHeight = p.srcPtr.ysize;
  c.dstXInBytes = p.dstPos.x;
  c.dstY = p.dstPos.y;
  c.dstZ = p.dstPos.z;
  c.dstMemoryType = is_unified ? CU_MEMORYTYPE_UNIFIED : to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (to_host) {
    c.dstHost = p.dstPtr.ptr;
  } else {
    c.dstDevice = address_of(p.dstPtr.ptr);
  }
  c.dstPitch = p.dstPtr.pitch;
  c.dstHeight = p.dstPtr.ysize;
  c.WidthInBytes = p.extent.width;
  c.Height = p.extent.height;
  c.Depth = p.extent.depth;
  return c;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return copy_plane(copy, cudaMemcpy3D); }

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) { return cuMemcpy2D(copy); }

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_plane(copy, [&](const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p, stream); });
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return copy_volume(copy, cudaMemcpy3D); }

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_volume(copy, [&](const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p, stream); });
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) { return copy_between(copy, cudaMemcpy3DPeer); }

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_between(copy, [&](const cudaMemcpy3DPeerParms* p) { return cudaMemcpy3DPeerAsync(p, stream); });
}

}  // extern "C"
