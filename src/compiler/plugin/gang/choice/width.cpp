// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/choice/width.hpp"

#include "analysis/context_calls.hpp"
#include "gang/choice/cost.hpp"
#include "gang/frame.hpp"
#include "gang/target/function_target.hpp"
#include "gang/version.hpp"

#include <algorithm>
#include <map>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

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

constexpr uint64_t largest_source = 4000;  // instructions of all kernels that wait, each with what it calls

// Counts a function as often as it is called. One that calls itself adds nothing: such kernels have no gangs.
uint64_t size_with_callees(const llvm::Function& function, std::map<const llvm::Function*, uint64_t>& known) {
  if (const auto [entry, is_new] = known.try_emplace(&function, 0); !is_new) {
    return entry->second;
  }
  uint64_t size = function.getInstructionCount();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration()) {
      size += size_with_callees(*call->getCalledFunction(), known);
    }
  }
  return known[&function] = size;
}

}  // namespace

bool has_room_for_several_warps(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting) {
  std::map<const llvm::Function*, uint64_t> known;
  uint64_t size = 0;
  for (const lowered_kernel& kernel : kernels) {
    auto* entry = llvm::dyn_cast_or_null<llvm::Function>(kernel.thread_entry);
    if (entry && !kernel.cpu && waiting.why_it_may_wait(*entry)) {
      size += size_with_callees(*entry, known);
    }
  }
  return size <= largest_source || facts().options.all_widths;
}

bool has_rows_of_threads(llvm::Function& function) {
  return llvm::any_of(context_calls(function), [&](const llvm::CallInst* call) {
    return reads(call, context_value::thread_index, 1) && !is_part_of_rank(call);
  });
}

llvm::SmallVector<unsigned, 3> select_widths(const llvm::Function& structured, bool waits,
                                             llvm::FunctionAnalysisManager& functions) {
  // A kernel that waits competes with a stack for each thread, any other with a loop that LLVM may vectorize.
  const double least_gain = waits ? 1 : 1.5;
  constexpr uint64_t largest_gang_locals = 32 * 1024;  // an eighth of the smallest stack
  constexpr unsigned least_width = 32;
  const vector_target target = target_of(structured);
  llvm::ValueToValueMapTy map;
  llvm::Function& rows = *llvm::CloneFunction(const_cast<llvm::Function*>(&structured), map);
  const bool has_rows = has_rows_of_threads(rows);
  state_launch_condition(rows, least_width);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(rows);
  const shape_analysis shapes(rows, least_width, true, loops, functions.getResult<llvm::DominatorTreeAnalysis>(rows));
  const gang_cost cost =
      estimate(rows, shapes, target.costs, loops, functions.getResult<llvm::ScalarEvolutionAnalysis>(rows));
  const uint64_t locals = local_bytes(rows);
  functions.clear(rows, rows.getName());
  rows.eraseFromParent();
  if (cost.gang * least_gain * (waits ? 1 : target.slowdown) > cost.thread) {
    return {};
  }
  // Wider gangs hide latency, switch less often at barriers, and walk through memory in longer steps; the values that a
  // loop keeps must stay in registers. What runs lane by lane gains nothing, and takes long to compile. Blocks of two
  // dimensions often have rows of 32 or 16 threads.
  const unsigned lanes = target.registers.bits / 32;
  const auto is_too_wide = [&](unsigned width) {
    return cost.live_vectors * (width / lanes) > target.registers.count || locals * width > largest_gang_locals;
  };
  unsigned width = std::min(target.widest_gang, has_rows            ? least_width
                                                : !waits            ? 64u
                                                : cost.lane_by_lane ? 128u
                                                                    : 256u);
  while (width > (waits ? least_width : 16) && is_too_wide(width)) {
    width /= 2;
  }
  llvm::SmallVector<unsigned, 3> result{width};
  if (waits && width == 256) {
    result.push_back(128);
  }
  if (waits && width > least_width) {
    result.push_back(least_width);
  }
  return result;
}

}  // namespace cohort
