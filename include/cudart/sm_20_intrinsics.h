// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's name for intrinsics that came with one architecture; here the device library is one.
#pragma once
#include "cudart_detail/device/library.h"
