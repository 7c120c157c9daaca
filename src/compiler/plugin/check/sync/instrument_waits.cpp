// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: a call of the checker before each wait of device code, with a number for the place of the wait in
// the source.
#include "check/sync/instrument_sync.hpp"

#include "check/sync/checker_call.hpp"
#include "check/sync/wait_calls.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace cohort {
namespace {

// As cohort::check::wait_kind.
constexpr uint32_t warp_wait = 0, tile_wait = 1, block_wait = 2, cluster_wait = 3, grid_wait = 4, multi_grid_wait = 5;

std::optional<uint32_t> group_of(port_call wait) {
  switch (wait) {
    case port_call::cohort_wait_warp:
      return warp_wait;
    case port_call::cohort_wait_block:
    case port_call::cohort_wait_block_count:
    case port_call::cohort_wait_block_all:
    case port_call::cohort_wait_block_any:
      return block_wait;
    case port_call::cohort_wait_cluster:
      return cluster_wait;
    case port_call::cohort_wait_grid:
      return grid_wait;
    case port_call::cohort_wait_multi_grid:
      return multi_grid_wait;
    default:
      return std::nullopt;
  }
}

void note_wait(llvm::CallInst& wait) {
  const port_call called = port_call_of(wait);
  llvm::IRBuilder<> builder(&wait);
  llvm::Value* kind = nullptr;
  if (called == port_call::cohort_wait_arrive || called == port_call::cohort_wait_token) {
    const char* const note = called == port_call::cohort_wait_arrive ? "cohort_check_arrive" : "cohort_check_token";
    return call_checker(wait, note, {wait.getArgOperand(0)});
  }
  if (called == port_call::cohort_wait_team) {
    llvm::Value* const size = wait.getArgOperand(0);
    kind = builder.CreateSelect(builder.CreateIsNull(size), builder.getInt32(block_wait), builder.getInt32(tile_wait));
  } else if (const std::optional<uint32_t> known = group_of(called)) {
    kind = builder.getInt32(*known);
  } else {
    return;
  }
  call_checker(wait, "cohort_check_wait", {builder.getInt64(number_of_call(wait)), kind});
}

}  // namespace

// The optimizer makes one call of equal calls in both arms of a branch, unless these have the attribute.
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
