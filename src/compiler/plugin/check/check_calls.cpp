// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/check_calls.hpp"

#include "analysis/port_calls.hpp"
#include "analysis/port_tables.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

enum class check_call_kind : uint8_t { none, address, other };

struct check_function {
  llvm::StringLiteral name;
  check_call_kind kind;
  llvm::FunctionType* (*type)(llvm::LLVMContext&);
};

constexpr check_function rows[] = {
    {"", check_call_kind::none, nullptr},
#define COHORT_CHECK_CALL(kind, result, name, parameters) \
  {#name, check_call_kind::kind, ir_function_type<result parameters>},

#include <cohort/machine/cpu/port/check/calls.inc>

};

const function_table<check_call, check_function>& functions() {
  static const function_table<check_call, check_function> table(rows);
  return table;
}

}  // namespace

check_call check_call_of(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::StringRef name = call ? called_name(*call) : "";
  return is_of_cohort(name) ? functions().named(name) : check_call::none;
}

bool examines_address(check_call function) { return functions()[function].kind == check_call_kind::address; }

llvm::FunctionCallee declare(llvm::Module& module, check_call function) {
  return functions().declare(module, function);
}

void call_checker(llvm::IRBuilder<>& builder, const llvm::Instruction& near, check_call function,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  auto* inserted = builder.CreateCall(declare(*builder.GetInsertBlock()->getModule(), function), arguments);
  // The checker identifies the place by the return address, so two calls must not become one.
  inserted->addFnAttr(llvm::Attribute::NoMerge);
  inserted->setDebugLoc(near.getDebugLoc());
  // A call in a function with debug information needs a location, or the verifier refuses it.
  if (llvm::DISubprogram* around = near.getFunction()->getSubprogram(); around && !inserted->getDebugLoc()) {
    inserted->setDebugLoc(llvm::DILocation::get(near.getContext(), 0, 0, around));
  }
}

void call_checker(llvm::Instruction& instruction, check_call function, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<> builder(&instruction);
  call_checker(builder, instruction, function, arguments);
}

}  // namespace cohort
