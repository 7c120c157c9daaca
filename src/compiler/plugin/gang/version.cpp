// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/version.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/source_place.hpp"
#include "gang/full_loops.hpp"
#include "gang/target/function_target.hpp"
#include "lower/context_reads.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// A copy of `structured` with more parameters. The first one, the kernel's arguments, is common to all versions.
llvm::Function* copy_with_parameters(const llvm::Function& structured, unsigned words, const llvm::Twine& name) {
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
  return copy;
}

void start_at_entry(llvm::IRBuilder<>& builder, llvm::Function& function) {
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(start_of(function));
}

llvm::Value* lane_numbers(llvm::IRBuilder<>& builder, unsigned width) {
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (unsigned lane = 0; lane < width; ++lane) {
    numbers.push_back(builder.getInt32(lane));
  }
  return llvm::ConstantVector::get(numbers);
}

bool reads(const llvm::Value* value, context_value what) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  if (!call || read_by(*call) != what) {
    return false;
  }
  return llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->isZero();
}

gang_version widen(llvm::Function& function, unsigned width, bool rows, const gang_lanes& lanes,
                   llvm::FunctionAnalysisManager& functions) {
  state_vector_bits(function);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = functions.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& postdominators = functions.getResult<llvm::PostDominatorTreeAnalysis>(function);
  const shape_analysis shapes(function, width, rows, loops, dominators);
  widener work(function, lanes, shapes, loops, dominators, postdominators);
  const auto refusal = work.run();
  functions.invalidate(function, llvm::PreservedAnalyses::none());
  if (refusal) {
    functions.clear(function, function.getName());
    function.eraseFromParent();
    return {nullptr, *refusal, {}};
  }
  function.addFnAttr("cohort-thread-loop");
  return {&function, "", work.notes()};
}

// Why the version without assertions, which is made to see that and goes again, is refused.
std::optional<gang_version> prove(gang_version without_assertions, llvm::FunctionAnalysisManager& functions) {
  if (!without_assertions.function) {
    return without_assertions;
  }
  functions.clear(*without_assertions.function, without_assertions.function->getName());
  without_assertions.function->eraseFromParent();
  return std::nullopt;
}

}  // namespace

// The promises become masks of bits that are zero in any case: blockDim.x is a multiple of the width, and so are
// blockIdx.x * blockDim.x and gridDim.x * blockDim.x, which stay below a bound.
void state_launch_condition(llvm::Function& function, unsigned width, bool whole_row) {
  std::vector<std::pair<llvm::Instruction*, uint64_t>> limited;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    using namespace llvm::PatternMatch;
    llvm::Value *a, *b;
    if (reads(&instruction, context_value::block_dim)) {
      limited.emplace_back(&instruction, 2047);
    } else if (match(&instruction, m_Mul(m_Value(a), m_Value(b))) && instruction.getType()->isIntegerTy(32)) {
      const bool first = reads(a, context_value::block_dim);
      const llvm::Value* other = first ? b : a;
      if ((first || reads(b, context_value::block_dim)) &&
          (reads(other, context_value::block_index) || reads(other, context_value::grid_dim))) {
        limited.emplace_back(&instruction, 2 * largest_row_grid - 1);
      }
    }
  }
  for (auto [instruction, bits] : limited) {
    llvm::IRBuilder<> builder(instruction->getNextNode());
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
    instruction->dropPoisonGeneratingFlags();
    auto* constant = builder.getInt32(static_cast<uint32_t>(bits & ~uint64_t{width - 1}));
    auto* result = llvm::BinaryOperator::CreateAnd(instruction, constant, "", builder.GetInsertPoint());
    instruction->replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != result; });
    if (whole_row && reads(instruction, context_value::block_dim)) {
      result->replaceAllUsesWith(builder.getInt32(width));
    }
  }
}

gang_version make_row_version(const llvm::Function& structured, unsigned width, llvm::StringRef name,
                              llvm::FunctionAnalysisManager& functions, bool whole_row,
                              const llvm::Function* without_assertions) {
  if (without_assertions) {
    if (auto refused = prove(make_row_version(*without_assertions, width, name, functions, whole_row), functions)) {
      return *refused;
    }
  }
  llvm::Function& function = *copy_with_parameters(structured, 3, "cohort.rows." + name);
  if (without_assertions) {
    function.addFnAttr(failed_lanes_alone_miss_barriers);
  }
  llvm::IRBuilder<> b(function.getContext());
  start_at_entry(b, function);
  context_reader reader(b);
  gang_lanes lanes;
  lanes.thread = reader.thread();
  lanes.first_x = function.getArg(1);
  lanes.index[1] = function.getArg(2);
  lanes.index[2] = function.getArg(3);
  llvm::Value* numbers = lane_numbers(b, width);
  lanes.index[0] = b.CreateAdd(b.CreateVectorSplat(width, lanes.first_x), numbers);
  llvm::Value* plane = b.CreateMul(lanes.index[2], reader.read(context_value::block_dim, 1));
  llvm::Value* row = b.CreateMul(b.CreateAdd(plane, lanes.index[1]), reader.read(context_value::block_dim, 0));
  lanes.rank = b.CreateAdd(b.CreateVectorSplat(width, b.CreateAdd(row, lanes.first_x)), numbers);
  state_launch_condition(function, width, whole_row);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = functions.getResult<llvm::DominatorTreeAnalysis>(function);
  if (make_full_loops(function, shape_analysis(function, width, true, loops, dominators), functions)) {
    functions.invalidate(function, llvm::PreservedAnalyses::none());
  }
  return widen(function, width, true, lanes, functions);
}

gang_version make_any_version(const llvm::Function& structured, unsigned width, llvm::StringRef name,
                              llvm::FunctionAnalysisManager& functions, const llvm::Function* without_assertions) {
  if (without_assertions) {
    if (auto refused = prove(make_any_version(*without_assertions, width, name, functions), functions)) {
      return *refused;
    }
  }
  llvm::Function& function = *copy_with_parameters(structured, 2, "cohort.lanes." + name);
  if (without_assertions) {
    function.addFnAttr(failed_lanes_alone_miss_barriers);
  }
  llvm::IRBuilder<> b(function.getContext());
  start_at_entry(b, function);
  context_reader reader(b);
  gang_lanes lanes;
  lanes.thread = reader.thread();
  llvm::Value* numbers = lane_numbers(b, width);
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
  return widen(function, width, false, lanes, functions);
}

}  // namespace cohort
