// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The faces of cubemaps (CUDA programming guide, "Cubemap Textures").
#pragma once

#include "sample.h"

// The face that a direction meets, and the coordinates there, from 0 to 1. If components are equal, the later axis
// counts.
struct cohort_face {
  int number;
  cohort_coordinates at;
  float longest;  // the component across the face
};

COHORT_DEVICE_FUNCTION cohort_face cohort_face_at(float x, float y, float z) {
#pragma clang fp contract(off) reciprocal(off)
  const float across_x = __builtin_fabsf(x), across_y = __builtin_fabsf(y), across_z = __builtin_fabsf(z);
  const bool is_z = across_z >= across_x && across_z >= across_y;
  const bool is_y = !is_z && across_y >= across_x;
  const float longest = is_z ? across_z : is_y ? across_y : across_x;
  const bool is_negative = (is_z ? z : is_y ? y : x) < 0.0f;
  const int axis = is_z ? 4 : is_y ? 2 : 0;
  float s = x, t = -y;  // coordinates on the face +z
  if (is_z) s = is_negative ? -x : x;
  if (is_y) t = is_negative ? -z : z;
  if (axis == 0) s = is_negative ? z : -z;
  return {axis + (is_negative ? 1 : 0), {(s / longest + 1.0f) * 0.5f, (t / longest + 1.0f) * 0.5f, 0.0f}, longest};
}

// The derivatives of a direction, as derivatives on a face: those of its two coordinates there, the direction's length
// across the face held constant.
COHORT_DEVICE_FUNCTION cohort_coordinates cohort_on_face(const cohort_face& face, float4 by) {
#pragma clang fp contract(off) reciprocal(off)
  const int axis = face.number >> 1;
  const float s = axis == 0 ? by.z : by.x;
  const float t = axis == 1 ? by.z : by.y;
  const float unit = 0.5f / face.longest;
  return {s * unit, t * unit, 0.0f};
}

// The number of a face of a layered cubemap.
COHORT_DEVICE_FUNCTION int cohort_layer_of(const cohort_texture* texture, int layer, int face) {
  return cohort_layer_at(layer, texture->levels[0].depth / 6) * 6 + face;
}
