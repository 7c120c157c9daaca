// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of surfaces.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "driver_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

typedef unsigned long long cudaSurfaceObject_t;

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2,
};

enum cudaSurfaceFormatMode {
  cudaFormatModeForced = 0,
  cudaFormatModeAuto = 1,
};

// The part of surface<> of CUDA 11 that does not depend on its shape.
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
  cudaSurfaceObject_t cohort_object;  // in a device's copy of the reference: the bound object
};

#include <cohort/base/user_macros/on.hpp>
