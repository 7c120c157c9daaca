// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels: loads in each format, and the C++ types that a fetch returns.
#pragma once

#include <cohort/machine/cpu/port/texture.hpp>

#include "../../../vector_types.h"
#include "../bit_casts.h"
#include "../macros.h"
#include "../memory_access.h"

// The channels of a texel: integers of 32 bits, or the bits of floats, depending on the texture's format.
struct cohort_texel {
  unsigned int x, y, z, w;
};

// A type that textures and surfaces hold: its number of channels, its value from a texel, the floats of a normalized
// fetch, and the vector that tex2Dgather() returns.
template <class T>
struct cohort_texel_type {
  static_assert(sizeof(T) == 0, "textures hold 8-, 16- and 32-bit integers and float, and their vectors of 1, 2 and 4");
};

#define COHORT_TEXEL_TYPE(type, count, value, normalized_type, gathered_type) \
  template <>                                                                 \
  struct cohort_texel_type<type> {                                            \
    static constexpr int channels = count;                                    \
    using normalized = normalized_type;                                       \
    using gathered = gathered_type;                                           \
    COHORT_TEXEL_MEMBER static type from(cohort_texel t) { return value; }    \
  };
#define COHORT_TEXEL_MEMBER __attribute__((device, always_inline))
#define COHORT_TEXEL_TYPES(scalar, vector, cast)                                         \
  COHORT_TEXEL_TYPE(scalar, 1, cast(t.x), float, vector##4)                              \
  COHORT_TEXEL_TYPE(vector##1, 1, (vector##1 {cast(t.x)}), float1, vector##4)            \
  COHORT_TEXEL_TYPE(vector##2, 2, (vector##2 {cast(t.x), cast(t.y)}), float2, vector##4) \
  COHORT_TEXEL_TYPE(vector##4, 4, (vector##4 {cast(t.x), cast(t.y), cast(t.z), cast(t.w)}), float4, vector##4)
COHORT_TEXEL_TYPE(char, 1, static_cast<char>(t.x), float, char4)
COHORT_TEXEL_TYPES(signed char, char, static_cast<signed char>)
COHORT_TEXEL_TYPES(unsigned char, uchar, static_cast<unsigned char>)
COHORT_TEXEL_TYPES(short, short, static_cast<short>)
COHORT_TEXEL_TYPES(unsigned short, ushort, static_cast<unsigned short>)
COHORT_TEXEL_TYPES(int, int, static_cast<int>)
COHORT_TEXEL_TYPES(unsigned int, uint, static_cast<unsigned int>)
COHORT_TEXEL_TYPES(float, float, __uint_as_float)
#undef COHORT_TEXEL_TYPES
#undef COHORT_TEXEL_MEMBER
#undef COHORT_TEXEL_TYPE

template <int Bytes>
COHORT_DEVICE_FUNCTION typename cohort_memory_word<Bytes>::type cohort_load_word(const char* at) {
  return *reinterpret_cast<const typename cohort_memory_word<Bytes>::type*>(at);
}

// Loads a texel's bytes in as few loads as its size needs: only those of the first channel if the fetch returns one.
template <int Channels>
COHORT_DEVICE_FUNCTION cohort_texel cohort_load_bytes(const cohort_texture* texture, const char* at) {
  const int bytes = Channels == 1 ? texture->channel_bytes : texture->channel_bytes * texture->channels;
  if (bytes == 4) return {cohort_load_word<4>(at), 0, 0, 0};
  if (bytes == 1) return {cohort_load_word<1>(at), 0, 0, 0};
  if (bytes == 2) return {cohort_load_word<2>(at), 0, 0, 0};
  const unsigned long long low = cohort_load_word<8>(at);
  cohort_texel words{static_cast<unsigned int>(low), static_cast<unsigned int>(low >> 32), 0, 0};
  if (bytes == 16) {
    const unsigned long long high = cohort_load_word<8>(at + 8);
    words.z = static_cast<unsigned int>(high);
    words.w = static_cast<unsigned int>(high >> 32);
  }
  return words;
}

// One channel from its bits: a number of [0, 1] or [-1, 1] from a normalized format, an integer of 32 bits, or a float.
COHORT_DEVICE_FUNCTION unsigned int cohort_convert_channel(const cohort_texture* texture, unsigned int bits,
                                                           bool is_colour) {
#pragma clang fp reciprocal(off)
  const int unused = 32 - 8 * texture->channel_bytes;
  if (texture->channel == cohort_channel_float) {
    if (unused == 0) return bits;
    return __float_as_uint(static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(bits))));
  }
  const int extended = static_cast<int>(bits << unused) >> unused;
  const bool is_signed = texture->channel == cohort_channel_signed;
  if (!texture->is_float) return is_signed ? static_cast<unsigned int>(extended) : bits;
  if (texture->from_srgb && is_colour) return __float_as_uint(texture->from_srgb[bits & 255]);
  const float number = is_signed ? static_cast<float>(extended) : static_cast<float>(bits);
  return __float_as_uint(__builtin_fmaxf(number / texture->largest, -1.0f));
}

// Channels that the format lacks are 0, the fourth one too.
template <int Channels>
COHORT_DEVICE_FUNCTION cohort_texel cohort_load_texel(const cohort_texture* texture, const char* at) {
  const cohort_texel words = cohort_load_bytes<Channels>(texture, at);
  if (Channels == 1) return {cohort_convert_channel(texture, words.x, true), 0, 0, 0};
  const int bytes = texture->channel_bytes;
  const int channels = texture->channels;
  cohort_texel bits = words;
  if (bytes == 1) bits = {words.x & 255, words.x >> 8 & 255, words.x >> 16 & 255, words.x >> 24};
  if (bytes == 2) bits = {words.x & 65535, words.x >> 16, words.y & 65535, words.y >> 16};
  cohort_texel texel{cohort_convert_channel(texture, bits.x, true), 0, 0, 0};
  if (channels > 1) texel.y = cohort_convert_channel(texture, bits.y, true);
  if (Channels == 4 && channels == 4) {
    texel.z = cohort_convert_channel(texture, bits.z, true);
    texel.w = cohort_convert_channel(texture, bits.w, false);
  }
  return texel;
}
