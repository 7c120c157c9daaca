// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: a call of the checker before each wait of device code, with a number for the place of the wait in
// the source.
#include "check/sync/instrument_sync.hpp"

#include "check/check_calls.hpp"
#include "check/sync/wait_calls.hpp"

#include <cohort/machine/cpu/port/check/checker.hpp>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace cohort {
namespace {

using check::wait_kind;

std::optional<wait_kind> group_of(port_call wait) {
  switch (wait) {
    case port_call::cohort_wait_warp:
      return wait_kind::warp;
    case port_call::cohort_wait_block:
    case port_call::cohort_wait_block_count:
    case port_call::cohort_wait_block_all:
    case port_call::cohort_wait_block_any:
      return wait_kind::block;
    case port_call::cohort_wait_cluster:
      return wait_kind::cluster;
    case port_call::cohort_wait_grid:
      return wait_kind::grid;
    case port_call::cohort_wait_multi_grid:
      return wait_kind::multi_grid;
    default:
      return std::nullopt;
  }
}

void note_wait(llvm::CallInst& wait) {
  const port_call called = port_call_of(wait);
  llvm::IRBuilder<> builder(&wait);
  auto number = [&](wait_kind group) { return builder.getInt32(static_cast<uint32_t>(group)); };
  llvm::Value* kind = nullptr;
  if (called == port_call::cohort_wait_arrive || called == port_call::cohort_wait_token) {
    const check_call note =
        called == port_call::cohort_wait_arrive ? check_call::cohort_check_arrive : check_call::cohort_check_token;
    return call_checker(wait, note, {wait.getArgOperand(0)});
  }
  if (called == port_call::cohort_wait_team) {
    llvm::Value* const size = wait.getArgOperand(0);
    kind = builder.CreateSelect(builder.CreateIsNull(size), number(wait_kind::block), number(wait_kind::tile));
  } else if (const std::optional<wait_kind> known = group_of(called)) {
    kind = number(*known);
  } else {
    return;
  }
  call_checker(wait, check_call::cohort_check_wait, {builder.getInt64(number_of_call(wait)), kind});
}

}  // namespace

// Gives waits an attribute, without which the optimizer merges equal calls in both arms of a branch.
void keep_equal_waits(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isConvergent()) {
        call->addFnAttr(llvm::Attribute::NoMerge);
      }
    }
  }
}

void instrument_waits(llvm::Module& module) {
  llvm::SmallVector<llvm::CallInst*, 16> waits;
  for (llvm::Function& function : module) {
    if (function.getName().starts_with("cohort.")) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && wait_of(*call) != port_call::none) {
        waits.push_back(call);
      }
    }
  }
  for (llvm::CallInst* wait : waits) {
    note_wait(*wait);
  }
}

}  // namespace cohort
