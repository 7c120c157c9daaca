// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuTensorMap: the driver's rules for tensor maps, and the map as the engine reads it. Where the driver (580, on an
// H100) and its documentation differ, the driver decides: it takes a map at any address, the address 0, and any swizzle
// beside an interleave of 32 bytes.
#include <cohort/machine/cpu/port/tensor_map.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cuda.h"
#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

constexpr unsigned type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};  // indexed by CUtensorMapDataType
static_assert(sizeof(type_bytes) / sizeof(type_bytes[0]) == cohort_tensor_types);
static_assert(int{CU_TENSOR_MAP_DATA_TYPE_FLOAT16} == cohort_tensor_f16 &&
              int{CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ} == cohort_tensor_tf32_ftz);

constexpr uint64_t most_elements = uint64_t{1} << 32, stride_end = uint64_t{1} << 40,
                   most_positions = uint64_t{1} << 31;
constexpr uint64_t most_shared_bytes = uint64_t{227} << 10;  // the most that a block of an H100 has
constexpr uint64_t address_end = uint64_t{1} << 57;
constexpr uint32_t most_of_a_box = 256, most_pixels = 1024, most_steps = 8;

// The arguments of both encodings.
struct map_arguments {
  CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  const void* address;
  const cuuint64_t* sizes;
  const cuuint64_t* strides;
  const cuuint32_t* steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

template <class Enumeration>
bool is_up_to(Enumeration value, Enumeration last) {
  return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
}

bool is_multiple(uint64_t value, uint64_t of) { return value % of == 0; }

uint64_t alignment_of(CUtensorMapInterleave interleave) { return interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16; }

bool is_right_address(uint64_t address, uint64_t alignment) {
  return address < address_end && is_multiple(address, alignment);
}

bool has_right_enumerators(const map_arguments& a) {
  // Packed types and other swizzle atoms need compute capability 10.0.
  if (!is_up_to(a.type, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)) return false;
  if (!is_up_to(a.interleave, CU_TENSOR_MAP_INTERLEAVE_32B)) return false;
  if (!is_up_to(a.swizzle, CU_TENSOR_MAP_SWIZZLE_128B)) return false;
  if (!is_up_to(a.promotion, CU_TENSOR_MAP_L2_PROMOTION_L2_256B)) return false;
  if (!is_up_to(a.fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)) return false;
  const bool is_float = a.type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  return a.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || is_float;
}

bool has_right_tensor(const map_arguments& a) {
  if (!a.map || !a.sizes || !a.steps) return false;
  if (!is_right_address(address_of(a.address), alignment_of(a.interleave))) return false;
  if (a.rank > 1 && !a.strides) return false;
  for (cuuint32_t i = 0; i < a.rank; ++i) {
    if (a.sizes[i] == 0 || a.sizes[i] > most_elements) return false;
    if (a.steps[i] == 0 || a.steps[i] > most_steps) return false;
  }
  for (cuuint32_t i = 0; i + 1 < a.rank; ++i) {
    if (a.strides[i] >= stride_end || !is_multiple(a.strides[i], alignment_of(a.interleave))) return false;
  }
  return true;
}

// A row of a box fits into the swizzle's span, unless the map interleaves.
bool has_right_row(const map_arguments& a, uint64_t elements) {
  if (elements == 0 || elements > most_of_a_box) return false;
  const uint64_t bytes = elements * type_bytes[a.type];
  if (!is_multiple(bytes, 16)) return false;
  return a.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || a.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ||
         bytes <= uint64_t{16} << a.swizzle;
}

cohort_tensor_map common_part(const map_arguments& a) {
  cohort_tensor_map m{};
  m.mark = COHORT_TENSOR_MAP_MARK;
  m.address = address_of(a.address);
  m.type = static_cast<uint8_t>(a.type);
  m.rank = static_cast<uint8_t>(a.rank);
  m.interleave = static_cast<uint8_t>(a.interleave);
  m.swizzle = static_cast<uint8_t>(a.swizzle);
  m.fill = static_cast<uint8_t>(a.fill);
  for (cuuint32_t i = 0; i < a.rank; ++i) {
    m.last[i] = static_cast<uint32_t>(a.sizes[i] - 1);
    m.steps[i] = static_cast<uint8_t>(a.steps[i]);
    if (i > 0) m.strides[i - 1] = a.strides[i - 1];
  }
  if (a.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE) m.steps[0] = 1;  // the hardware ignores the first step
  return m;
}

void store(CUtensorMap* map, const cohort_tensor_map& content) {
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &content, sizeof content);
}

CUresult encode_tiled(const map_arguments& a, const cuuint32_t* box) {
  const bool is_interleaved = a.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  if (a.rank < (is_interleaved ? 3 : 1) || a.rank > COHORT_TENSOR_RANKS) return CUDA_ERROR_INVALID_VALUE;
  if (!has_right_enumerators(a) || !has_right_tensor(a) || !box || !has_right_row(a, box[0])) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  cohort_tensor_map m = common_part(a);
  m.mode = cohort_tensor_tile;
  uint64_t bytes = type_bytes[a.type];
  for (cuuint32_t i = 0; i < a.rank; ++i) {
    if (box[i] == 0 || box[i] > most_of_a_box) return CUDA_ERROR_INVALID_VALUE;
    bytes *= box[i];
    m.box[i] = static_cast<uint16_t>(box[i]);
  }
  if (bytes > most_shared_bytes) return CUDA_ERROR_INVALID_VALUE;
  store(a.map, m);
  return CUDA_SUCCESS;
}

// True if the corners of the bounding box fit into 16, 8 or 5 bits (1, 2 or 3 dimensions) and the box is not empty.
bool has_right_corners(const map_arguments& a, const int* lower, const int* upper) {
  if (!lower || !upper) return false;
  const int dimensions = static_cast<int>(a.rank) - 2;
  const int bits[] = {16, 8, 5};
  const int end = 1 << (bits[dimensions - 1] - 1);
  for (int i = 0; i < dimensions; ++i) {
    if (lower[i] < -end || lower[i] >= end || upper[i] < -end || upper[i] >= end) return false;
    if (a.sizes[i + 1] >= most_positions) return false;
    if (static_cast<int64_t>(a.sizes[i + 1]) + upper[i] - lower[i] <= 0) return false;
  }
  return true;
}

CUresult encode_im2col(const map_arguments& a, const int* lower, const int* upper, cuuint32_t channels,
                       cuuint32_t pixels) {
  if (a.rank < 3 || a.rank > COHORT_TENSOR_RANKS) return CUDA_ERROR_INVALID_VALUE;
  if (!has_right_enumerators(a) || !has_right_tensor(a) || !has_right_row(a, channels)) return CUDA_ERROR_INVALID_VALUE;
  if (pixels == 0 || pixels > most_pixels || !has_right_corners(a, lower, upper)) return CUDA_ERROR_INVALID_VALUE;
  cohort_tensor_map m = common_part(a);
  m.mode = cohort_tensor_im2col;
  m.box[0] = static_cast<uint16_t>(channels);
  m.box[1] = static_cast<uint16_t>(pixels);
  for (cuuint32_t i = 0; i + 2 < a.rank; ++i) {
    m.lower[i] = static_cast<int16_t>(lower[i]);
    m.upper[i] = static_cast<int16_t>(upper[i]);
  }
  store(a.map, m);
  return CUDA_SUCCESS;
}

CUresult replace_address(CUtensorMap* map, const void* address) {
  if (!map) return CUDA_ERROR_INVALID_VALUE;
  cohort_tensor_map m;
  std::memcpy(&m, map, sizeof m);
  if (m.mark != COHORT_TENSOR_MAP_MARK || !is_right_address(address_of(address), 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  m.address = address_of(address);
  std::memcpy(map, &m, sizeof m);
  return CUDA_SUCCESS;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return ready_call([&] {
    return encode_tiled({map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill}, box);
  });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower, const int* upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return ready_call([&] {
    return encode_im2col({map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill}, lower,
                         upper, channels, pixels);
  });
}

CUresult cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                     const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                     CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return ready_call([] { return CUDA_ERROR_NOT_SUPPORTED; });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return ready_call([&] { return replace_address(map, address); });
}

}  // extern "C"
