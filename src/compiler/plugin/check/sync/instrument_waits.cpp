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

std::optional<uint32_t> kind_of(llvm::StringRef wait) {
  if (wait == "warp") return warp_wait;
  if (wait == "block" || wait.starts_with("block_")) return block_wait;
  if (wait == "cluster") return cluster_wait;
  if (wait == "grid") return grid_wait;
  if (wait == "multi_grid") return multi_grid_wait;
  return std::nullopt;
}

void note_wait(llvm::CallInst& wait) {
  const llvm::StringRef name = name_of_wait(wait);
  llvm::IRBuilder<> builder(&wait);
  llvm::Value* kind = nullptr;
  if (name == "arrive" || name == "token") {
    const char* const note = name == "arrive" ? "cohort_check_arrive" : "cohort_check_token";
    return call_checker(wait, note, {wait.getArgOperand(0)});
  }
  if (name == "team") {
    llvm::Value* const size = wait.getArgOperand(0);
    kind = builder.CreateSelect(builder.CreateIsNull(size), builder.getInt32(block_wait), builder.getInt32(tile_wait));
  } else if (const std::optional<uint32_t> known = kind_of(name)) {
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
      if (call && !name_of_wait(*call).empty()) {
        waits.push_back(call);
      }
    }
  }
  for (llvm::CallInst* wait : waits) {
    note_wait(*wait);
  }
}

}  // namespace cohort
