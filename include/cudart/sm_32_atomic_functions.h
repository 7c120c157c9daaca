// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's name for atomic functions; here the device library is one.
#pragma once
#include "cudart_detail/device/library.h"
