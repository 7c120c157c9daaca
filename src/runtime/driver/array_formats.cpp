// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/array_formats.hpp"

namespace cohort::runtime {

namespace {

struct known_format {
  CUarray_format format;
  cudaChannelFormatKind kind;
  int bits;
  unsigned channels;  // channels of a normalized format; 0: as many as the program gives
};

constexpr known_format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32, 0},
    {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8, 0},
    {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16, 0},
    {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32, 0},
    {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16, 0},
    {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, cudaChannelFormatKindUnsignedNormalized8X1, 8, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, cudaChannelFormatKindUnsignedNormalized8X2, 8, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, cudaChannelFormatKindUnsignedNormalized8X4, 8, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, cudaChannelFormatKindUnsignedNormalized16X1, 16, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, cudaChannelFormatKindUnsignedNormalized16X2, 16, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, cudaChannelFormatKindUnsignedNormalized16X4, 16, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, cudaChannelFormatKindSignedNormalized8X1, 8, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, cudaChannelFormatKindSignedNormalized8X2, 8, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, cudaChannelFormatKindSignedNormalized8X4, 8, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, cudaChannelFormatKindSignedNormalized16X1, 16, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, cudaChannelFormatKindSignedNormalized16X2, 16, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, cudaChannelFormatKindSignedNormalized16X4, 16, 4},
};

bool is_unsupported(CUarray_format format) {
  return format == CU_AD_FORMAT_UNORM_INT_101010_2 ||
         (format >= CU_AD_FORMAT_BC1_UNORM && format <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar);
}

}  // namespace

CUresult to_channels(CUarray_format format, unsigned channels, cudaChannelFormatDesc* made) {
  for (const known_format& known : formats) {
    if (known.format != format) continue;
    const bool is_count = channels == 1 || channels == 2 || channels == 4;
    if (!is_count || (known.channels != 0 && known.channels != channels)) return CUDA_ERROR_INVALID_VALUE;
    *made = {known.bits, channels > 1 ? known.bits : 0, channels > 2 ? known.bits : 0, channels > 2 ? known.bits : 0,
             known.kind};
    return CUDA_SUCCESS;
  }
  return is_unsupported(format) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUarray_format to_format(const cudaChannelFormatDesc& desc, unsigned* channels) {
  *channels = desc.z ? 4 : desc.y ? 2 : 1;
  for (const known_format& known : formats) {
    if (known.kind == desc.f && known.bits == desc.x) return known.format;
  }
  return CU_AD_FORMAT_MAX;
}

}  // namespace cohort::runtime
