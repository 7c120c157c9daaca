// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in device code. In clang's IR `k<<<grid, block>>>(x)` is a call of the function that configures a launch, a
// branch, and a call of the kernel. Here each kernel that device code refers to gets a stub, for which the kernel's
// address stands: it stores the arguments in memory and has the runtime launch the kernel. A launch is then a call of
// the stub, which takes the configuration before the kernel's arguments; a call through a pointer needs no more.
#include "analysis/port_calls.hpp"
#include "analysis/port_records.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace cohort {
namespace {

constexpr llvm::StringLiteral stub_suffix = ".launch";
constexpr uint64_t register_bytes = 8;

// The attributes `original` for a function or a call with a new first argument.
llvm::AttributeList behind_first(llvm::LLVMContext& context, const llvm::AttributeList& original, unsigned parameters) {
  llvm::SmallVector<llvm::AttributeSet, 8> sets{llvm::AttributeSet()};
  for (unsigned i = 0; i < parameters; ++i) {
    sets.push_back(original.getParamAttrs(i));
  }
  return llvm::AttributeList::get(context, original.getFnAttrs(), original.getRetAttrs(), sets);
}

llvm::FunctionType* with_first(llvm::FunctionType& type, llvm::Type* first) {
  llvm::SmallVector<llvm::Type*, 8> parameters{first};
  parameters.append(type.param_begin(), type.param_end());
  return llvm::FunctionType::get(type.getReturnType(), parameters, type.isVarArg());
}

class stub_builder {
 public:
  explicit stub_builder(llvm::Module& module) : module_(module), builder_(module.getContext()) {}

  llvm::Function* declare_stub(llvm::Function& kernel) {
    llvm::Function* const stub = llvm::Function::Create(with_first(*kernel.getFunctionType(), builder_.getPtrTy()),
                                                        kernel.getLinkage(), kernel.getName() + stub_suffix, module_);
    stub->setVisibility(kernel.getVisibility());
    stub->setDSOLocal(kernel.isDSOLocal());
    stub->setCallingConv(kernel.getCallingConv());
    stub->setAttributes(
        behind_first(module_.getContext(), kernel.getAttributes(), static_cast<unsigned>(kernel.arg_size())));
    const std::string name = kernel.getName().str();
    if (facts().local_functions.count(name)) {
      facts().local_functions.insert(stub->getName().str());
    }
    return stub;
  }

  // Defines the stub of `kernel`, which stores the arguments and launches the kernel. pre: the kernel is defined in
  // this module
  void define(llvm::Function& stub, const llvm::Function& kernel, const kernel_fact& fact) {
    if (kernel.hasComdat()) {
      llvm::Comdat* const own = module_.getOrInsertComdat(stub.getName());
      own->setSelectionKind(kernel.getComdat()->getSelectionKind());
      stub.setComdat(own);
    }
    for (const auto unwanted : {llvm::Attribute::NoInline, llvm::Attribute::OptimizeNone, llvm::Attribute::NoReturn}) {
      stub.removeFnAttr(unwanted);
    }
    stub.addFnAttr(llvm::Attribute::AlwaysInline);  // a report has the line of the launch
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", &stub));
    auto* const table =
        builder_.CreateAlloca(llvm::ArrayType::get(builder_.getPtrTy(), std::max<size_t>(fact.parameters.size(), 1)));
    unsigned next = 1;  // argument of the stub
    for (unsigned i = 0; i < fact.parameters.size(); ++i) {
      llvm::Value* const address = in_memory(stub, fact.parameters[i], &next);
      builder_.CreateStore(address, builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), table, i));
    }
    builder_.CreateCall(declare(module_, port_call::cohort_launch_kernel), {&stub, stub.getArg(0), table});
    builder_.CreateRetVoid();
  }

 private:
  // The address of the parameter whose values begin with argument `next`.
  llvm::Value* in_memory(llvm::Function& stub, const parameter_fact& parameter, unsigned* next) {
    if (parameter.how != parameter_fact::passing::values) {
      return stub.getArg((*next)++);
    }
    const uint64_t bytes = llvm::alignTo(std::max<uint64_t>(parameter.bytes, 1), register_bytes);
    auto* const memory = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes));
    memory->setAlignment(llvm::Align(std::max<uint64_t>(parameter.alignment, register_bytes)));
    for (const uint64_t offset : parameter.offsets) {
      llvm::Value* value = stub.getArg((*next)++);
      if (value->getType()->isIntegerTy(1)) {
        value = builder_.CreateZExt(value, builder_.getInt8Ty());
      }
      builder_.CreateAlignedStore(value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory, offset),
                                  llvm::commonAlignment(memory->getAlign(), offset));
    }
    return memory;
  }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
};

// True for lists such as llvm.global.annotations, which are about the kernel itself.
bool is_in_list_of_llvm(const llvm::User& user) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&user)) {
    return variable->getName().starts_with("llvm.");
  }
  return llvm::isa<llvm::Constant>(user) && !user.use_empty() &&
         llvm::all_of(user.users(), [](const llvm::User* outer) { return is_in_list_of_llvm(*outer); });
}

bool is_referred_to(const llvm::Function& kernel) {
  return llvm::any_of(kernel.users(), [](const llvm::User* user) { return !is_in_list_of_llvm(*user); });
}

// The call of the kernel in the launch that `configured` branches around; null if no argument's evaluation returns.
llvm::CallInst* call_of_kernel(const llvm::BranchInst& configured) {
  const llvm::BasicBlock* const end = configured.getSuccessor(0);
  for (const llvm::BasicBlock* before : llvm::predecessors(end)) {
    if (before == configured.getParent()) {
      continue;
    }
    for (const llvm::Instruction& each : llvm::reverse(*before)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&each);
      if (call && !llvm::isa<llvm::IntrinsicInst>(call)) {
        return const_cast<llvm::CallInst*>(call);
      }
    }
  }
  return nullptr;
}

// The branch on the result of a call that configures a launch.
llvm::BranchInst* branch_on(llvm::CallInst& configure) {
  for (llvm::User* test : configure.users()) {
    for (llvm::User* user : test->users()) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(user);
      if (branch && branch->isConditional()) {
        return branch;
      }
    }
  }
  return nullptr;
}

// Makes `kernel(x)` of the launch a call with the configuration as its first argument.
void lower_launch(llvm::CallInst& configure, llvm::Function& set_shape) {
  llvm::Module& module = *configure.getModule();
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(&*configure.getFunction()->getEntryBlock().getFirstInsertionPt());
  auto* const shape = builder.CreateAlloca(ir_struct<cohort_launch_shape>(context));
  builder.SetInsertPoint(&configure);
  llvm::SmallVector<llvm::Value*, 8> arguments{shape};
  arguments.append(configure.arg_begin(), configure.arg_end());
  auto* const store = builder.CreateCall(&set_shape, arguments);
  const llvm::AttributeList attributes =
      behind_first(context, configure.getAttributes(), static_cast<unsigned>(configure.arg_size()));
  store->setAttributes(attributes.removeAttributesAtIndex(context, llvm::AttributeList::ReturnIndex));
  if (llvm::BranchInst* const branch = branch_on(configure)) {
    if (llvm::CallInst* const call = call_of_kernel(*branch)) {
      builder.SetInsertPoint(call);
      arguments = {shape};
      arguments.append(call->arg_begin(), call->arg_end());
      auto* const launch = builder.CreateCall(with_first(*call->getFunctionType(), builder.getPtrTy()),
                                              call->getCalledOperand(), arguments);
      launch->setAttributes(behind_first(context, call->getAttributes(), static_cast<unsigned>(call->arg_size())));
      launch->setCallingConv(call->getCallingConv());
      call->eraseFromParent();
    }
  }
  configure.replaceAllUsesWith(llvm::ConstantInt::get(configure.getType(), 0));
  configure.eraseFromParent();
}

void lower_launches(llvm::Module& module) {
  llvm::Function* const configure = module.getFunction(names::configure_launch);
  llvm::Function* const set_shape = module.getFunction(names::set_launch_shape);
  if (!configure || !set_shape) {
    return;
  }
  for (llvm::User* user : llvm::make_early_inc_range(configure->users())) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
      lower_launch(*call, *set_shape);
    }
  }
  if (configure->use_empty()) {
    configure->eraseFromParent();
  }
}

}  // namespace

llvm::Function* find_device_stub(const llvm::Module& module, llvm::StringRef kernel) {
  return module.getFunction((kernel + stub_suffix).str());
}

void lower_kernel_launches(llvm::Module& module) {
  lower_launches(module);
  stub_builder stubs(module);
  for (const auto& [name, fact] : facts().kernels) {
    llvm::Function* const kernel = module.getFunction(name);
    // With -rdc=true other files may refer to the kernel.
    const bool is_visible = kernel && facts().options.relocatable && !kernel->hasLocalLinkage();
    if (!kernel || kernel->isDeclaration() || (!is_visible && !is_referred_to(*kernel))) {
      continue;
    }
    llvm::Function* const stub = stubs.declare_stub(*kernel);
    kernel->replaceUsesWithIf(stub, [](llvm::Use& use) { return !is_in_list_of_llvm(*use.getUser()); });
    stubs.define(*stub, *kernel, fact);
  }
  for (const std::string& name : facts().undefined_kernels) {
    llvm::Function* const kernel = module.getFunction(name);
    if (kernel && kernel->isDeclaration() && !kernel->use_empty()) {
      llvm::Function* const stub = stubs.declare_stub(*kernel);
      facts().undefined_device.insert(stub->getName().str());
      kernel->replaceAllUsesWith(stub);
    }
  }
}

}  // namespace cohort
