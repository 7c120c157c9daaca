// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only access of the counters to the engine and the runtime: their interfaces for tools.
#pragma once

#include "engine/tools/tool_port.hpp"
#include "runtime/tools/tool_port.hpp"
