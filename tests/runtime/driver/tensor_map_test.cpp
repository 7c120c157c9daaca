// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for tensor maps, each broken separately, and the contents of an encoded map.
#include <cohort/machine/cpu/port/tensor_map.hpp>
#include <cstring>
#include <functional>

#include "driver.hpp"

namespace {

struct arguments {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  cuuint32_t rank = 4;
  uint64_t address = 1 << 20;
  cuuint64_t sizes[5] = {64, 16, 8, 4, 4}, strides[4] = {128, 2048, 16384, 65536};
  cuuint32_t box[5] = {32, 4, 2, 2, 2}, steps[5] = {1, 1, 1, 1, 1};
  int lower[3] = {-1, -1, -1}, upper[3] = {-1, -1, -1};
  cuuint32_t channels = 32, pixels = 8;
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
  CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  void interleave_by(int bytes) {
    interleave = bytes == 16 ? CU_TENSOR_MAP_INTERLEAVE_16B : CU_TENSOR_MAP_INTERLEAVE_32B;
    swizzle = bytes == 16 ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_32B;
  }
};

template <class Enumeration>
Enumeration enumerator(int number) {
  return static_cast<Enumeration>(number);
}

CUresult encode_tiled(const arguments& a, CUtensorMap* map) {
  return cuTensorMapEncodeTiled(map, a.type, a.rank, reinterpret_cast<void*>(a.address), a.sizes, a.strides, a.box,
                                a.steps, a.interleave, a.swizzle, a.promotion, a.fill);
}

CUresult encode_im2col(const arguments& a, CUtensorMap* map) {
  return cuTensorMapEncodeIm2col(map, a.type, a.rank, reinterpret_cast<void*>(a.address), a.sizes, a.strides, a.lower,
                                 a.upper, a.channels, a.pixels, a.steps, a.interleave, a.swizzle, a.promotion, a.fill);
}

struct change {
  const char* name;
  std::function<void(arguments&)> make;
};

const change right[] = {
    {"as it is", [](arguments&) {}},
    {"bytes", [](arguments& a) { a.type = CU_TENSOR_MAP_DATA_TYPE_UINT8; }},
    {"rank 3", [](arguments& a) { a.rank = 3; }},
    {"rank 5", [](arguments& a) { a.rank = 5; }},
    {"largest size", [](arguments& a) { a.sizes[3] = cuuint64_t{1} << 32; }},
    {"largest stride", [](arguments& a) { a.strides[2] = (cuuint64_t{1} << 40) - 16; }},
    {"largest step", [](arguments& a) { a.steps[1] = 8; }},
    {"16 bytes of each pixel", [](arguments& a) { a.interleave_by(16); }},
    {"32 bytes of each pixel", [](arguments& a) { a.interleave_by(32); }},
    {"a step of 9 in dimension 0 is not possible, 8 is", [](arguments& a) { a.steps[0] = 8; }},
    {"null address", [](arguments& a) { a.address = 0; }},
    {"interleave 32 with another swizzle",
     [](arguments& a) { a.interleave_by(32), a.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; }},
    {"NaN", [](arguments& a) { a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }},
};

const change wrong[] = {
    {"type 16U4", [](arguments& a) { a.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B; }},
    {"type 17", [](arguments& a) { a.type = enumerator<CUtensorMapDataType>(17); }},
    {"rank 0", [](arguments& a) { a.rank = 0; }},
    {"rank 6", [](arguments& a) { a.rank = 6; }},
    {"address 2^57", [](arguments& a) { a.address = uint64_t{1} << 57; }},
    {"address + 8", [](arguments& a) { a.address += 8; }},
    {"address + 16, interleaved by 32", [](arguments& a) { a.interleave_by(32), a.address += 16; }},
    {"size 0", [](arguments& a) { a.sizes[2] = 0; }},
    {"size 2^32 + 1", [](arguments& a) { a.sizes[0] = (cuuint64_t{1} << 32) + 1; }},
    {"stride + 8", [](arguments& a) { a.strides[0] += 8; }},
    {"stride + 16, interleaved by 32", [](arguments& a) { a.interleave_by(32), a.strides[0] += 16; }},
    {"stride 2^40", [](arguments& a) { a.strides[2] = cuuint64_t{1} << 40; }},
    {"step 0", [](arguments& a) { a.steps[1] = 0; }},
    {"step 9", [](arguments& a) { a.steps[2] = 9; }},
    {"interleave 3", [](arguments& a) { a.interleave = enumerator<CUtensorMapInterleave>(3); }},
    {"swizzle of a larger atom", [](arguments& a) { a.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B; }},
    {"swizzle narrower than a row", [](arguments& a) { a.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }},
    {"promotion 4", [](arguments& a) { a.promotion = enumerator<CUtensorMapL2promotion>(4); }},
    {"fill 2", [](arguments& a) { a.fill = enumerator<CUtensorMapFloatOOBfill>(2); }},
    {"NaN among integers",
     [](arguments& a) {
       a.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
       a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
     }},
};

const change wrong_tiles[] = {
    {"rank 2, interleaved", [](arguments& a) { a.rank = 2, a.interleave_by(16); }},
    {"box of 0", [](arguments& a) { a.box[2] = 0; }},
    {"box of 257", [](arguments& a) { a.box[1] = 257; }},
    {"box of 257 elements of a row", [](arguments& a) { a.box[0] = 257, a.interleave_by(16); }},
    {"box of 512 KiB", [](arguments& a) { a.box[1] = 256, a.box[2] = 16; }},
    {"row of 24 bytes", [](arguments& a) { a.box[0] = 12; }},
    {"row of 24 bytes, interleaved", [](arguments& a) { a.box[0] = 12, a.interleave_by(16); }},
};

const change wrong_columns[] = {
    {"rank 2", [](arguments& a) { a.rank = 2; }},
    {"no pixels", [](arguments& a) { a.pixels = 0; }},
    {"1025 pixels", [](arguments& a) { a.pixels = 1025; }},
    {"257 channels", [](arguments& a) { a.channels = 257, a.interleave_by(16); }},
    {"24 bytes of channels", [](arguments& a) { a.channels = 12; }},
    {"lower corner of 9 bits", [](arguments& a) { a.lower[0] = -129; }},
    {"upper corner of 9 bits", [](arguments& a) { a.upper[1] = 128; }},
    {"lower corner of 6 bits", [](arguments& a) { a.rank = 5, a.lower[2] = -17; }},
    {"lower corner of 17 bits", [](arguments& a) { a.rank = 3, a.lower[0] = 32768; }},
    {"2^31 positions", [](arguments& a) { a.sizes[1] = cuuint64_t{1} << 31; }},
    {"empty bounding box", [](arguments& a) { a.lower[1] = 7, a.upper[1] = -1; }},
};

class TensorMap : public test::driver {
 protected:
  template <class Encode, size_t Count>
  void expect_all(CUresult result, const change (&changes)[Count], Encode encode) {
    for (const change& each : changes) {
      arguments a;
      each.make(a);
      std::memset(&map_, 0x5a, sizeof map_);
      EXPECT_EQ(encode(a, &map_), result) << each.name;
      const auto* const content = reinterpret_cast<const unsigned char*>(&map_);
      if (result != CUDA_SUCCESS) {
        for (size_t i = 0; i < sizeof map_; ++i) ASSERT_EQ(content[i], 0x5a) << each.name;
      }
    }
  }
  cohort_tensor_map content() const {
    cohort_tensor_map m;
    std::memcpy(&m, &map_, sizeof m);
    return m;
  }
  CUtensorMap map_;
};

TEST_F(TensorMap, RightTiles) { expect_all(CUDA_SUCCESS, right, encode_tiled); }
TEST_F(TensorMap, RightColumns) { expect_all(CUDA_SUCCESS, right, encode_im2col); }
TEST_F(TensorMap, WrongTiles) {
  expect_all(CUDA_ERROR_INVALID_VALUE, wrong, encode_tiled);
  expect_all(CUDA_ERROR_INVALID_VALUE, wrong_tiles, encode_tiled);
}
TEST_F(TensorMap, WrongColumns) {
  expect_all(CUDA_ERROR_INVALID_VALUE, wrong, encode_im2col);
  expect_all(CUDA_ERROR_INVALID_VALUE, wrong_columns, encode_im2col);
}

TEST_F(TensorMap, TilesHaveRanksOneAndTwo) {
  arguments a;
  for (a.rank = 1; a.rank < 3; ++a.rank) EXPECT_EQ(encode_tiled(a, &map_), CUDA_SUCCESS);
}

TEST_F(TensorMap, NullArguments) {
  const arguments a;
  const auto encode = [&](const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                          const cuuint32_t* steps, cuuint32_t rank = 4) {
    return cuTensorMapEncodeTiled(&map_, a.type, rank, reinterpret_cast<void*>(a.address), sizes, strides, box, steps,
                                  a.interleave, a.swizzle, a.promotion, a.fill);
  };
  EXPECT_EQ(encode(a.sizes, a.strides, a.box, a.steps), CUDA_SUCCESS);
  EXPECT_EQ(encode(nullptr, a.strides, a.box, a.steps), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(encode(a.sizes, nullptr, a.box, a.steps), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(encode(a.sizes, a.strides, nullptr, a.steps), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(encode(a.sizes, a.strides, a.box, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(encode(a.sizes, nullptr, a.box, a.steps, 1), CUDA_SUCCESS);
  EXPECT_EQ(encode_tiled(a, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(TensorMap, HoldsWhatWasEncoded) {
  arguments a;
  ASSERT_EQ(encode_im2col(a, &map_), CUDA_SUCCESS);
  const cohort_tensor_map m = content();
  EXPECT_EQ(m.mode, cohort_tensor_im2col);
  EXPECT_EQ(m.address, a.address);
  EXPECT_EQ(m.type, cohort_tensor_f16);
  EXPECT_EQ(m.rank, 4);
  EXPECT_EQ(m.last[2], 7U);
  EXPECT_EQ(m.strides[2], 16384U);
  EXPECT_EQ(m.box[0], 32);
  EXPECT_EQ(m.box[1], 8);
  EXPECT_EQ(m.lower[1], -1);
}

TEST_F(TensorMap, ReplacesAnAddress) {
  arguments a;
  ASSERT_EQ(encode_tiled(a, &map_), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map_, reinterpret_cast<void*>(a.address + 16)), CUDA_SUCCESS);
  EXPECT_EQ(content().address, a.address + 16);
  EXPECT_EQ(content().strides[0], 128U);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map_, reinterpret_cast<void*>(a.address + 8)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTensorMapReplaceAddress(nullptr, reinterpret_cast<void*>(a.address)), CUDA_ERROR_INVALID_VALUE);
  a.interleave_by(32);
  ASSERT_EQ(encode_tiled(a, &map_), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map_, reinterpret_cast<void*>(a.address + 16)), CUDA_SUCCESS);
}

// CUTLASS clears this bit in maps of small tensors.
TEST_F(TensorMap, KeepsItsMeaningWithoutBit21OfTheSecondWord) {
  arguments a;
  a.address |= 1 << 21;
  for (const auto encode : {encode_tiled, encode_im2col}) {
    ASSERT_EQ(encode(a, &map_), CUDA_SUCCESS);
    CUtensorMap cleared = map_;
    reinterpret_cast<uint64_t*>(&cleared)[1] &= ~(uint64_t{1} << 21);
    EXPECT_EQ(std::memcmp(&cleared, &map_, sizeof cleared), 0);
  }
}

TEST_F(TensorMap, LiesAtAnyAddress) {
  alignas(64) char room[256];
  const arguments a;
  auto* const map = reinterpret_cast<CUtensorMap*>(room + 8);
  ASSERT_EQ(encode_tiled(a, map), CUDA_SUCCESS);
  std::memcpy(&map_, room + 8, sizeof map_);
  EXPECT_EQ(content().address, a.address);
}

TEST_F(TensorMap, WideColumnsNeedAnotherDevice) {
  const arguments a;
  EXPECT_EQ(
      cuTensorMapEncodeIm2colWide(&map_, a.type, a.rank, reinterpret_cast<void*>(a.address), a.sizes, a.strides, 0, 0,
                                  a.channels, a.pixels, a.steps, a.interleave, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W,
                                  CU_TENSOR_MAP_SWIZZLE_128B, a.promotion, a.fill),
      CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(TensorMap, DevicesHaveThem) {
  int value = 0;
  ASSERT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 0), CUDA_SUCCESS);
  EXPECT_EQ(value, 1);
}

TEST_F(TensorMap, HasAnEntryPoint) {
  void* function = nullptr;
  ASSERT_EQ(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, 0), cudaSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(cuTensorMapEncodeTiled));
}

}  // namespace
