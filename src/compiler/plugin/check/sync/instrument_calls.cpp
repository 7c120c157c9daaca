// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: a frame around each call of a function that may wait for other threads. The frames of a thread
// record the calls through which it reached a wait, as the numbers of waits do for inlined calls.
#include "check/sync/instrument_sync.hpp"

#include "analysis/port_records.hpp"
#include "check/check_calls.hpp"
#include "check/sync/wait_calls.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

using function_set = llvm::SmallPtrSet<const llvm::Function*, 32>;

// True if the callee may wait. Functions of other files have the suffix that rename_symbols() adds; all other
// declarations are the engine's, the checker's or the C library's.
bool may_wait(const llvm::CallInst& call, const function_set& waiting) {
  if (call.isInlineAsm()) {
    return false;
  }
  const llvm::Function* const called = call.getCalledFunction();
  return !called || waiting.contains(called) || (called->isDeclaration() && called->getName().ends_with(".device"));
}

bool may_wait(const llvm::Function& function, const function_set& waiting) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && (wait_of(*call) != port_call::none || may_wait(*call, waiting));
  });
}

function_set functions_that_wait(const llvm::Module& module) {
  function_set waiting;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : module) {
      if (!waiting.contains(&function) && may_wait(function, waiting)) {
        waiting.insert(&function);
        changed = true;
      }
    }
  }
  return waiting;
}

void add_frame(llvm::CallInst& call, llvm::AllocaInst& frame) {
  llvm::IRBuilder<> builder(&call);
  call.setTailCallKind(llvm::CallInst::TCK_NoTail);
  call_checker(call, check_call::cohort_check_enter_call, {&frame, builder.getInt64(number_of_call(call))});
  call_checker(*call.getNextNode(), check_call::cohort_check_leave_call, {&frame});
}

}  // namespace

void mark_group_copies(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && function.getName().starts_with("_ZN6cohort3cpu4copy4join")) {
      llvm::SmallVector<llvm::Value*, 5> arguments;
      for (llvm::Argument& argument : function.args()) {
        arguments.push_back(&argument);
      }
      call_checker(*function.getEntryBlock().getTerminator(), check_call::cohort_check_group_copy, arguments);
    }
  }
}

void instrument_calls(llvm::Module& module) {
  const function_set waiting = functions_that_wait(module);
  for (llvm::Function& function : module) {
    // The compiler's own functions call a kernel for each thread.
    if (function.isDeclaration() || function.getName().starts_with("cohort.")) {
      continue;
    }
    llvm::SmallVector<llvm::CallInst*, 16> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && may_wait(*call, waiting) && !call->isMustTailCall()) {
        calls.push_back(call);
      }
    }
    if (calls.empty()) {
      continue;
    }
    // One frame serves all calls of a function, which never overlap.
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* const frame =
        builder.CreateAlloca(ir_struct<cohort_call_frame>(module.getContext()), nullptr, "call_frame");
    for (llvm::CallInst* call : calls) {
      add_frame(*call, *frame);
    }
  }
}

}  // namespace cohort
