// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the engine's position functions: pure queries of a thread's position and of its block's memory.
#pragma once

#include <optional>
#include <vector>

#include "names.hpp"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
}  // namespace llvm

namespace cohort {

// The fields of the contexts that the position functions of machine/cpu/port/calls.inc read.
enum class context_value {
#define COHORT_POSITION_OF_AXIS(name, context, field) field,
#define COHORT_POSITION(result, name, context, field) field,
#include <cohort/machine/cpu/port/calls.inc>
  variable_delta  // bytes from compiled variables to the device's copies; only the plugin emits this call
};

struct context_function {
  llvm::StringLiteral name;
  context_value value;
};
inline constexpr context_function variable_delta = {names::variable_delta, context_value::variable_delta};
inline constexpr context_function context_functions[] = {
#define COHORT_POSITION_OF_AXIS(name, context, field) {#name, context_value::field},
#define COHORT_POSITION(result, name, context, field) {#name, context_value::field},
#include <cohort/machine/cpu/port/calls.inc>
    variable_delta};

// The value that `call` reads, if it calls a position function.
std::optional<context_value> read_by(const llvm::CallBase& call);
// All calls of position functions in `function`.
std::vector<llvm::CallInst*> context_calls(llvm::Function& function);

}  // namespace cohort
