// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about all lanes of a gang: calls that stand in a structured kernel until the widener answers them. Their
// results are uniform.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

enum class gang_question {
  none,
  is_full,  // Are all lanes of the gang active here?
  all_stay  // Does the operand, a compare of a linear and a uniform value, hold for all lanes, active or not?
};

// Metadata of the instruction that computes the answer to a gang_question. A branch on it is taken by several joined
// warps together, even if their answers differ (is_common_question() in gang/jam).
inline constexpr const char* answer_mark = "cohort.answer";

gang_question asked_by(const llvm::CallBase& call);
llvm::CallInst* ask(llvm::IRBuilder<>& builder, gang_question question, llvm::ArrayRef<llvm::Value*> operands);

}  // namespace cohort
