// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs in instructions of a core that has vectors of 512 bits, weighted by loop depth. Measured on a Zen 5: a gather
// takes about 1.5 and a scatter 2 scalar accesses a lane, a call for each lane 4 instructions more than a plain call.
#include "gang/choice/cost.hpp"

#include <cmath>

#include "analysis/context_calls.hpp"
#include "analysis/waiting.hpp"
#include "math/wide_math.hpp"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr double vector_bits = 512;
constexpr double gather = 1.5, scatter = 2, lane_overhead = 4, branch_overhead = 6, call = 20, division = 6,
                 barrier = 15;
// One thread walks over neighbouring elements: a loop over them has cache lines of its own, and LLVM vectorizes it.
constexpr double walks = 12;

bool walks_through_memory(llvm::Value* address, const llvm::Loop* loop, uint64_t bytes,
                          llvm::ScalarEvolution& evolution) {
  if (!loop || !evolution.isSCEVable(address->getType())) {
    return false;
  }
  // An index that may wrap around hides its recurrence behind an extension.
  return llvm::SCEVExprContains(evolution.getSCEV(address), [&](const llvm::SCEV* part) {
    auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine()) {
      return false;
    }
    auto* step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
    return step && (step->getAPInt().abs() == 1 || step->getAPInt().abs() == bytes);
  });
}

double scalar_cost(const llvm::Instruction& instruction) {
  if (auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (is_gang_wait(port_call_of(*called))) {
      return barrier;
    }
    return read_by(*called) || llvm::isa<llvm::IntrinsicInst>(called) ? 1 : call;
  }
  if (instruction.isTerminator()) {
    return 1;
  }
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    return operation->isIntDivRem() ? division : 1;
  }
  return llvm::isa<llvm::PHINode, llvm::BitCastInst>(instruction) ? 0 : 1;
}

}  // namespace

gang_cost estimate(llvm::Function& structured, const shape_analysis& shapes, llvm::LoopInfo& loops,
                   llvm::ScalarEvolution& evolution) {
  const auto& layout = structured.getDataLayout();
  const double lanes = shapes.width();
  gang_cost result;
  auto access = [&](const llvm::Instruction& instruction, llvm::Value* address, llvm::Type* type, bool varies,
                    double irregular) {
    const auto bytes = layout.getTypeStoreSize(type).getFixedValue();
    const auto linear = shapes.linear_unless_wrapped(address);
    if (!varies) {
      return 1.0;
    }
    if (linear && linear->stride == static_cast<int64_t>(bytes)) {
      return static_cast<double>(linear->extensions.size()) +
             std::ceil(lanes * static_cast<double>(bytes) * 8 / vector_bits) * 1.5;
    }
    result.lane_by_lane = result.lane_by_lane || irregular == scatter;
    const llvm::Loop* loop = loops.getLoopFor(instruction.getParent());
    return lanes * (walks_through_memory(address, loop, bytes, evolution) ? walks : irregular) * (bytes < 4 ? 2 : 1);
  };
  for (llvm::BasicBlock& block : structured) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    const double weight = std::pow(8.0, std::min(loop ? loop->getLoopDepth() : 0u, 4u));
    for (llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd()) {
        continue;
      }
      const double scalar = scalar_cost(instruction);
      result.thread += weight * scalar * lanes;
      double cost = scalar;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        cost = access(instruction, load->getPointerOperand(), load->getType(), shapes.is_varying(load), gather);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        cost = access(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
                      !shapes.is_uniform(store->getPointerOperand()), scatter);
      } else if (scalar == barrier) {
        cost = barrier;  // one switch for all lanes
      } else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
                 (llvm::isa<llvm::CallInst>(instruction) && scalar == call &&
                  (instruction.getType()->isVoidTy() || shapes.is_varying(&instruction)))) {
        const auto* caller = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = caller ? caller->getCalledFunction() : nullptr;
        const auto form =
            callee ? wide_form_of(*callee, static_cast<unsigned>(shapes.width()), structured) : std::nullopt;
        result.lane_by_lane = result.lane_by_lane || !form;
        cost = form ? lanes / form->lanes * scalar * 1.5 : lanes * (scalar + lane_overhead);
      } else if (instruction.isTerminator()) {
        cost = shapes.diverges(&block) ? branch_overhead : 1;
      } else if (!instruction.getType()->isVoidTy() && shapes.is_varying(&instruction)) {
        const double bits = static_cast<double>(layout.getTypeSizeInBits(instruction.getType()).getFixedValue());
        const bool divides = scalar == division;
        cost = divides ? lanes * division
                       : std::ceil(lanes * std::max(bits, 16.0) / vector_bits) * (scalar == 0 ? 0.5 : 1);
      }
      result.gang += weight * cost;
    }
  }
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    unsigned live = 0;
    for (llvm::PHINode& phi : loop->getHeader()->phis()) {
      if (shapes.is_varying(&phi)) {
        live += layout.getTypeSizeInBits(phi.getType()).getFixedValue() > 32 ? 2 : 1;
      }
    }
    llvm::SmallPtrSet<const llvm::Value*, 16> outside;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (block == loop->getHeader() && llvm::isa<llvm::PHINode>(instruction)) {
          continue;  // a phi takes the place of its start
        }
        for (llvm::Value* operand : instruction.operands()) {
          auto* defined = llvm::dyn_cast<llvm::Instruction>(operand);
          if (defined && !loop->contains(defined) && shapes.is_varying(defined) && outside.insert(defined).second) {
            live += layout.getTypeSizeInBits(defined->getType()).getFixedValue() > 32 ? 2 : 1;
          }
        }
      }
    }
    result.live_vectors = std::max(result.live_vectors, live);
  }
  return result;
}

}  // namespace cohort
