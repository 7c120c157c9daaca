// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: calls of the checker (src/check) around memory accesses, in device and host code. LLVM's
// ThreadSanitizer pass handles ordinary accesses. Atomics, volatile accesses and fences get calls of their own. Their
// scope is in the names of CUDA's functions only; calls at begin and end of these functions pass it on, because inlined
// code no longer has the names.
#include "check/instrument_accesses.hpp"

#include <cohort/machine/cpu/port/check/checker.hpp>

#include "analysis/waiting.hpp"
#include "check/access_check.hpp"
#include "check/check_calls.hpp"
#include "lowering.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"

namespace cohort {
namespace {

using namespace check;

// The facts about its operations that the name of one of CUDA's atomic functions or fences shows.
uint32_t facts_of_name(llvm::StringRef mangled) {
  uint32_t facts = 0;
  const bool is_class = mangled.contains("4cuda10atomic_ref") || mangled.contains("4cuda6atomic");
  const bool is_function = mangled.contains("atomic") || mangled.contains("__threadfence");
  // The value of cohort::thread_scope in the name of a class: 2 is the block.
  if ((is_class && mangled.contains("12thread_scopeE2E")) || (is_function && mangled.contains("_block"))) {
    facts |= block_scope;
  }
  if (mangled.contains("atomicCAS") || (is_class && mangled.contains("compare_exchange"))) {
    facts |= takes_lock;
  }
  if (mangled.contains("8mbarrier10count_down")) {
    facts |= arrives;
  } else if (mangled.contains("8mbarrier7collect")) {
    facts |= collects;
  } else if (mangled.contains("8mbarrier7publish")) {
    facts |= publishes;
  }
  return facts;
}

uint32_t fact_if(bool holds, uint32_t fact) { return holds ? fact : 0; }

uint32_t order_facts(llvm::AtomicOrdering order) {
  return fact_if(llvm::isReleaseOrStronger(order), releases) | fact_if(llvm::isAcquireOrStronger(order), acquires);
}

struct atomic_access {
  llvm::Instruction* instruction;
  llvm::Value* address;
  llvm::Type* type;
  uint32_t facts;
};

std::optional<atomic_access> find_atomic(llvm::Instruction& instruction, const llvm::DenseSet<llvm::Value*>& polled) {
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return atomic_access{update, update->getPointerOperand(), update->getValOperand()->getType(),
                         writes_value | fact_if(!update->use_empty(), reads_value) |
                             fact_if(update->getOperation() != llvm::AtomicRMWInst::Xchg, updates) |
                             order_facts(update->getOrdering())};
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return atomic_access{exchange, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
                         reads_value | writes_value | compares | updates | order_facts(exchange->getSuccessOrdering())};
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isAtomic()) {
      return atomic_access{load, load->getPointerOperand(), load->getType(),
                           reads_value | order_facts(load->getOrdering())};
    }
    if (load->isVolatile()) {
      return atomic_access{load, load->getPointerOperand(), load->getType(),
                           reads_value | volatile_fact | fact_if(polled.contains(load->getPointerOperand()), polls)};
    }
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (store->isAtomic() || store->isVolatile()) {
      return atomic_access{store, store->getPointerOperand(), store->getValueOperand()->getType(),
                           writes_value | stores_only |
                               (store->isAtomic() ? order_facts(store->getOrdering()) : uint32_t{volatile_fact})};
    }
  }
  return std::nullopt;
}

// The addresses of volatile loads that decide whether a loop continues to wait. Addresses, not loads: loop rotation
// moves the first iteration's load in front of the loop.
llvm::DenseSet<llvm::Value*> polled_addresses(llvm::Function& function, wait_analysis& waiting) {
  llvm::DenseSet<llvm::Value*> result;
  for (llvm::Loop* loop : waiting.spinning_loops(function)) {
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load && load->isVolatile()) {
          result.insert(load->getPointerOperand());
        }
      }
    }
  }
  return result;
}

// Loads and stores of device code.
llvm::SmallVector<llvm::Instruction*, 32> indexed_accesses(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 32> result;
  if (!facts().options.device) {
    return result;
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
      result.push_back(&instruction);
    }
  }
  return result;
}

class function_instrumenter {
 public:
  explicit function_instrumenter(llvm::Module& module) : module_(module) {}

  void add_calls(llvm::Function& function, wait_analysis& waiting) {
    const llvm::DenseSet<llvm::Value*> polled = polled_addresses(function, waiting);
    llvm::SmallVector<atomic_access, 16> found;
    llvm::SmallVector<llvm::FenceInst*, 4> fences;
    llvm::SmallVector<llvm::CallInst*, 4> copies;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto access = find_atomic(instruction, polled)) {
        found.push_back(*access);
      } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
        fences.push_back(fence);
      } else if (auto* copy = llvm::dyn_cast<llvm::CallInst>(&instruction); copy && copies_later(port_call_of(*copy))) {
        copies.push_back(copy);
      }
    }
    for (const atomic_access& access : found) {
      surround(access);
    }
    for (llvm::Instruction* access : indexed_accesses(function)) {
      check_local_array(*access);
    }
    for (llvm::CallInst* copy : copies) {
      surround_copy(*copy);
    }
    for (llvm::FenceInst* fence : fences) {
      llvm::IRBuilder<> builder(fence);
      call_checker(builder, *fence, check_call::cohort_check_fence, {});
    }
  }

 private:
  void surround(const atomic_access& access) {
    llvm::Instruction& instruction = *access.instruction;
    instruction.setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(module_.getContext(), {}));
    llvm::IRBuilder<> builder(&instruction);
    auto* facts = builder.getInt32(access.facts | static_cast<uint32_t>(scope::system));
    auto* bytes = builder.getInt64(module_.getDataLayout().getTypeStoreSize(access.type));
    call_checker(builder, instruction, check_call::cohort_check_before_atomic, {access.address, bytes, facts});
    if (access.facts & reads_value) {
      builder.SetInsertPoint(instruction.getNextNode());
      call_checker(builder, instruction, check_call::cohort_check_after_atomic, {access.address, bytes, facts});
    }
  }

  // Reports a copy before it starts, and a wait after it has returned.
  void surround_copy(llvm::CallInst& copy) {
    const port_call called = port_call_of(copy);
    llvm::IRBuilder<> builder(&copy);
    if (called == port_call::cohort_wait_copies) {
      builder.SetInsertPoint(copy.getNextNode());
      call_checker(builder, copy, check_call::cohort_check_wait_copies, {copy.getArgOperand(0)});
    } else if (called == port_call::cohort_copy_later) {
      call_checker(builder, copy, check_call::cohort_check_copy_later,
                   {copy.getArgOperand(0), copy.getArgOperand(1), copy.getArgOperand(2)});
    } else {
      call_checker(builder, copy, check_call::cohort_check_copy_commit, {});
    }
  }

  // The bytes of a local variable, or of a parameter that the callee owns. Empty if the object is neither.
  std::optional<uint64_t> extent_of(const llvm::Value* object) const {
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      const std::optional<llvm::TypeSize> size = array->getAllocationSize(layout);
      return size && !size->isScalable() ? std::optional<uint64_t>(size->getFixedValue()) : std::nullopt;
    }
    const auto* const parameter = llvm::dyn_cast<llvm::Argument>(object);
    if (!parameter || !parameter->hasByValAttr()) {
      return std::nullopt;
    }
    return layout.getTypeAllocSize(parameter->getParamByValType()).getFixedValue();
  }

  // Checks an access to a local array, whose extent only the compiler has.
  void check_local_array(llvm::Instruction& access) {
    llvm::Value* const address = llvm::getLoadStorePointerOperand(&access);
    auto* const array = const_cast<llvm::Value*>(llvm::getUnderlyingObject(address));
    const llvm::DataLayout& layout = module_.getDataLayout();
    const std::optional<uint64_t> size = extent_of(array);
    if (!size) {
      return;
    }
    const uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&access));
    llvm::APInt offset(64, 0);
    const llvm::Value* const base = address->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (base == array && !offset.isNegative() && offset.getZExtValue() + bytes <= *size) {
      return;
    }
    llvm::IRBuilder<> builder(&access);
    call_checker(builder, access, check_call::cohort_check_local,
                 {address, builder.getInt64(bytes), array, builder.getInt64(*size),
                  builder.getInt32(llvm::isa<llvm::StoreInst>(access) ? 1 : 0)});
  }

  llvm::Module& module_;
};

// Whether the value depends on one that was loaded from the address.
bool depends_on_load(llvm::Value* value, const llvm::Value* address) {
  const auto* const place = llvm::dyn_cast<llvm::Instruction>(address);
  const auto is_same = [&](const llvm::Value* other) {
    const auto* const made = llvm::dyn_cast<llvm::Instruction>(other);
    return other == address || (place && made && place->isIdenticalTo(made));
  };
  llvm::SmallSetVector<llvm::Value*, 16> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size() && i < 16; ++i) {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(reached[i])) {
      if (is_same(load->getPointerOperand())) {
        return true;
      }
    } else if (auto* const made = llvm::dyn_cast<llvm::Instruction>(reached[i]);
               made && !llvm::isa<llvm::CallBase>(made)) {
      reached.insert(made->op_begin(), made->op_end());
    }
  }
  return false;
}

// Renames the checks of updates. `x[i] += 1` has one check, of the write, and its report advises an atomic.
void mark_updates(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto check = find_check(instruction);
    if (!check || !check->writes) {
      continue;
    }
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(instruction.getNextNode());
    if (!store || store->getPointerOperand() != check->address ||
        !depends_on_load(store->getValueOperand(), check->address)) {
      continue;
    }
    const std::string name =
        "__tsan_" + std::string(check->unaligned ? "unaligned_" : "") + "read_write" + std::to_string(check->bytes);
    check->call->setCalledFunction(function.getParent()->getOrInsertFunction(name, check->call->getFunctionType()));
  }
}

// Keeps a call for each place: the place of an access is the return address of its check. A call that two paths share
// would have no line, and a tail call has the line of the caller's caller; the check of a copy inherits the mark `tail`
// of its memcpy.
void keep_places(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (name_of_callee(instruction).starts_with("__tsan_") || check_call_of(instruction) != check_call::none) {
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      call.addFnAttr(llvm::Attribute::NoMerge);
      call.setTailCallKind(llvm::CallInst::TCK_NoTail);
    }
  }
}

// Unswitches loops whose checks were made before them: one version has no checks.
void split_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::SimpleLoopUnswitchPass(true)));
  analyses.invalidate(function, passes.run(function, analyses));
}

}  // namespace

void mark_atomic_functions(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  const llvm::FunctionCallee enter = declare(module, check_call::cohort_check_enter);
  const llvm::FunctionCallee leave = declare(module, check_call::cohort_check_leave);
  for (llvm::Function& function : module) {
    const uint32_t facts = function.isDeclaration() ? 0 : facts_of_name(function.getName());
    if (facts == 0) {
      continue;
    }
    const llvm::DebugLoc place =
        function.getSubprogram() ? llvm::DILocation::get(module.getContext(), 0, 0, function.getSubprogram()) : nullptr;
    builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    builder.CreateCall(enter, {builder.getInt32(facts)})->setDebugLoc(place);
    for (llvm::BasicBlock& block : function) {
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(end);
        builder.CreateCall(leave)->setDebugLoc(place);
      }
    }
  }
}

// True for the instructions that -ftrivial-auto-var-init adds: the store of a value, or its copy from a constant.
static bool is_initial_value(const llvm::Instruction& instruction) {
  const llvm::MDNode* notes = instruction.getMetadata(llvm::LLVMContext::MD_annotation);
  return notes && llvm::any_of(notes->operands(), [](const llvm::MDOperand& note) {
           const auto* text = llvm::dyn_cast<llvm::MDString>(note);
           return text && text->getString() == "auto-init";
         });
}

// Sets an attribute that forbids speculation: a load under a condition of the source stays there. All functions have
// it, because the inliner takes others for incompatible.
void keep_accesses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    function.addFnAttr(llvm::Attribute::SanitizeThread);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (is_initial_value(instruction)) {  // the source has no such access
        instruction.setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(module.getContext(), {}));
      }
    }
    // A kernel's stub has the line of the kernel. Without lines, the launch is the place.
    if (function.getName().contains("__device_stub__")) {
      llvm::stripDebugInfo(function);
    }
  }
}

void instrument_accesses(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  wait_analysis waiting(analyses);
  function_instrumenter instrumenter(module);
  llvm::SmallVector<llvm::Function*, 32> functions;
  for (llvm::Function& function : module) {
    // The compiler's own functions copy a kernel's arguments and register tables.
    if (!function.isDeclaration() && !function.getName().starts_with("cohort.")) {
      functions.push_back(&function);
    }
  }
  for (llvm::Function* function : functions) {
    give_accesses_lines(*function, analyses.getResult<llvm::DominatorTreeAnalysis>(*function));
    instrumenter.add_calls(*function, waiting);
    if (facts().options.device) {
      check_alignment_of_ranges(*function);
    }
    function->addFnAttr(llvm::Attribute::SanitizeThread);
    analyses.invalidate(*function, llvm::ThreadSanitizerPass().run(*function, analyses));
    if (facts().options.device) {
      check_accumulators(*function);
      mark_updates(*function);
      prune_checks(*function);
      analyses.invalidate(*function, llvm::PreservedAnalyses::none());
      const bool hoisted = hoist_checks(*function, analyses.getResult<llvm::ScalarEvolutionAnalysis>(*function),
                                        analyses.getResult<llvm::DominatorTreeAnalysis>(*function),
                                        analyses.getResult<llvm::LoopAnalysis>(*function));
      analyses.invalidate(*function, llvm::PreservedAnalyses::none());
      if (hoisted) {
        split_loops(*function, analyses);
      }
      merge_checks(*function, analyses.getResult<llvm::ScalarEvolutionAnalysis>(*function));
      batch_checks(*function);
      check_alignment_of_values(*function);
    }
    keep_places(*function);
  }
}

}  // namespace cohort
