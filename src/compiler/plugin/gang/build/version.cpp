// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/build/version.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/source_place.hpp"
#include "gang/shape/shapes.hpp"
#include "gang/structure/full_loops.hpp"
#include "gang/structure/launch_condition.hpp"
#include "gang/target/function_target.hpp"
#include "gang/widen/state/lane_order.hpp"
#include "lower/context_reads.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// A copy of the kernel with more parameters. The first one, the kernel's arguments, is common to all versions.
gang_function copy_with_parameters(const version_source& source, unsigned words, const llvm::Twine& name) {
  const llvm::Function& structured = source.structured;
  llvm::LLVMContext& context = structured.getContext();
  llvm::SmallVector<llvm::Type*, 4> types{structured.getArg(0)->getType()};
  types.append(words, llvm::Type::getInt32Ty(context));
  auto* copy = llvm::Function::Create(llvm::FunctionType::get(structured.getReturnType(), types, false),
                                      llvm::GlobalValue::InternalLinkage, name,
                                      const_cast<llvm::Module*>(structured.getParent()));
  llvm::ValueToValueMapTy map;
  map[structured.getArg(0)] = copy->getArg(0);
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(copy, &structured, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  if (source.without_assertions) {
    copy->addFnAttr(failed_lanes_alone_miss_barriers);
  }
  return {copy, source.functions};
}

void start_at_entry(llvm::IRBuilder<>& builder, llvm::Function& function) {
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(start_of(function));
}

gang_version widen(gang_function function, unsigned width, bool rows, const gang_lanes& lanes,
                   llvm::FunctionAnalysisManager& functions) {
  state_vector_bits(*function);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(*function);
  auto& dominators = functions.getResult<llvm::DominatorTreeAnalysis>(*function);
  auto& postdominators = functions.getResult<llvm::PostDominatorTreeAnalysis>(*function);
  const shape_analysis shapes(*function, width, rows, loops, dominators);
  widener work(*function, lanes, shapes, loops, dominators, postdominators);
  const auto refusal = work.run();
  functions.invalidate(*function, llvm::PreservedAnalyses::none());
  if (refusal) {
    return {{}, *refusal, {}};
  }
  function->addFnAttr("cohort-thread-loop");
  return {std::move(function), "", work.notes()};
}

// The kernel's copy in which no assertion fails, as a source. A version of `source` is refused if the copy's is.
version_source proof_of(const version_source& source) {
  return {*source.without_assertions, nullptr, source.name, source.functions};
}

// The indices and ranks of lanes that are neighbours in x.
gang_lanes row_lanes(llvm::Function& function, unsigned width) {
  llvm::IRBuilder<> b(function.getContext());
  start_at_entry(b, function);
  context_reader reader(b);
  gang_lanes lanes;
  lanes.thread = reader.thread();
  lanes.first_x = function.getArg(1);
  lanes.index[1] = function.getArg(2);
  lanes.index[2] = function.getArg(3);
  llvm::Value* numbers = lane_steps(b.getInt32Ty(), 1, width);
  lanes.index[0] = b.CreateAdd(b.CreateVectorSplat(width, lanes.first_x), numbers);
  llvm::Value* plane = b.CreateMul(lanes.index[2], reader.read(context_value::block_dim, 1));
  llvm::Value* row = b.CreateMul(b.CreateAdd(plane, lanes.index[1]), reader.read(context_value::block_dim, 0));
  lanes.rank = b.CreateAdd(b.CreateVectorSplat(width, b.CreateAdd(row, lanes.first_x)), numbers);
  return lanes;
}

// The indices of lanes with adjacent ranks.
gang_lanes ranked_lanes(llvm::Function& function, unsigned width) {
  llvm::IRBuilder<> b(function.getContext());
  start_at_entry(b, function);
  context_reader reader(b);
  gang_lanes lanes;
  lanes.thread = reader.thread();
  llvm::Value* numbers = lane_steps(b.getInt32Ty(), 1, width);
  lanes.rank = b.CreateAdd(b.CreateVectorSplat(width, function.getArg(1)), numbers);
  // Ranks and dimensions are at most 1024, so the quotient of two floats is exact once it is truncated.
  auto* floats = llvm::FixedVectorType::get(b.getFloatTy(), width);
  auto divide = [&](llvm::Value* dividend, llvm::Value* divisor) {
    llvm::Value* quotient = b.CreateFDiv(b.CreateSIToFP(dividend, floats),
                                         b.CreateVectorSplat(width, b.CreateSIToFP(divisor, b.getFloatTy())));
    return b.CreateFPToSI(quotient, dividend->getType());
  };
  auto remainder = [&](llvm::Value* dividend, llvm::Value* quotient, llvm::Value* divisor) {
    return b.CreateSub(dividend, b.CreateMul(quotient, b.CreateVectorSplat(width, divisor)));
  };
  llvm::Value* columns = reader.read(context_value::block_dim, 0);
  llvm::Value* rows = reader.read(context_value::block_dim, 1);
  llvm::Value* row = divide(lanes.rank, columns);
  lanes.index[0] = remainder(lanes.rank, row, columns);
  lanes.index[2] = divide(row, rows);
  lanes.index[1] = remainder(row, lanes.index[2], rows);
  lanes.active = b.CreateICmpULT(numbers, b.CreateVectorSplat(width, function.getArg(2)));
  return lanes;
}

}  // namespace

gang_version make_row_version(const version_source& source, unsigned width, bool whole_row) {
  if (source.without_assertions) {
    if (gang_version proof = make_row_version(proof_of(source), width, whole_row); !proof.function) {
      return proof;
    }
  }
  gang_function function = copy_with_parameters(source, 3, "cohort.rows." + source.name);
  const gang_lanes lanes = row_lanes(*function, width);
  state_launch_condition(*function, width, whole_row);
  auto& loops = source.functions.getResult<llvm::LoopAnalysis>(*function);
  auto& dominators = source.functions.getResult<llvm::DominatorTreeAnalysis>(*function);
  if (make_full_loops(*function, shape_analysis(*function, width, true, loops, dominators), source.functions)) {
    source.functions.invalidate(*function, llvm::PreservedAnalyses::none());
  }
  return widen(std::move(function), width, true, lanes, source.functions);
}

gang_version make_any_version(const version_source& source, unsigned width) {
  if (source.without_assertions) {
    if (gang_version proof = make_any_version(proof_of(source), width); !proof.function) {
      return proof;
    }
  }
  gang_function function = copy_with_parameters(source, 2, "cohort.lanes." + source.name);
  const gang_lanes lanes = ranked_lanes(*function, width);
  return widen(std::move(function), width, false, lanes, source.functions);
}

}  // namespace cohort
