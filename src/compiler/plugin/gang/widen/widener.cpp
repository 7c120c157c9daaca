// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/widener.hpp"

#include "analysis/context_calls.hpp"
#include "gang/widen/instruction_widener.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

// Uniform and linear indices are scalars: lane 0's.
void replace_index_reads(widening& state) {
  for (llvm::CallInst* call : context_calls(state.function)) {
    if (read_by(*call) == context_value::thread_index) {
      const auto axis = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
      call->replaceAllUsesWith(axis == 0 ? state.lanes.first_x : state.lanes.index[axis]);
      call->eraseFromParent();
    }
  }
}

}  // namespace

std::optional<std::string> widener::run() {
  instruction_widener instructions(state_);
  if (!instructions.run()) {
    return state_.refusal;
  }
  state_.values.erase_scalars();
  replace_index_reads(state_);
  state_.outlined.inline_all();
  return std::nullopt;
}

}  // namespace cohort
