// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/box_copy.hpp"

#include "runtime/driver/array_formats.hpp"
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
  CUarray array;

  void* memory() const { return type == CU_MEMORYTYPE_HOST ? host : pointer_of(device); }
  // True if a row fits into the pitch and, where there are several slices, the rows of one fit into its height.
  bool fits(const cudaExtent& extent) const {
    if (level != 0) return false;
    if ((extent.height > 1 || y > 0 || pitch > 0) && (x > pitch || extent.width > pitch - x)) return false;
    return (extent.depth <= 1 && z == 0) || (y <= height && extent.height <= height - y);
  }
};

// Bytes of a texel; 0: there is no such array.
size_t texel_bytes(cudaArray_t array) {
  cudaChannelFormatDesc desc{};
  if (cudaGetChannelDesc(&desc, array) != cudaSuccess) return 0;
  return static_cast<size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
}

CUresult check(const copy_side& side, const cudaExtent& extent) {
  switch (side.type) {
    case CU_MEMORYTYPE_ARRAY: {
      const size_t unit = texel_bytes(array_of(side.array));
      if (unit == 0) return CUDA_ERROR_INVALID_HANDLE;
      return side.level == 0 && side.x % unit == 0 && extent.width % unit == 0 ? CUDA_SUCCESS
                                                                               : CUDA_ERROR_INVALID_VALUE;
    }
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return side.fits(extent) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
  // An array counts as device memory.
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
          c.srcLOD,        c.srcArray};
}

template <class Copy>
copy_side target_of(const Copy& c) {
  return {c.dstMemoryType, c.dstHost,  c.dstDevice, c.dstXInBytes, c.dstY,
          c.dstZ,          c.dstPitch, c.dstHeight, c.dstLOD,      c.dstArray};
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
  // The runtime API counts texels in a copy with an array, bytes in any other copy.
  size_t unit = 1;
  if (from.type == CU_MEMORYTYPE_ARRAY) {
    made->srcArray = array_of(from.array);
    unit = texel_bytes(made->srcArray);
  } else {
    made->srcPtr = {from.memory(), from.pitch, c.WidthInBytes, from.height};
  }
  if (to.type == CU_MEMORYTYPE_ARRAY) {
    made->dstArray = array_of(to.array);
    unit = texel_bytes(made->dstArray);
  } else {
    made->dstPtr = {to.memory(), to.pitch, c.WidthInBytes, to.height};
  }
  made->srcPos = {made->srcArray ? from.x / unit : from.x, from.y, from.z};
  made->dstPos = {made->dstArray ? to.x / unit : to.x, to.y, to.z};
  made->extent.width = c.WidthInBytes / unit;
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
  volume.srcArray = c.srcArray;
  volume.dstArray = c.dstArray;
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
  const size_t unit = p.srcArray ? texel_bytes(p.srcArray) : p.dstArray ? texel_bytes(p.dstArray) : 1;
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = p.srcArray ? p.srcPos.x * unit : p.srcPos.x;
  c.srcY = p.srcPos.y;
  c.srcZ = p.srcPos.z;
  c.srcMemoryType = is_unified ? CU_MEMORYTYPE_UNIFIED : from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (p.srcArray) {
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    c.srcArray = array_of(p.srcArray);
  } else if (from_host) {
    c.srcHost = p.srcPtr.ptr;
  } else {
    c.srcDevice = address_of(p.srcPtr.ptr);
  }
  c.srcPitch = p.srcPtr.pitch;
  c.srcHeight = p.srcPtr.ysize;
  c.dstXInBytes = p.dstArray ? p.dstPos.x * unit : p.dstPos.x;
  c.dstY = p.dstPos.y;
  c.dstZ = p.dstPos.z;
  c.dstMemoryType = is_unified ? CU_MEMORYTYPE_UNIFIED : to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (p.dstArray) {
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = array_of(p.dstArray);
  } else if (to_host) {
    c.dstHost = p.dstPtr.ptr;
  } else {
    c.dstDevice = address_of(p.dstPtr.ptr);
  }
  c.dstPitch = p.dstPtr.pitch;
  c.dstHeight = p.dstPtr.ysize;
  c.WidthInBytes = p.extent.width * unit;
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
