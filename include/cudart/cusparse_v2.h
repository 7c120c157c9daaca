/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The name of cuSPARSE's header in old programs. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cusparse.h"

#include <cohort/base/user_macros/on.hpp>
