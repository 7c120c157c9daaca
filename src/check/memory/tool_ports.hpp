// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only way from the checker to the engine and the runtime: the pages that both have for tools.
#pragma once

#include "engine/tools/tool_port.hpp"
#include "runtime/tools/tool_port.hpp"
