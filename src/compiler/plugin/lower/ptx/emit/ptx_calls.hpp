// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library's functions for inline PTX (cudart_detail/device/ptx/functions.inc) as the plugin uses them.
#pragma once

#include <cstdint>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace cohort::ptx {

// A function, by its name in functions.inc; `none`: any other.
enum class ptx_call : uint8_t {
  none,
#define COHORT_PTX_CALL(result, name, parameters) name,

#include <cudart/cudart_detail/device/ptx/functions.inc>

};

// The function of that name.
ptx_call ptx_call_named(llvm::StringRef name);

// The declaration in `module`, added if it lacks one.
llvm::FunctionCallee declare(llvm::Module& module, ptx_call function);

}  // namespace cohort::ptx
