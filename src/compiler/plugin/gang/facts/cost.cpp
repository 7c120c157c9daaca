// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/cost.hpp"

#include <cmath>

#include "analysis/context_calls.hpp"
#include "analysis/waiting.hpp"
#include "gang/facts/frame.hpp"
#include "gang/shape/shapes.hpp"
#include "gang/structure/gang_function.hpp"
#include "gang/structure/launch_condition.hpp"
#include "math/wide_math.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

bool walks_through_memory(llvm::Value* address, const llvm::Loop* loop, uint64_t bytes,
                          llvm::ScalarEvolution& evolution) {
  if (!loop || !evolution.isSCEVable(address->getType())) {
    return false;
  }
  // Searches the whole expression: the recurrence of an index that may wrap around lies inside an extension.
  return llvm::SCEVExprContains(evolution.getSCEV(address), [&](const llvm::SCEV* part) {
    auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine()) {
      return false;
    }
    auto* step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
    return step && (step->getAPInt().abs() == 1 || step->getAPInt().abs() == bytes);
  });
}

uint64_t bits_of(const llvm::Instruction& value) {
  return value.getDataLayout().getTypeSizeInBits(value.getType()).getFixedValue();
}

enum class operation { none, plain, division, call, barrier };

operation operation_of(const llvm::Instruction& instruction) {
  if (auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (const port_call port = port_call_of(*called); is_gang_wait(port) || port == port_call::cohort_wait_yield) {
      return operation::barrier;
    }
    return read_by(*called) || llvm::isa<llvm::IntrinsicInst>(called) ? operation::plain : operation::call;
  }
  if (llvm::isa<llvm::PHINode, llvm::BitCastInst>(instruction)) {
    return operation::none;
  }
  auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  return binary && binary->isIntDivRem() ? operation::division : operation::plain;
}

double scalar_cost(operation what, const lane_costs& costs) {
  switch (what) {
    case operation::none:
      return 0;
    case operation::plain:
      return 1;
    case operation::division:
      return costs.division;
    case operation::call:
      return costs.call;
    case operation::barrier:
      return costs.barrier;
  }
  llvm_unreachable("an operation without a cost");
}

class estimator {
 public:
  estimator(const shape_analysis& shapes, const lane_costs& costs, llvm::LoopInfo& loops,
            llvm::ScalarEvolution& evolution)
      : shapes_(shapes), costs_(costs), loops_(loops), evolution_(evolution), lanes_(shapes.width()) {}

  gang_estimate run(llvm::Function& structured) {
    for (llvm::BasicBlock& block : structured) {
      const double weight = loop_weight(loops_, block);
      for (llvm::Instruction& instruction : block) {
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction) && !instruction.isLifetimeStartOrEnd()) {
          result_.threads += weight * scalar_cost(operation_of(instruction), costs_) * lanes_;
          result_.gang += weight * cost_of(instruction);
        }
      }
    }
    for (const llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      result_.live_vectors = std::max(result_.live_vectors, live_vectors(*loop));
    }
    return result_;
  }

 private:
  // Returns the cost of the instruction for all lanes of a gang together.
  double cost_of(llvm::Instruction& instruction) {
    const operation what = operation_of(instruction);
    const double scalar = scalar_cost(what, costs_);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      return shapes_.is_varying(load)
                 ? access_cost(instruction, load->getPointerOperand(), load->getType(), costs_.gather)
                 : 1;
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      return !shapes_.is_uniform(store->getPointerOperand())
                 ? access_cost(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
                               costs_.scatter)
                 : 1;
    }
    if (what == operation::barrier) {
      return scalar;  // all lanes switch at a barrier together
    }
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
        (what == operation::call && llvm::isa<llvm::CallInst>(instruction) &&
         (instruction.getType()->isVoidTy() || shapes_.is_varying(&instruction)))) {
      return call_cost(instruction, scalar);
    }
    if (instruction.isTerminator()) {
      return shapes_.diverges(instruction.getParent()) ? costs_.branch : 1;
    }
    if (instruction.getType()->isVoidTy() || !shapes_.is_varying(&instruction)) {
      return scalar;
    }
    if (what == operation::division) {
      return lanes_ * scalar;
    }
    const double bits = static_cast<double>(bits_of(instruction));
    return std::ceil(lanes_ * std::max(bits, 16.0) / costs_.vector_bits) * (what == operation::none ? 0.5 : 1);
  }

  // The cost of an access whose address varies. `irregular`: costs_.gather or costs_.scatter.
  double access_cost(const llvm::Instruction& instruction, llvm::Value* address, llvm::Type* type,
                     const double& irregular) {
    const uint64_t bytes = instruction.getDataLayout().getTypeStoreSize(type).getFixedValue();
    const auto linear = shapes_.linear_unless_wrapped(address);
    if (linear && linear->stride == static_cast<int64_t>(bytes)) {
      return static_cast<double>(linear->extensions.size()) +
             std::ceil(lanes_ * static_cast<double>(bytes) * 8 / costs_.vector_bits) * 1.5;
    }
    result_.lane_by_lane = result_.lane_by_lane || &irregular == &costs_.scatter;
    const llvm::Loop* loop = loops_.getLoopFor(instruction.getParent());
    return lanes_ * (walks_through_memory(address, loop, bytes, evolution_) ? costs_.walk : irregular) *
           (bytes < 4 ? 2 : 1);
  }

  // The cost of an operation that runs for one lane after another, or has a form for vectors.
  double call_cost(const llvm::Instruction& instruction, double scalar) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    const auto form =
        callee ? wide_form_of(*callee, static_cast<unsigned>(shapes_.width()), *call->getFunction()) : std::nullopt;
    result_.lane_by_lane = result_.lane_by_lane || !form;
    return form ? lanes_ / form->lanes * scalar * 1.5 : lanes_ * (scalar + costs_.lane_overhead);
  }

  // 32-bit values of each lane that `loop` keeps: phis, and what it uses from outside.
  unsigned live_vectors(const llvm::Loop& loop) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> kept;
    unsigned live = 0;
    auto add = [&](const llvm::Instruction* value) {
      if (shapes_.is_varying(value) && kept.insert(value).second) {
        live += bits_of(*value) > 32 ? 2 : 1;
      }
    };
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
      add(&phi);
    }
    for (const llvm::BasicBlock* block : loop.blocks()) {
      for (const llvm::Instruction& instruction : *block) {
        if (block == loop.getHeader() && llvm::isa<llvm::PHINode>(instruction)) {
          continue;  // the phi is counted itself, and its start value needs no further register
        }
        for (const llvm::Value* operand : instruction.operands()) {
          const auto* defined = llvm::dyn_cast<llvm::Instruction>(operand);
          if (defined && !loop.contains(defined)) {
            add(defined);
          }
        }
      }
    }
    return live;
  }

  const shape_analysis& shapes_;
  const lane_costs& costs_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const double lanes_;
  gang_estimate result_;
};

}  // namespace

double loop_weight(const llvm::LoopInfo& loops, const llvm::BasicBlock& block) {
  return std::pow(8.0, std::min(loops.getLoopDepth(&block), 4u));
}

gang_estimate estimate(const llvm::Function& structured, const lane_costs& costs,
                       llvm::FunctionAnalysisManager& functions) {
  llvm::ValueToValueMapTy map;
  const gang_function rows(llvm::CloneFunction(const_cast<llvm::Function*>(&structured), map), functions);
  state_launch_condition(*rows, lanes_of_warp);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(*rows);
  const shape_analysis shapes(*rows, lanes_of_warp, true, loops,
                              functions.getResult<llvm::DominatorTreeAnalysis>(*rows));
  gang_estimate result =
      estimator(shapes, costs, loops, functions.getResult<llvm::ScalarEvolutionAnalysis>(*rows)).run(*rows);
  result.local_bytes = local_bytes(*rows);
  return result;
}

}  // namespace cohort
