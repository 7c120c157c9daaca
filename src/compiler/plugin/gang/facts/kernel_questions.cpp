// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/kernel_questions.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/waiting.hpp"
#include "math/wide_math.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

bool reads(const llvm::Value* value, context_value what, unsigned axis) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && read_by(*call) == what && llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getValue() == axis;
}

// True if `row`, an index in y, has no use but in ranks: (threadIdx.z * blockDim.y + row) * blockDim.x.
bool is_part_of_rank(const llvm::Value* row) {
  using namespace llvm::PatternMatch;
  return llvm::all_of(row->users(), [&](const llvm::User* user) {
    const llvm::Value *plane, *z, *rows;
    if (!match(user, m_c_Add(m_Specific(row), m_Value(plane))) || !match(plane, m_Mul(m_Value(z), m_Value(rows)))) {
      return false;
    }
    if (reads(rows, context_value::thread_index, 2)) {
      std::swap(z, rows);
    }
    return reads(z, context_value::thread_index, 2) && reads(rows, context_value::block_dim, 1) &&
           llvm::all_of(user->users(), [&](const llvm::User* product) {
             const llvm::Value* columns;
             return match(product, m_c_Mul(m_Specific(user), m_Value(columns))) &&
                    reads(columns, context_value::block_dim, 0);
           });
  });
}

}  // namespace

bool is_straight(llvm::Function& kernel, llvm::FunctionAnalysisManager& functions) {
  return functions.getResult<llvm::LoopAnalysis>(kernel).empty() && !has_wide_math(kernel) &&
         !any_call(kernel, [](llvm::CallBase& call) { return lane_call_of(call).has_value(); });
}

bool has_rows_of_threads(llvm::Function& kernel) {
  return llvm::any_of(context_calls(kernel), [&](const llvm::CallInst* call) {
    return reads(call, context_value::thread_index, 1) && !is_part_of_rank(call);
  });
}

bool has_warp_collectives(llvm::Function& kernel) {
  return any_call(kernel, [](llvm::CallBase& call) {
    return is_warp_collective(call) || port_call_of(call) == port_call::cohort_wait_converged;
  });
}

}  // namespace cohort
