// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/array/texel_format.hpp"

namespace cohort::runtime {

namespace {

struct normalized_kind {
  cudaChannelFormatKind kind;
  texel_format format;
};

constexpr normalized_kind normalized_kinds[] = {
    {cudaChannelFormatKindUnsignedNormalized8X1, {cohort_channel_unsigned, 1, 1, true}},
    {cudaChannelFormatKindUnsignedNormalized8X2, {cohort_channel_unsigned, 2, 1, true}},
    {cudaChannelFormatKindUnsignedNormalized8X4, {cohort_channel_unsigned, 4, 1, true}},
    {cudaChannelFormatKindUnsignedNormalized16X1, {cohort_channel_unsigned, 1, 2, true}},
    {cudaChannelFormatKindUnsignedNormalized16X2, {cohort_channel_unsigned, 2, 2, true}},
    {cudaChannelFormatKindUnsignedNormalized16X4, {cohort_channel_unsigned, 4, 2, true}},
    {cudaChannelFormatKindSignedNormalized8X1, {cohort_channel_signed, 1, 1, true}},
    {cudaChannelFormatKindSignedNormalized8X2, {cohort_channel_signed, 2, 1, true}},
    {cudaChannelFormatKindSignedNormalized8X4, {cohort_channel_signed, 4, 1, true}},
    {cudaChannelFormatKindSignedNormalized16X1, {cohort_channel_signed, 1, 2, true}},
    {cudaChannelFormatKindSignedNormalized16X2, {cohort_channel_signed, 2, 2, true}},
    {cudaChannelFormatKindSignedNormalized16X4, {cohort_channel_signed, 4, 2, true}},
};

// The number of channels: 1, 2 or 4 of equal size, the others 0 bits; 0 for anything else.
unsigned channels_of(const cudaChannelFormatDesc& desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  unsigned count = 0;
  while (count < 4 && bits[count] == desc.x) ++count;
  for (unsigned c = count; c < 4; ++c) {
    if (bits[c] != 0) return 0;
  }
  return count == 3 ? 0 : count;
}

cudaError_t to_format_by_bits(const cudaChannelFormatDesc& desc, cohort_channel channel, texel_format* format) {
  const unsigned channels = channels_of(desc);
  const bool is_size = desc.x == 8 || desc.x == 16 || desc.x == 32;
  if (channels == 0 || !is_size || (channel == cohort_channel_float && desc.x == 8)) {
    return cudaErrorInvalidChannelDescriptor;
  }
  *format = {channel, channels, static_cast<unsigned>(desc.x) / 8, false};
  return cudaSuccess;
}

}  // namespace

cudaError_t to_texel_format(const cudaChannelFormatDesc& desc, texel_format* format) {
  switch (desc.f) {
    case cudaChannelFormatKindSigned:
      return to_format_by_bits(desc, cohort_channel_signed, format);
    case cudaChannelFormatKindUnsigned:
      return to_format_by_bits(desc, cohort_channel_unsigned, format);
    case cudaChannelFormatKindFloat:
      return to_format_by_bits(desc, cohort_channel_float, format);
    default:
      break;
  }
  for (const normalized_kind& known : normalized_kinds) {
    if (known.kind != desc.f) continue;
    *format = known.format;
    const bool is_consistent =
        channels_of(desc) == known.format.channels && static_cast<unsigned>(desc.x) == known.format.channel_bytes * 8;
    return is_consistent ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
  }
  const bool exists = desc.f == cudaChannelFormatKindNV12 || (desc.f >= cudaChannelFormatKindUnsignedBlockCompressed1 &&
                                                              desc.f <= cudaChannelFormatKindUnsignedNormalized1010102);
  return exists ? cudaErrorNotSupported : cudaErrorInvalidChannelDescriptor;
}

cudaError_t to_texel_format(cudaResourceViewFormat view, texel_format* format) {
  if (view >= cudaResViewFormatUnsignedBlockCompressed1 && view <= cudaResViewFormatUnsignedBlockCompressed7) {
    return cudaErrorNotSupported;
  }
  if (view < cudaResViewFormatUnsignedChar1 || view > cudaResViewFormatFloat4) return cudaErrorInvalidValue;
  // CUDA numbers the formats by kind and size, for each one with 1, 2 and 4 channels.
  struct kind_and_size {
    cohort_channel channel;
    unsigned bytes;
  };
  constexpr kind_and_size kinds[] = {{cohort_channel_unsigned, 1}, {cohort_channel_signed, 1},
                                     {cohort_channel_unsigned, 2}, {cohort_channel_signed, 2},
                                     {cohort_channel_unsigned, 4}, {cohort_channel_signed, 4},
                                     {cohort_channel_float, 2},    {cohort_channel_float, 4}};
  const auto number = static_cast<unsigned>(view - cudaResViewFormatUnsignedChar1);
  const kind_and_size& known = kinds[number / 3];
  *format = {known.channel, 1U << number % 3, known.bytes, false};
  return cudaSuccess;
}

}  // namespace cohort::runtime
