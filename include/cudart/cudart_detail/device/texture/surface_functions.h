// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses through surface objects: surf1Dread() and its neighbours. `x` counts bytes. Reads have two forms: one
// returns the value, the other stores it through its first parameter.
#pragma once

#include <cohort/machine/cpu/port.hpp>

#include "../../../surface_types.h"
#include "../../../vector_types.h"
#include "../macros.h"

#include <cohort/machine/cpu/port/texture.hpp>

// A type that surfaces hold.
template <class T>
struct cohort_surface_type {
  static_assert(sizeof(T) == 0, "surfaces hold 8- to 64-bit integers and float, and their vectors of up to 16 bytes");
};
#define COHORT_SURFACE_TYPE(type) \
  template <>                     \
  struct cohort_surface_type<type> {};
#define COHORT_SURFACE_TYPES(scalar, vector) \
  COHORT_SURFACE_TYPE(scalar)                \
  COHORT_SURFACE_TYPE(vector##1)             \
  COHORT_SURFACE_TYPE(vector##2)             \
  COHORT_SURFACE_TYPE(vector##4)
COHORT_SURFACE_TYPE(char)
COHORT_SURFACE_TYPES(signed char, char)
COHORT_SURFACE_TYPES(unsigned char, uchar)
COHORT_SURFACE_TYPES(short, short)
COHORT_SURFACE_TYPES(unsigned short, ushort)
COHORT_SURFACE_TYPES(int, int)
COHORT_SURFACE_TYPES(unsigned int, uint)
COHORT_SURFACE_TYPES(float, float)
COHORT_SURFACE_TYPE(long long)
COHORT_SURFACE_TYPE(longlong1)
COHORT_SURFACE_TYPE(longlong2)
COHORT_SURFACE_TYPE(unsigned long long)
COHORT_SURFACE_TYPE(ulonglong1)
COHORT_SURFACE_TYPE(ulonglong2)
#undef COHORT_SURFACE_TYPES
#undef COHORT_SURFACE_TYPE

COHORT_DEVICE_FUNCTION int cohort_clamp_index(int index, int size) {
  return index < 0 ? 0 : index >= size ? size - 1 : index;
}

// The place of a value of `bytes` bytes; null if it lies outside and the mode drops the access. An address that is no
// multiple of the size ends the launch, and so does a place outside under cudaBoundaryModeTrap.
COHORT_DEVICE_FUNCTION char* cohort_surface_place(const char* name, cudaSurfaceObject_t object, int bytes, int x, int y,
                                                  int z, cudaSurfaceBoundaryMode mode) {
  const cohort_image_level& level = reinterpret_cast<const cohort_surface*>(object)->level;
  const int row = level.width * reinterpret_cast<const cohort_surface*>(object)->texel_bytes;
  if (x % bytes != 0) {
    cohort_fail(716, "%s: x is byte %d, which is no multiple of the %d bytes of the value", name, x,
                bytes);  // cudaErrorMisalignedAddress
  }
  const bool is_inside = x >= 0 && x <= row - bytes && static_cast<unsigned>(y) < static_cast<unsigned>(level.height) &&
                         static_cast<unsigned>(z) < static_cast<unsigned>(level.depth);
  if (!is_inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap) {
      cohort_fail(719,
                  "%s of %d bytes at byte %d, row %d, slice %d: the surface has %d bytes in a row, %d rows, %d slices; "
                  "cudaBoundaryModeZero and cudaBoundaryModeClamp permit places outside",
                  name, bytes, x, y, z, row, level.height, level.depth);  // cudaErrorLaunchFailure
    }
    x = cohort_clamp_index(x / bytes - (x < 0), row / bytes) * bytes;
    y = cohort_clamp_index(y, level.height);
    z = cohort_clamp_index(z, level.depth);
  }
  return level.first + static_cast<unsigned long long>(z) * level.slice +
         static_cast<unsigned long long>(y) * level.pitch + static_cast<unsigned long long>(x);
}

template <class T>
COHORT_DEVICE_FUNCTION T cohort_read_surface(const char* name, cudaSurfaceObject_t object, int x, int y, int z,
                                             cudaSurfaceBoundaryMode mode) {
  (void)sizeof(cohort_surface_type<T>);
  const char* const place = cohort_surface_place(name, object, sizeof(T), x, y, z, mode);
  return place ? *reinterpret_cast<const T*>(place) : T();
}

template <class T>
COHORT_DEVICE_FUNCTION void cohort_write_surface(const char* name, T value, cudaSurfaceObject_t object, int x, int y,
                                                 int z, cudaSurfaceBoundaryMode mode) {
  (void)sizeof(cohort_surface_type<T>);
  if (char* const place = cohort_surface_place(name, object, sizeof(T), x, y, z, mode)) {
    *reinterpret_cast<T*>(place) = value;
  }
}

#define COHORT_LIST(...) __VA_ARGS__
// `y` and `z`: row and slice.
#define COHORT_SURFACE_FUNCTIONS(shape, parameters, arguments, y, z)                                        \
  template <class T>                                                                                        \
  COHORT_DEVICE_FUNCTION T surf##shape##read(cudaSurfaceObject_t surfObject, parameters,                    \
                                             cudaSurfaceBoundaryMode boundaryMode = cudaBoundaryModeTrap) { \
    return cohort_read_surface<T>("surf" #shape "read", surfObject, x, y, z, boundaryMode);                 \
  }                                                                                                         \
  template <class T>                                                                                        \
  COHORT_DEVICE_FUNCTION void surf##shape##read(T* ptr, cudaSurfaceObject_t obj, parameters,                \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    *ptr = surf##shape##read<T>(obj, arguments, mode);                                                      \
  }                                                                                                         \
  template <class T>                                                                                        \
  COHORT_DEVICE_FUNCTION void surf##shape##write(T val, cudaSurfaceObject_t obj, parameters,                \
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    cohort_write_surface<T>("surf" #shape "write", val, obj, x, y, z, mode);                                \
  }
COHORT_SURFACE_FUNCTIONS(1D, COHORT_LIST(int x), COHORT_LIST(x), 0, 0)
COHORT_SURFACE_FUNCTIONS(2D, COHORT_LIST(int x, int y), COHORT_LIST(x, y), y, 0)
COHORT_SURFACE_FUNCTIONS(3D, COHORT_LIST(int x, int y, int z), COHORT_LIST(x, y, z), y, z)
COHORT_SURFACE_FUNCTIONS(1DLayered, COHORT_LIST(int x, int layer), COHORT_LIST(x, layer), 0, layer)
COHORT_SURFACE_FUNCTIONS(2DLayered, COHORT_LIST(int x, int y, int layer), COHORT_LIST(x, y, layer), y, layer)
COHORT_SURFACE_FUNCTIONS(Cubemap, COHORT_LIST(int x, int y, int face), COHORT_LIST(x, y, face), y, face)
COHORT_SURFACE_FUNCTIONS(CubemapLayered, COHORT_LIST(int x, int y, int layerFace), COHORT_LIST(x, y, layerFace), y,
                         layerFace)
#undef COHORT_SURFACE_FUNCTIONS
#undef COHORT_LIST
