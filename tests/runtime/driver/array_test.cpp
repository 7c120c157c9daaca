// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces of the driver API: descriptions come back as they were given, copies move their bytes.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "cuda.h"

namespace {

class DriverArray : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(CUDA_SUCCESS, cuInit(0));
    ASSERT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(context_));
  }
  void TearDown() override {
    EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(nullptr));
    EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(0));
  }
  static CUarray make(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels,
                      unsigned flags = 0) {
    const CUDA_ARRAY3D_DESCRIPTOR described{width, height, depth, format, channels, flags};
    CUarray array = nullptr;
    EXPECT_EQ(CUDA_SUCCESS, cuArray3DCreate(&array, &described));
    return array;
  }

 private:
  CUcontext context_ = nullptr;
};

std::vector<unsigned char> counting(size_t bytes) {
  std::vector<unsigned char> v(bytes);
  std::iota(v.begin(), v.end(), static_cast<unsigned char>(3));
  return v;
}

TEST_F(DriverArray, DescriptorsComeBack) {
  struct wanted {
    CUarray_format format;
    unsigned channels;
  };
  for (const wanted& w :
       {wanted{CU_AD_FORMAT_UNSIGNED_INT8, 4}, wanted{CU_AD_FORMAT_SIGNED_INT16, 2}, wanted{CU_AD_FORMAT_HALF, 1},
        wanted{CU_AD_FORMAT_FLOAT, 4}, wanted{CU_AD_FORMAT_UNORM_INT8X2, 2}, wanted{CU_AD_FORMAT_SNORM_INT16X4, 4}}) {
    const CUarray array = make(13, 7, 4, w.format, w.channels, CUDA_ARRAY3D_LAYERED);
    CUDA_ARRAY3D_DESCRIPTOR got{};
    EXPECT_EQ(CUDA_SUCCESS, cuArray3DGetDescriptor(&got, array));
    EXPECT_EQ(13U, got.Width);
    EXPECT_EQ(7U, got.Height);
    EXPECT_EQ(4U, got.Depth);
    EXPECT_EQ(w.format, got.Format);
    EXPECT_EQ(w.channels, got.NumChannels);
    EXPECT_EQ(unsigned{CUDA_ARRAY3D_LAYERED}, got.Flags);
    EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(array));
    EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
    EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor(&got, array));
  }
}

TEST_F(DriverArray, RefusesFormats) {
  CUarray array = nullptr;
  const auto create = [&](CUarray_format format, unsigned channels) {
    const CUDA_ARRAY_DESCRIPTOR described{8, 8, format, channels};
    return cuArrayCreate(&array, &described);
  };
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, create(CU_AD_FORMAT_FLOAT, 3));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, create(CU_AD_FORMAT_UNORM_INT8X4, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, create(static_cast<CUarray_format>(5), 1));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, create(CU_AD_FORMAT_BC7_UNORM, 4));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, create(CU_AD_FORMAT_NV12, 3));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, nullptr));
}

TEST_F(DriverArray, CopiesBytes) {
  const CUarray first = make(64, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1);
  const CUarray second = make(64, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1);
  CUdeviceptr memory = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&memory, 256));
  const std::vector<unsigned char> bytes = counting(256);
  std::vector<unsigned char> got(256);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyHtoA(first, 0, bytes.data(), 256));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyAtoA(second, 8, first, 0, 248));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyAtoA(second, 0, first, 248, 8));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyAtoD(memory, second, 16, 100));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoA(second, 4, memory, 100));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyAtoHAsync(got.data(), second, 0, 256, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  std::vector<unsigned char> wanted(256);
  for (size_t i = 0; i < 256; ++i) wanted[i] = bytes[(i + 248) % 256];
  const std::vector<unsigned char> turned = wanted;
  for (size_t i = 0; i < 100; ++i) wanted[4 + i] = turned[16 + i];
  EXPECT_EQ(wanted, got);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(first, 4, bytes.data(), 253));
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(memory));
  EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(first));
  EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(second));
}

TEST_F(DriverArray, CopiesBoxes) {
  const CUarray array = make(12, 5, 3, CU_AD_FORMAT_SIGNED_INT16, 2);
  const std::vector<unsigned char> bytes = counting(12 * 4 * 5 * 3);
  std::vector<unsigned char> got(5 * 4 * 2 * 2);
  CUDA_MEMCPY3D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = bytes.data();
  in.srcPitch = 48;
  in.srcHeight = 5;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.WidthInBytes = 48;
  in.Height = 5;
  in.Depth = 3;
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3D(&in));
  CUDA_MEMCPY3D out{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.srcXInBytes = 8;
  out.srcY = 3;
  out.srcZ = 1;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = got.data();
  out.dstPitch = 20;
  out.dstHeight = 2;
  out.WidthInBytes = 20;
  out.Height = 2;
  out.Depth = 2;
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy3D(&out));
  for (size_t z = 0; z < 2; ++z) {
    for (size_t y = 0; y < 2; ++y) {
      for (size_t x = 0; x < 20; ++x) {
        EXPECT_EQ(bytes[((z + 1) * 5 + y + 3) * 48 + 8 + x], got[(z * 2 + y) * 20 + x]);
      }
    }
  }
  out.srcXInBytes = 7;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&out)) << "a part of a texel";
  out.srcXInBytes = 32;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&out));
  EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(array));
}

TEST_F(DriverArray, ObjectsDescribeThemselves) {
  const CUarray array = make(12, 5, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_SURFACE_LDST);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampler{};
  sampler.addressMode[0] = CU_TR_ADDRESS_MODE_MIRROR;
  sampler.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
  sampler.filterMode = CU_TR_FILTER_MODE_LINEAR;
  sampler.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB;
  sampler.borderColor[2] = 0.5F;
  CUtexObject texture = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
  CUDA_TEXTURE_DESC got{};
  EXPECT_EQ(CUDA_SUCCESS, cuTexObjectGetTextureDesc(&got, texture));
  EXPECT_EQ(sampler.flags, got.flags);
  EXPECT_EQ(sampler.addressMode[0], got.addressMode[0]);
  EXPECT_EQ(sampler.addressMode[1], got.addressMode[1]);
  EXPECT_EQ(0.5F, got.borderColor[2]);
  CUDA_RESOURCE_DESC described{};
  EXPECT_EQ(CUDA_SUCCESS, cuTexObjectGetResourceDesc(&described, texture));
  EXPECT_EQ(array, described.res.array.hArray);
  CUDA_RESOURCE_VIEW_DESC view{};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(&view, texture));
  CUtexObject other = 0;
  sampler.flags |= CU_TRSF_READ_AS_INTEGER;
  EXPECT_NE(CUDA_SUCCESS, cuTexObjectCreate(&other, &resource, &sampler, nullptr)) << "integers are not filtered";
  CUsurfObject surface = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuSurfObjectCreate(&surface, &resource));
  EXPECT_EQ(CUDA_SUCCESS, cuSurfObjectGetResourceDesc(&described, surface));
  EXPECT_EQ(CUDA_SUCCESS, cuSurfObjectDestroy(surface));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(surface));
  EXPECT_EQ(CUDA_SUCCESS, cuTexObjectDestroy(texture));
  EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(array));
}

}  // namespace
