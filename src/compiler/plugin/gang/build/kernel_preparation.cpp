// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/build/kernel_preparation.hpp"

#include <optional>

#include "analysis/waiting.hpp"
#include "gang/facts/kernel_questions.hpp"
#include "gang/facts/why_no_gangs.hpp"
#include "gang/structure/assertions.hpp"
#include "gang/structure/structure.hpp"
#include "gang/widen/collectives/direct_calls.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/spin_loop.hpp"

#include "llvm/Analysis/LoopInfo.h"

namespace cohort {
namespace {

std::optional<std::string> why_refused(llvm::Function& kernel, bool waits, llvm::FunctionAnalysisManager& functions) {
  if (auto why = why_excluded(kernel); why || !waits) {
    return why;
  }
  wait_analysis waiting(functions);
  return why_lanes_may_wait(kernel, waiting);
}

// Adds calls that yield to spinning loops. The widener proves that a gang may spin there, and replaces the calls.
void yield_in_spin_loops(llvm::Function& kernel, llvm::FunctionAnalysisManager& functions) {
  for (llvm::Loop* loop : wait_analysis(functions).spinning_loops(kernel)) {
    yield_in_loop(*loop);
  }
}

}  // namespace

prepared_kernel prepare_kernel(const lowered_kernel& kernel, bool waits, llvm::FunctionPassManager& simplify,
                               llvm::FunctionAnalysisManager& functions) {
  gang_function copy(copy_kernel(kernel), functions);
  if (!copy) {
    return {};
  }
  kernel_facts facts;
  facts.waits = waits;
  facts.is_straight = !waits && is_straight(*copy, functions);
  make_direct_calls(*copy);
  simplify.run(*copy, functions);
  functions.invalidate(*copy, llvm::PreservedAnalyses::none());
  if (auto why = why_refused(*copy, waits, functions)) {
    return {.refusal = std::move(*why)};
  }
  if (waits) {
    yield_in_spin_loops(*copy, functions);
  }
  simplify_index_reads(*copy);
  facts.has_assertions = has_assertions(*copy);
  gang_function without_assertions;
  if (facts.has_assertions) {
    if (waits) {
      without_assertions = {&copy_without_assertions(*copy, simplify, functions), functions};
    }
    let_lanes_fail_alone(*copy, waits, functions);
  }
  if (!structure(*copy, functions) || (without_assertions && !structure(*without_assertions, functions))) {
    return {.refusal = "its control flow has no form for lanes"};
  }
  facts.has_loops = !functions.getResult<llvm::LoopAnalysis>(*copy).empty();
  facts.has_rows = has_rows_of_threads(*copy);
  facts.has_warp_collectives = has_warp_collectives(*copy);
  return {std::move(copy), std::move(without_assertions), facts};
}

}  // namespace cohort
