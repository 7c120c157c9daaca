// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches through texture references and accesses through surface references: those of the object that is bound.
#pragma once

#include "../../api/texture_references.h"
#include "surface_functions.h"
#include "texture_functions.h"

template <class T, cudaTextureReadMode Mode>
struct cohort_fetched {
  using type = T;
  using gathered = typename cohort_texel_type<T>::gathered;
};
template <class T>
struct cohort_fetched<T, cudaReadModeNormalizedFloat> {
  using type = typename cohort_texel_type<T>::normalized;
  using gathered = float4;
};

// The object of a reference. `name`: the function that needs it.
COHORT_DEVICE_FUNCTION unsigned long long cohort_bound_object(const char* name, unsigned long long object) {
  if (object == 0) {
    cohort_fail(719, "%s: the reference is not bound on device %u; cudaBindTexture() and its neighbours bind it", name,
                cohort_device_index());  // cudaErrorLaunchFailure
  }
  return object;
}

// `result`: the member of cohort_fetched that the fetch returns. `A`: its coordinates.
#define COHORT_REFERENCE_FETCH(name, shape, result)                                                              \
  template <class T, cudaTextureReadMode Mode, class... A>                                                       \
  COHORT_DEVICE_FUNCTION typename cohort_fetched<T, Mode>::result name(                                          \
      const cohort_references::texture<T, cudaTextureType##shape, Mode>& ref, A... at) {                         \
    return name<typename cohort_fetched<T, Mode>::result>(cohort_bound_object(#name, ref.cohort_object), at...); \
  }
#define COHORT_REFERENCE_FETCHES(name, shape)    \
  COHORT_REFERENCE_FETCH(name, shape, type)      \
  COHORT_REFERENCE_FETCH(name##Lod, shape, type) \
  COHORT_REFERENCE_FETCH(name##Grad, shape, type)
COHORT_REFERENCE_FETCHES(tex1D, 1D)
COHORT_REFERENCE_FETCHES(tex2D, 2D)
COHORT_REFERENCE_FETCHES(tex3D, 3D)
COHORT_REFERENCE_FETCHES(tex1DLayered, 1DLayered)
COHORT_REFERENCE_FETCHES(tex2DLayered, 2DLayered)
COHORT_REFERENCE_FETCHES(texCubemap, Cubemap)
COHORT_REFERENCE_FETCHES(texCubemapLayered, CubemapLayered)
COHORT_REFERENCE_FETCH(tex1Dfetch, 1D, type)
COHORT_REFERENCE_FETCH(tex2Dgather, 2D, gathered)
#undef COHORT_REFERENCE_FETCHES
#undef COHORT_REFERENCE_FETCH

// `A`: the place, and the mode if it is not cudaBoundaryModeTrap.
#define COHORT_SURFACE_REFERENCE(shape) const cohort_references::surface<H, cudaSurfaceType##shape>&
#define COHORT_REFERENCE_ACCESSES(shape)                                                                \
  template <class T, class H, class... A>                                                               \
  COHORT_DEVICE_FUNCTION T surf##shape##read(COHORT_SURFACE_REFERENCE(shape) ref, A... at) {            \
    const unsigned long long object = cohort_bound_object("surf" #shape "read", ref.cohort_object);     \
    return surf##shape##read<T>(object, at...);                                                         \
  }                                                                                                     \
  template <class T, class H, class... A>                                                               \
  COHORT_DEVICE_FUNCTION void surf##shape##read(T* ptr, COHORT_SURFACE_REFERENCE(shape) ref, A... at) { \
    *ptr = surf##shape##read<T>(ref, at...);                                                            \
  }                                                                                                     \
  template <class T, class H, class... A>                                                               \
  COHORT_DEVICE_FUNCTION void surf##shape##write(T val, COHORT_SURFACE_REFERENCE(shape) ref, A... at) { \
    const unsigned long long object = cohort_bound_object("surf" #shape "write", ref.cohort_object);    \
    surf##shape##write<T>(val, object, at...);                                                          \
  }
COHORT_REFERENCE_ACCESSES(1D)
COHORT_REFERENCE_ACCESSES(2D)
COHORT_REFERENCE_ACCESSES(3D)
COHORT_REFERENCE_ACCESSES(1DLayered)
COHORT_REFERENCE_ACCESSES(2DLayered)
COHORT_REFERENCE_ACCESSES(Cubemap)
COHORT_REFERENCE_ACCESSES(CubemapLayered)
#undef COHORT_REFERENCE_ACCESSES
#undef COHORT_SURFACE_REFERENCE
