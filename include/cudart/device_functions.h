// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's name for barriers, fences and the integer and warp intrinsics; here the device library is one.
#pragma once
#include "cudart_detail/device/library.h"
