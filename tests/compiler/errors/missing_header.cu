// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: missing_header.cu:3:10: fatal error: 'no_such_header.h' file not found
#include "no_such_header.h"
