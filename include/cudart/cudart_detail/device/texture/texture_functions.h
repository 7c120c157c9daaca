// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches through texture objects: tex1D() and its neighbours. Each has two forms: one returns the value, the other
// stores it through its first parameter. The forms that report residency report true: there are no sparse arrays.
#pragma once

#include "../../../texture_types.h"
#include "cubemap.h"
#include "sample.h"

#define COHORT_LIST(...) __VA_ARGS__
// `sampled` uses `Channels` and `texture`.
#define COHORT_TEXTURE_FUNCTION(name, parameters, arguments, sampled)             \
  template <class T>                                                              \
  COHORT_DEVICE_FUNCTION T name(cudaTextureObject_t texObject, parameters) {      \
    constexpr int Channels = cohort_texel_type<T>::channels;                      \
    const cohort_texture* const texture = cohort_texture_of(texObject);           \
    return cohort_texel_type<T>::from(sampled);                                   \
  }                                                                               \
  template <class T>                                                              \
  COHORT_DEVICE_FUNCTION void name(T* ptr, cudaTextureObject_t obj, parameters) { \
    *ptr = name<T>(obj, arguments);                                               \
  }

COHORT_TEXTURE_FUNCTION(tex1D, COHORT_LIST(float x), COHORT_LIST(x),
                        (cohort_sample_first<Channels, 1>(texture, {x, 0, 0}, 0)))
COHORT_TEXTURE_FUNCTION(tex2D, COHORT_LIST(float x, float y), COHORT_LIST(x, y),
                        (cohort_sample_first<Channels, 2>(texture, {x, y, 0}, 0)))
COHORT_TEXTURE_FUNCTION(tex3D, COHORT_LIST(float x, float y, float z), COHORT_LIST(x, y, z),
                        (cohort_sample_first<Channels, 3>(texture, {x, y, z}, 0)))
COHORT_TEXTURE_FUNCTION(tex1DLayered, COHORT_LIST(float x, int layer), COHORT_LIST(x, layer),
                        (cohort_sample_first<Channels, 1>(texture, {x, 0, 0}, layer)))
COHORT_TEXTURE_FUNCTION(tex2DLayered, COHORT_LIST(float x, float y, int layer), COHORT_LIST(x, y, layer),
                        (cohort_sample_first<Channels, 2>(texture, {x, y, 0}, layer)))

COHORT_TEXTURE_FUNCTION(tex1DLod, COHORT_LIST(float x, float level), COHORT_LIST(x, level),
                        (cohort_sample_levels<Channels, 1>(texture, {x, 0, 0}, 0, level)))
COHORT_TEXTURE_FUNCTION(tex2DLod, COHORT_LIST(float x, float y, float level), COHORT_LIST(x, y, level),
                        (cohort_sample_levels<Channels, 2>(texture, {x, y, 0}, 0, level)))
COHORT_TEXTURE_FUNCTION(tex3DLod, COHORT_LIST(float x, float y, float z, float level), COHORT_LIST(x, y, z, level),
                        (cohort_sample_levels<Channels, 3>(texture, {x, y, z}, 0, level)))
COHORT_TEXTURE_FUNCTION(tex1DLayeredLod, COHORT_LIST(float x, int layer, float level), COHORT_LIST(x, layer, level),
                        (cohort_sample_levels<Channels, 1>(texture, {x, 0, 0}, layer, level)))
COHORT_TEXTURE_FUNCTION(tex2DLayeredLod, COHORT_LIST(float x, float y, int layer, float level),
                        COHORT_LIST(x, y, layer, level),
                        (cohort_sample_levels<Channels, 2>(texture, {x, y, 0}, layer, level)))

COHORT_TEXTURE_FUNCTION(tex1DGrad, COHORT_LIST(float x, float dPdx, float dPdy), COHORT_LIST(x, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 1>(texture, {x, 0, 0}, 0, {dPdx, 0, 0}, {dPdy, 0, 0})))
COHORT_TEXTURE_FUNCTION(tex2DGrad, COHORT_LIST(float x, float y, float2 dPdx, float2 dPdy),
                        COHORT_LIST(x, y, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 2>(texture, {x, y, 0}, 0, {dPdx.x, dPdx.y, 0},
                                                         {dPdy.x, dPdy.y, 0})))
COHORT_TEXTURE_FUNCTION(tex3DGrad, COHORT_LIST(float x, float y, float z, float4 dPdx, float4 dPdy),
                        COHORT_LIST(x, y, z, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 3>(texture, {x, y, z}, 0, {dPdx.x, dPdx.y, dPdx.z},
                                                         {dPdy.x, dPdy.y, dPdy.z})))
COHORT_TEXTURE_FUNCTION(tex1DLayeredGrad, COHORT_LIST(float x, int layer, float dPdx, float dPdy),
                        COHORT_LIST(x, layer, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 1>(texture, {x, 0, 0}, layer, {dPdx, 0, 0}, {dPdy, 0, 0})))
COHORT_TEXTURE_FUNCTION(tex2DLayeredGrad, COHORT_LIST(float x, float y, int layer, float2 dPdx, float2 dPdy),
                        COHORT_LIST(x, y, layer, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 2>(texture, {x, y, 0}, layer, {dPdx.x, dPdx.y, 0},
                                                         {dPdy.x, dPdy.y, 0})))
#undef COHORT_TEXTURE_FUNCTION

// Cubemaps: `sampled` uses `face`, too.
#define COHORT_CUBEMAP_FUNCTION(name, parameters, arguments, sampled)                                       \
  template <class T>                                                                                        \
  COHORT_DEVICE_FUNCTION T name(cudaTextureObject_t texObject, float x, float y, float z parameters) {      \
    constexpr int Channels = cohort_texel_type<T>::channels;                                                \
    const cohort_texture* const texture = cohort_texture_of(texObject);                                     \
    const cohort_face face = cohort_face_at(x, y, z);                                                       \
    return cohort_texel_type<T>::from(sampled);                                                             \
  }                                                                                                         \
  template <class T>                                                                                        \
  COHORT_DEVICE_FUNCTION void name(T* ptr, cudaTextureObject_t obj, float x, float y, float z parameters) { \
    *ptr = name<T>(obj, x, y, z arguments);                                                                 \
  }

COHORT_CUBEMAP_FUNCTION(texCubemap, , , (cohort_sample_first<Channels, 2>(texture, face.at, face.number)))
COHORT_CUBEMAP_FUNCTION(texCubemapLod, COHORT_LIST(, float level), COHORT_LIST(, level),
                        (cohort_sample_levels<Channels, 2>(texture, face.at, face.number, level)))
COHORT_CUBEMAP_FUNCTION(texCubemapGrad, COHORT_LIST(, float4 dPdx, float4 dPdy), COHORT_LIST(, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 2>(texture, face.at, face.number, cohort_on_face(face, dPdx),
                                                         cohort_on_face(face, dPdy))))
COHORT_CUBEMAP_FUNCTION(texCubemapLayered, COHORT_LIST(, int layer), COHORT_LIST(, layer),
                        (cohort_sample_first<Channels, 2>(texture, face.at,
                                                          cohort_layer_of(texture, layer, face.number))))
COHORT_CUBEMAP_FUNCTION(texCubemapLayeredLod, COHORT_LIST(, int layer, float level), COHORT_LIST(, layer, level),
                        (cohort_sample_levels<Channels, 2>(texture, face.at,
                                                           cohort_layer_of(texture, layer, face.number), level)))
COHORT_CUBEMAP_FUNCTION(texCubemapLayeredGrad, COHORT_LIST(, int layer, float4 dPdx, float4 dPdy),
                        COHORT_LIST(, layer, dPdx, dPdy),
                        (cohort_sample_grad<Channels, 2>(texture, face.at, cohort_layer_of(texture, layer, face.number),
                                                         cohort_on_face(face, dPdx), cohort_on_face(face, dPdy))))
#undef COHORT_CUBEMAP_FUNCTION

// Fetches by the number of a texel from linear memory. A number outside of the texture gives 0.
template <class T>
COHORT_DEVICE_FUNCTION T tex1Dfetch(cudaTextureObject_t texObject, int x) {
  const cohort_texture* const texture = cohort_texture_of(texObject);
  const cohort_image_level& level = texture->levels[0];
  if (x < 0 || x >= level.width) return cohort_texel_type<T>::from({0, 0, 0, 0});
  return cohort_texel_type<T>::from(
      cohort_texel_at<cohort_texel_type<T>::channels, 1>(texture, level, level.first, x, 0, 0));
}
template <class T>
COHORT_DEVICE_FUNCTION void tex1Dfetch(T* ptr, cudaTextureObject_t obj, int x) {
  *ptr = tex1Dfetch<T>(obj, x);
}

// Channel `comp` of the four texels that bilinear filtering at the place uses, counter-clockwise from the lower left
// one (PTX ISA, tld4). Normalized integers have the 16 bits of a filter. Mirrored places count in the direction of the
// coordinate.
template <class T>
COHORT_DEVICE_FUNCTION T tex2Dgather(cudaTextureObject_t to, float x, float y, int comp = 0) {
#pragma clang fp reciprocal(off)
  static_assert(cohort_texel_type<T>::channels == 4, "tex2Dgather() returns a vector of four");
  const cohort_texture* const texture = cohort_texture_of(to);
  const cohort_image_level& level = texture->levels[0];
  const bool is_normalized = texture->is_normalized;
  const cohort_taps i = cohort_taps_at(x, level.width, texture->address[0], is_normalized);
  const cohort_taps j = cohort_taps_at(y, level.height, texture->address[1], is_normalized);
  const float steps = comp < 3 && texture->from_srgb ? 0.0f : texture->filter_steps;
  cohort_texel gathered{0, 0, 0, 0};
#pragma clang loop unroll(disable) vectorize(disable)
  for (int corner = 0; corner < 4; ++corner) {
    const int at_x = corner == 1 || corner == 2 ? i.right : i.left;
    const int at_y = corner < 2 ? j.right : j.left;
    const cohort_texel texel = cohort_texel_at<4, 2>(texture, level, level.first, at_x, at_y, 0);
    unsigned int value = comp == 0 ? texel.x : comp == 1 ? texel.y : comp == 2 ? texel.z : texel.w;
    if (steps != 0.0f) value = __float_as_uint(__builtin_rintf(__uint_as_float(value) * steps) / steps);
    if (corner == 0) gathered.x = value;
    if (corner == 1) gathered.y = value;
    if (corner == 2) gathered.z = value;
    if (corner == 3) gathered.w = value;
  }
  return cohort_texel_type<T>::from(gathered);
}
template <class T>
COHORT_DEVICE_FUNCTION void tex2Dgather(T* ptr, cudaTextureObject_t obj, float x, float y, int comp = 0) {
  *ptr = tex2Dgather<T>(obj, x, y, comp);
}

// Fetches that report whether their texels are resident.
#define COHORT_RESIDENT_FUNCTION(name, parameters, arguments)                                       \
  template <class T>                                                                                \
  COHORT_DEVICE_FUNCTION T name(cudaTextureObject_t texObject, parameters, bool* isResident) {      \
    *isResident = true;                                                                             \
    return name<T>(texObject, arguments);                                                           \
  }                                                                                                 \
  template <class T>                                                                                \
  COHORT_DEVICE_FUNCTION void name(T* ptr, cudaTextureObject_t obj, parameters, bool* isResident) { \
    *ptr = name<T>(obj, arguments, isResident);                                                     \
  }

COHORT_RESIDENT_FUNCTION(tex2D, COHORT_LIST(float x, float y), COHORT_LIST(x, y))
COHORT_RESIDENT_FUNCTION(tex3D, COHORT_LIST(float x, float y, float z), COHORT_LIST(x, y, z))
COHORT_RESIDENT_FUNCTION(tex2DLayered, COHORT_LIST(float x, float y, int layer), COHORT_LIST(x, y, layer))
COHORT_RESIDENT_FUNCTION(tex2DLod, COHORT_LIST(float x, float y, float level), COHORT_LIST(x, y, level))
COHORT_RESIDENT_FUNCTION(tex3DLod, COHORT_LIST(float x, float y, float z, float level), COHORT_LIST(x, y, z, level))
COHORT_RESIDENT_FUNCTION(tex2DLayeredLod, COHORT_LIST(float x, float y, int layer, float level),
                         COHORT_LIST(x, y, layer, level))
COHORT_RESIDENT_FUNCTION(tex2DGrad, COHORT_LIST(float x, float y, float2 dPdx, float2 dPdy),
                         COHORT_LIST(x, y, dPdx, dPdy))
COHORT_RESIDENT_FUNCTION(tex3DGrad, COHORT_LIST(float x, float y, float z, float4 dPdx, float4 dPdy),
                         COHORT_LIST(x, y, z, dPdx, dPdy))
COHORT_RESIDENT_FUNCTION(tex2DLayeredGrad, COHORT_LIST(float x, float y, int layer, float2 dPdx, float2 dPdy),
                         COHORT_LIST(x, y, layer, dPdx, dPdy))
#undef COHORT_RESIDENT_FUNCTION
#undef COHORT_LIST

template <class T>
COHORT_DEVICE_FUNCTION T tex2Dgather(cudaTextureObject_t to, float x, float y, bool* isResident, int comp = 0) {
  *isResident = true;
  return tex2Dgather<T>(to, x, y, comp);
}
template <class T>
COHORT_DEVICE_FUNCTION void tex2Dgather(T* ptr, cudaTextureObject_t obj, float x, float y, bool* isResident,
                                        int comp = 0) {
  *ptr = tex2Dgather<T>(obj, x, y, isResident, comp);
}
