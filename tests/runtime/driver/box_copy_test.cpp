// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: copies of planes and volumes between all kinds of memory.
#include <vector>

#include "driver.hpp"

namespace {

using BoxCopy = test::driver;
using test::address;

// A volume of bytes in one kind of memory. Adjacent bytes differ.
struct volume {
  static constexpr size_t pitch = 13, height = 7, depth = 5, bytes = pitch * height * depth;
  CUmemorytype type;
  unsigned char* memory = nullptr;
  std::vector<unsigned char> pageable;

  explicit volume(CUmemorytype kind) : type(kind) {
    if (kind == CU_MEMORYTYPE_HOST) {
      pageable.resize(bytes);
      memory = pageable.data();
    } else if (kind == CU_MEMORYTYPE_DEVICE) {
      CUdeviceptr made = 0;
      EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&made, bytes));
      memory = reinterpret_cast<unsigned char*>(made);
    } else {
      void* pinned = nullptr;
      EXPECT_EQ(CUDA_SUCCESS, cuMemHostAlloc(&pinned, bytes, 0));
      memory = static_cast<unsigned char*>(pinned);
    }
  }
  void fill(const std::vector<unsigned char>& from) {
    EXPECT_EQ(CUDA_SUCCESS, cuMemcpy(address(memory), address(from.data()), bytes));
  }
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> to(bytes);
    EXPECT_EQ(CUDA_SUCCESS, cuMemcpy(address(to.data()), address(memory), bytes));
    return to;
  }
};

std::vector<unsigned char> numbered(unsigned factor) {
  std::vector<unsigned char> all(volume::bytes);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i * factor + 1);
  return all;
}

CUDA_MEMCPY3D box_between(const volume& to, const volume& from) {
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = 2;
  c.srcY = 1;
  c.srcZ = 1;
  c.dstXInBytes = 3;
  c.dstY = 2;
  c.dstZ = 0;
  c.srcMemoryType = from.type;
  c.dstMemoryType = to.type;
  (from.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr&>(c.srcHost) : c.srcDevice) = address(from.memory);
  (to.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr&>(c.dstHost) : c.dstDevice) = address(to.memory);
  c.srcPitch = c.dstPitch = volume::pitch;
  c.srcHeight = c.dstHeight = volume::height;
  c.WidthInBytes = 9;
  c.Height = 4;
  c.Depth = 3;
  return c;
}

std::vector<unsigned char> expected(const CUDA_MEMCPY3D& c, std::vector<unsigned char> to,
                                    const std::vector<unsigned char>& from) {
  const auto at = [](size_t x, size_t y, size_t z) { return (z * volume::height + y) * volume::pitch + x; };
  for (size_t z = 0; z < c.Depth; ++z) {
    for (size_t y = 0; y < c.Height; ++y) {
      for (size_t x = 0; x < c.WidthInBytes; ++x) {
        to[at(c.dstXInBytes + x, c.dstY + y, c.dstZ + z)] = from[at(c.srcXInBytes + x, c.srcY + y, c.srcZ + z)];
      }
    }
  }
  return to;
}

constexpr CUmemorytype types[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED};

TEST_F(BoxCopy, OfVolumes) {
  CUstream s = stream();
  for (CUmemorytype to_type : types) {
    for (CUmemorytype from_type : types) {
      volume to(to_type), from(from_type);
      const auto source = numbered(7), before = numbered(3);
      from.fill(source);
      const CUDA_MEMCPY3D c = box_between(to, from);
      to.fill(before);
      EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3D(&c));
      EXPECT_EQ(expected(c, before, source), to.read()) << to_type << from_type;
      to.fill(before);
      EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3DAsync(&c, s));
      EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
      EXPECT_EQ(expected(c, before, source), to.read()) << to_type << from_type;
    }
  }
}

CUDA_MEMCPY2D plane_of(const CUDA_MEMCPY3D& c) {
  return {c.srcXInBytes, c.srcY,        c.srcMemoryType, c.srcHost,       c.srcDevice, nullptr,
          c.srcPitch,    c.dstXInBytes, c.dstY,          c.dstMemoryType, c.dstHost,   c.dstDevice,
          nullptr,       c.dstPitch,    c.WidthInBytes,  c.Height};
}

TEST_F(BoxCopy, OfPlanes) {
  CUstream s = stream();
  for (CUmemorytype to_type : types) {
    for (CUmemorytype from_type : types) {
      volume to(to_type), from(from_type);
      const auto source = numbered(7), before = numbered(3);
      from.fill(source);
      CUDA_MEMCPY3D c = box_between(to, from);
      c.srcZ = c.dstZ = 0;
      c.Depth = 1;
      const CUDA_MEMCPY2D plane = plane_of(c);
      for (int call = 0; call < 3; ++call) {
        to.fill(before);
        EXPECT_EQ(CUDA_SUCCESS, call == 0   ? cuMemcpy2D(&plane)
                                : call == 1 ? cuMemcpy2DUnaligned(&plane)
                                            : cuMemcpy2DAsync(&plane, s));
        EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
        EXPECT_EQ(expected(c, before, source), to.read()) << to_type << from_type << call;
      }
    }
  }
}

TEST_F(BoxCopy, BetweenContexts) {
  volume from(CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(1)));
  volume to(CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  const auto source = numbered(7), before = numbered(3);
  from.fill(source);
  to.fill(before);
  const CUDA_MEMCPY3D c = box_between(to, from);
  CUDA_MEMCPY3D_PEER peer{};
  peer.srcXInBytes = c.srcXInBytes;
  peer.srcY = c.srcY;
  peer.srcZ = c.srcZ;
  peer.dstXInBytes = c.dstXInBytes;
  peer.dstY = c.dstY;
  peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  peer.srcDevice = c.srcDevice;
  peer.dstDevice = c.dstDevice;
  peer.srcPitch = peer.dstPitch = volume::pitch;
  peer.srcHeight = peer.dstHeight = volume::height;
  peer.WidthInBytes = c.WidthInBytes;
  peer.Height = c.Height;
  peer.Depth = c.Depth;
  peer.srcContext = primary(0);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuMemcpy3DPeer(&peer));
  peer.dstContext = primary(1);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3DPeer(&peer));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(expected(c, before, source), to.read());
  to.fill(before);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3DPeerAsync(&peer, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(expected(c, before, source), to.read());
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DPeer(nullptr));
  cudaMemcpy3DPeerParms parameters{};
  parameters.dstDevice = 99;
  EXPECT_EQ(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&parameters));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(nullptr, nullptr));
}

TEST_F(BoxCopy, WrongBoxesAreRefused) {
  volume to(CU_MEMORYTYPE_DEVICE), from(CU_MEMORYTYPE_HOST);
  const CUDA_MEMCPY3D right = box_between(to, from);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3D(&right));
  const auto refused = [&](CUresult error, auto&& change) {
    CUDA_MEMCPY3D c = right;
    change(c);
    EXPECT_EQ(error, cuMemcpy3D(&c));
    EXPECT_EQ(error, cuMemcpy3DAsync(&c, nullptr));
  };
  refused(CUDA_ERROR_INVALID_HANDLE, [](auto& c) { c.srcMemoryType = CU_MEMORYTYPE_ARRAY; });
  refused(CUDA_ERROR_INVALID_HANDLE, [](auto& c) { c.dstMemoryType = CU_MEMORYTYPE_ARRAY; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.srcMemoryType = static_cast<CUmemorytype>(0); });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.srcLOD = 1; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.reserved1 = &c; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.srcPitch = 10; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.dstXInBytes = 5; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.srcHeight = 4; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.dstY = 4; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.dstZ = 3; });  // beyond the allocation
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& c) { c.srcHost = nullptr; });
  refused(CUDA_ERROR_INVALID_VALUE, [&](auto& c) {
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = address(from.memory);
  });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync(nullptr, nullptr));
}

}  // namespace
