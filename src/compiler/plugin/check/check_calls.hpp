// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of machine/cpu/port/check/calls.inc as the plugin uses them, and calls of them.
#pragma once

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

// A function, by its name in check/calls.inc; `none`: any other.
enum class check_call : uint8_t {
  none,
#define COHORT_CHECK_CALL(kind, result, name, parameters) name,

#include <cohort/machine/cpu/port/check/calls.inc>

};

// The function that the instruction calls.
check_call check_call_of(const llvm::Instruction& instruction);

// True for functions that examine only the address, not the accesses of other threads.
bool examines_address(check_call function);

// The declaration in `module`, added if it lacks one.
llvm::FunctionCallee declare(llvm::Module& module, check_call function);

// Inserts a call at the source place of `near`; without a builder, before the instruction.
void call_checker(llvm::IRBuilder<>& builder, const llvm::Instruction& near, check_call function,
                  llvm::ArrayRef<llvm::Value*> arguments);
void call_checker(llvm::Instruction& instruction, check_call function, llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace cohort
