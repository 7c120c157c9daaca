// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each access of device code calls the counters with its site, its address, and a key: lanes that run one after another
// on a CPU make one access together if their keys are equal. The key is a number for the iterations of the loops around
// the access and for the calls that lead to the function.
#include "count/count_accesses.hpp"

#include <optional>
#include <utility>

#include "analysis/context_calls.hpp"
#include "analysis/port_calls.hpp"
#include "analysis/port_records.hpp"
#include "analysis/port_tables.hpp"
#include "analysis/source_place.hpp"
#include "check/instrument_accesses.hpp"
#include "count/iteration_keys.hpp"
#include "count/lane_accesses.hpp"
#include "names.hpp"

#include <cohort/machine/cpu/port/count/counter.hpp>

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

using count::access_kind;

enum class count_call : uint8_t {
  none,
#define COHORT_COUNT_CALL(result, name, parameters) name,

#include <cohort/machine/cpu/port/count/calls.inc>

};

struct count_function {
  llvm::StringLiteral name;
  llvm::FunctionType* (*type)(llvm::LLVMContext&);
};

constexpr count_function rows[] = {
    {"", nullptr},
#define COHORT_COUNT_CALL(result, name, parameters) {#name, ir_function_type<result parameters>},

#include <cohort/machine/cpu/port/count/calls.inc>

};

// The call reads and writes no memory of the program, so it does not keep the optimizer from moving other code.
llvm::FunctionCallee declare_counter(llvm::Module& module) {
  static const function_table<count_call, count_function> table(rows);
  llvm::FunctionCallee callee = table.declare(module, count_call::cohort_count_access);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addParamAttr(1, llvm::Attribute::NoCapture);
  function->addParamAttr(1, llvm::Attribute::ReadNone);
  return callee;
}

// The operation of a call that lanes make together; empty for any other one.
std::optional<access_kind> joint_kind(const llvm::CallBase& call) {
  switch (kind_of(port_call_of(call))) {
    case call_kind::rendezvous:
    case call_kind::converged:
    case call_kind::vote:
      return access_kind::collective;
    case call_kind::barrier:
    case call_kind::team:
      return access_kind::barrier;
    default:
      return std::nullopt;
  }
}

// The innermost place outside of Cohort's headers; the outermost one if all are inside. A GPU's compiler has
// instructions for what these define, at the line of the call.
const llvm::DILocation* counted_place(const llvm::DebugLoc& location) {
  const llvm::DILocation* place = location.get();
  while (place && place->getInlinedAt() && is_in_headers(*place)) {
    place = place->getInlinedAt();
  }
  return place;
}

// True for the functions that the plugin makes around kernels.
bool is_made_by_plugin(const llvm::Function& function) { return function.getName().starts_with("cohort."); }

// True for the kernels: their entries call them.
bool is_kernel(const llvm::Function& function) {
  return llvm::any_of(function.users(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->getCalledOperand() == &function && is_made_by_plugin(*call->getFunction());
  });
}

class module_counter {
 public:
  explicit module_counter(llvm::Module& module) : module_(module), counter_(declare_counter(module)) {}

  void count(llvm::Function& function, llvm::LoopInfo& loops, bool merges) {
    const std::vector<lane_access> accesses = lane_accesses(function, merges);
    llvm::SmallVector<std::pair<llvm::CallBase*, access_kind>, 8> joint;
    llvm::SmallVector<llvm::CallBase*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        if (const std::optional<access_kind> kind = joint_kind(*call)) {
          joint.emplace_back(call, *kind);
        } else if (may_count(*call)) {
          calls.push_back(call);
        }
      }
    }
    if (accesses.empty() && joint.empty() && calls.empty()) {
      return;
    }
    llvm::IRBuilder<> start(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    iteration_keys keys(loops, *key_of(function, start));
    llvm::Value* thread = accesses.empty() && joint.empty() ? nullptr : thread_rank(start);
    for (const lane_access& access : accesses) {
      llvm::IRBuilder<> builder(access.before);
      llvm::Value* address = access.offset == 0 ? access.address
                                                : builder.CreateConstGEP1_64(builder.getInt8Ty(), access.address,
                                                                             static_cast<uint64_t>(access.offset));
      call_counter(builder, *access.before, address, access.bytes, access.kind, keys, thread);
    }
    for (const auto& [call, kind] : joint) {
      llvm::IRBuilder<> builder(call);
      call_counter(builder, *call, llvm::ConstantPointerNull::get(builder.getPtrTy()), 0, kind, keys, thread);
    }
    uint64_t number = 0;
    for (llvm::CallBase* call : calls) {
      pass_context(*call, ++number, keys);
    }
  }

 private:
  // Whether the called function may have accesses to count, and reads the context.
  static bool may_count(const llvm::CallBase& call) {
    if (call.isInlineAsm()) {
      return false;
    }
    const llvm::Function* callee = call.getCalledFunction();
    return !callee || (callee->isDeclaration() ? callee->getName().ends_with(".device")
                                               : !is_made_by_plugin(*callee) && !is_kernel(*callee));
  }

  llvm::Value* address_of_context(llvm::IRBuilder<>& builder) {
    llvm::GlobalVariable* variable = module_.getGlobalVariable(names::count_context);
    if (!variable) {
      variable =
          new llvm::GlobalVariable(module_, builder.getInt64Ty(), false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                   names::count_context, nullptr, llvm::GlobalValue::InitialExecTLSModel);
    }
    return builder.CreateThreadLocalAddress(variable);
  }

  // The key of the function outside of its loops.
  llvm::Value* key_of(const llvm::Function& function, llvm::IRBuilder<>& builder) {
    if (is_kernel(function)) {
      return builder.getInt64(0);
    }
    return builder.CreateLoad(builder.getInt64Ty(), address_of_context(builder), "cohort.context");
  }

  void pass_context(llvm::CallBase& call, uint64_t number, iteration_keys& keys) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value* key = iteration_keys::mixed(*keys.in(*call.getParent()), number, call);
    builder.CreateStore(key, address_of_context(builder));
  }

  llvm::Value* position(llvm::IRBuilder<>& builder, port_call function, uint32_t axis) {
    llvm::FunctionCallee callee = declare(module_, function);
    auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
    declared->setDoesNotAccessMemory();
    declared->setDoesNotThrow();
    declared->setWillReturn();
    return builder.CreateCall(callee, {builder.getInt32(axis)});
  }

  llvm::Value* thread_rank(llvm::IRBuilder<>& builder) {
    const auto index = [&](uint32_t axis) { return position(builder, port_call::cohort_thread_index, axis); };
    const auto size = [&](uint32_t axis) { return position(builder, port_call::cohort_block_dim, axis); };
    llvm::Value* row = builder.CreateAdd(builder.CreateMul(index(2), size(1)), index(1));
    return builder.CreateAdd(builder.CreateMul(row, size(0)), index(0), "cohort.thread");
  }

  llvm::Constant* text(llvm::StringRef value) {
    llvm::Constant*& known = texts_[value];
    if (!known) {
      llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), value);
      known = new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes,
                                       "cohort.count.text");
    }
    return known;
  }

  llvm::Constant* site(const llvm::DebugLoc& location, uint32_t bytes, access_kind kind) {
    using field = field_of<cohort_count_site>;
    record<cohort_count_site> values(module_.getContext());
    values.set(field::bytes, bytes).set(field::kind, static_cast<uint64_t>(kind));
    if (const llvm::DILocation* place = counted_place(location)) {
      const llvm::DISubprogram* function = place->getScope()->getSubprogram();
      const llvm::StringRef name = function->getLinkageName();
      values.set(field::file, text(place->getFilename())).set(field::line, place->getLine());
      values.set(field::column, place->getColumn());
      values.set(field::function, text(name.empty() ? function->getName() : name));
    }
    llvm::Constant* value = values.constant();
    return new llvm::GlobalVariable(module_, value->getType(), false, llvm::GlobalValue::PrivateLinkage, value,
                                    "cohort.count.site");
  }

  void call_counter(llvm::IRBuilder<>& builder, llvm::Instruction& near, llvm::Value* address, uint32_t bytes,
                    access_kind kind, iteration_keys& keys, llvm::Value* thread) {
    auto* call = builder.CreateCall(
        counter_, {site(near.getDebugLoc(), bytes, kind), address, keys.in(*near.getParent()), thread});
    // A call in a function with debug information needs a location, or the verifier refuses it.
    if (llvm::DISubprogram* around = near.getFunction()->getSubprogram(); around && !call->getDebugLoc()) {
      call->setDebugLoc(llvm::DILocation::get(near.getContext(), 0, 0, around));
    }
  }

  llvm::Module& module_;
  llvm::FunctionCallee counter_;
  llvm::StringMap<llvm::Constant*> texts_;
};

}  // namespace

void keep_kernels(llvm::Module& module) {
  llvm::SmallVector<llvm::GlobalValue*, 16> kernels;
  for (llvm::Function& function : module) {
    if (is_kernel(function)) {
      kernels.push_back(&function);
    }
  }
  llvm::appendToCompilerUsed(module, kernels);
}

void count_accesses(llvm::Module& module, llvm::FunctionAnalysisManager& analyses, bool optimizes) {
  module_counter counter(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || is_made_by_plugin(function)) {
      continue;
    }
    give_accesses_lines(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    counter.count(function, analyses.getResult<llvm::LoopAnalysis>(function), optimizes);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
