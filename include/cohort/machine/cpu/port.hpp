// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between code that runs as a CUDA thread on the CPU and the engine that runs it. The engine and kernels
// include this header; base/config.hpp lists the three ways in which kernels are compiled.
//
// The folder port/ has the border's two tables, from which everything else is made, also in the compiler plugin and the
// runtime: calls.inc lists the functions that a running thread calls, and contexts.inc, kernel.inc, host.inc and
// module.inc list the structures, field by field. port/check/ has the tables between instrumented code and the checker.
#pragma once

#include "port/host.hpp"
#include "port/kernel_calls.hpp"
