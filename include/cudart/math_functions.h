// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's name for the mathematical functions; here the device library is one.
#pragma once
#include "cudart_detail/device/library.h"
