// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaCreateChannelDesc<T>(): the channel formats of C++ types and of the normalized kinds. Block-compressed, packed
// and planar kinds have no specialization: a source that uses one does not compile.
#pragma once

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime_api.h"

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

// The empty format: the default, for types that no texture can hold.
template <class T>
constexpr cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
template <cudaChannelFormatKind kind>
constexpr cudaChannelFormatDesc cudaCreateChannelDesc();

#define COHORT_CHANNEL_DESC(type, kind, x, y, z, w)               \
  template <>                                                     \
  constexpr cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return {x, y, z, w, cudaChannelFormatKind##kind};             \
  }
#define COHORT_CHANNEL_DESCS(scalar, vector, kind, bits) \
  COHORT_CHANNEL_DESC(scalar, kind, bits, 0, 0, 0)       \
  COHORT_CHANNEL_DESC(vector##1, kind, bits, 0, 0, 0)    \
  COHORT_CHANNEL_DESC(vector##2, kind, bits, bits, 0, 0) \
  COHORT_CHANNEL_DESC(vector##4, kind, bits, bits, bits, bits)
COHORT_CHANNEL_DESC(char, Signed, 8, 0, 0, 0)
COHORT_CHANNEL_DESCS(signed char, char, Signed, 8)
COHORT_CHANNEL_DESCS(unsigned char, uchar, Unsigned, 8)
COHORT_CHANNEL_DESCS(short, short, Signed, 16)
COHORT_CHANNEL_DESCS(unsigned short, ushort, Unsigned, 16)
COHORT_CHANNEL_DESCS(int, int, Signed, 32)
COHORT_CHANNEL_DESCS(unsigned int, uint, Unsigned, 32)
COHORT_CHANNEL_DESCS(float, float, Float, 32)
#define COHORT_NORMALIZED_DESCS(name, bits)                                                    \
  COHORT_CHANNEL_DESC(cudaChannelFormatKind##name##bits##X1, name##bits##X1, bits, 0, 0, 0)    \
  COHORT_CHANNEL_DESC(cudaChannelFormatKind##name##bits##X2, name##bits##X2, bits, bits, 0, 0) \
  COHORT_CHANNEL_DESC(cudaChannelFormatKind##name##bits##X4, name##bits##X4, bits, bits, bits, bits)
COHORT_NORMALIZED_DESCS(SignedNormalized, 8)
COHORT_NORMALIZED_DESCS(SignedNormalized, 16)
COHORT_NORMALIZED_DESCS(UnsignedNormalized, 8)
COHORT_NORMALIZED_DESCS(UnsignedNormalized, 16)
#undef COHORT_NORMALIZED_DESCS
#undef COHORT_CHANNEL_DESCS
#undef COHORT_CHANNEL_DESC

#include <cohort/base/user_macros/on.hpp>

#endif
