// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/access_check.hpp"

#include "check/check_calls.hpp"

#include "llvm/IR/IntrinsicInst.h"

namespace cohort {

llvm::StringRef name_of_callee(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
  return called ? called->getName() : llvm::StringRef();
}

std::optional<access_check> find_check(llvm::Instruction& instruction) {
  llvm::StringRef name = name_of_callee(instruction);
  if (!name.consume_front("__tsan_")) {
    return std::nullopt;
  }
  auto* const call = llvm::cast<llvm::CallInst>(&instruction);
  const bool unaligned = name.consume_front("unaligned_");
  const bool updates = name.consume_front("read_write");
  const bool writes = updates || name.consume_front("write");
  unsigned bytes = 0;
  if ((!writes && !name.consume_front("read")) || name.getAsInteger(10, bytes)) {
    return std::nullopt;
  }
  return access_check{call, call->getArgOperand(0), bytes, writes, updates, unaligned};
}

bool may_synchronise(const llvm::Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile()) {
    return true;
  }
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) {
    return false;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      intrinsic && intrinsic->isAssumeLikeIntrinsic()) {
    return false;
  }
  if (name_of_callee(instruction).starts_with("__tsan_") || examines_address(check_call_of(instruction))) {
    return false;
  }
  return call->isConvergent() || !call->doesNotAccessMemory();
}

bool is_range_check(const llvm::Instruction& instruction) {
  return name_of_callee(instruction).starts_with("__tsan_mem");
}

}  // namespace cohort
