// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Position reads (cohort_thread_index, cohort_static_shared and the like). Before inlining they are calls of pure
// functions, which LLVM merges and moves freely. Afterwards they become loads from the contexts of
// machine/cpu/port.hpp, each once per function.
#include "lower/context_reads.hpp"

#include "analysis/port_calls.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include <cohort/machine/cpu/port/contexts.hpp>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// CUDA's limits. They let LLVM prove that no counter overflows: a dimension is at least 1, a block has at most 1024
// threads.
constexpr uint32_t largest_block = 1024, largest_grid = 0x7fffffff;

void limit(llvm::LoadInst& load, uint32_t first, uint32_t last) {
  llvm::MDBuilder metadata(load.getContext());
  load.setMetadata(llvm::LLVMContext::MD_range,
                   metadata.createRange(llvm::APInt(32, first), llvm::APInt(32, last + 1)));
}

// The offset of a value in its context, cohort_thread_context or cohort_block_context.
constexpr uint64_t offset_of(context_value value) {
  using thread = cohort_thread_context;
  using block = cohort_block_context;
  switch (value) {
#define COHORT_POSITION_OF_AXIS(name, context, field) \
  case context_value::field:                          \
    return offsetof(context, field);
#define COHORT_POSITION(result, name, context, field) \
  case context_value::field:                          \
    return offsetof(context, field);
#include <cohort/machine/cpu/port/calls.inc>
    case context_value::variable_delta:
      break;
  }
  return 0;
}

bool is_address(context_value value) {
  return value == context_value::static_shared || value == context_value::dynamic_shared ||
         value == context_value::exchange;
}

bool is_dimension(context_value value) {
  return value == context_value::grid_dim || value == context_value::cluster_dim;
}

llvm::LoadInst* load_fixed(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base, uint64_t offset) {
  auto* load = builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

void declare_pure(llvm::Function& function) {
  function.setAttributes({});
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  for (llvm::User* user : function.users()) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      call->setAttributes({});  // clang marks the calls convergent, which forbids merging
    }
  }
}

}  // namespace

context_reader::context_reader(llvm::IRBuilder<>& builder) : builder_(builder) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* current = module.getGlobalVariable(names::current_thread);
  if (!current) {
    current = new llvm::GlobalVariable(module, builder.getPtrTy(), false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                       names::current_thread, nullptr, llvm::GlobalValue::InitialExecTLSModel);
  }
  thread_ = load_fixed(builder, builder.getPtrTy(), builder.CreateThreadLocalAddress(current), 0);
}

llvm::Value* context_reader::block() {
  if (!block_) {
    block_ = load_fixed(builder_, builder_.getPtrTy(), thread_, offsetof(cohort_thread_context, block));
  }
  return block_;
}

llvm::Value* context_reader::read(context_value value, unsigned axis) {
  llvm::Value*& known = values_[{value, axis}];  // stays valid: a map does not move its elements
  if (!known) {
    llvm::IRBuilder<>& b = builder_;
    const bool address = is_address(value);
    if (value == context_value::thread_index) {
      auto* load = load_fixed(b, b.getInt32Ty(), thread_, offset_of(value) + 4 * axis);
      limit(*load, 0, largest_block - 1);
      known = load;
    } else if (value == context_value::variable_delta) {
      auto* table = variable_deltas(*b.GetInsertBlock()->getModule());
      auto* device = b.CreateZExt(read(context_value::device, 0), b.getInt64Ty());
      auto* slot = b.CreateInBoundsGEP(b.getInt64Ty(), table, device);
      known = load_fixed(b, b.getInt64Ty(), slot, 0);
    } else {
      auto* load = load_fixed(b, address ? static_cast<llvm::Type*>(b.getPtrTy()) : b.getInt32Ty(), block(),
                              offset_of(value) + 4 * axis);
      if (value == context_value::block_dim) {
        limit(*load, 1, largest_block);
      } else if (!address) {
        limit(*load, is_dimension(value) ? 1 : 0, largest_grid);
      }
      known = load;
    }
  }
  return known;
}

void write_thread_index(llvm::IRBuilder<>& builder, llvm::Value* thread, llvm::ArrayRef<llvm::Value*> index,
                        llvm::Value* rank) {
  auto store = [&](llvm::Value* value, uint64_t offset) {
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread, offset));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    store(index[axis], offsetof(cohort_thread_context, thread_index) + 4 * axis);
  }
  store(rank, offsetof(cohort_thread_context, thread_rank));
}

void replace_context_call(llvm::CallInst& call, llvm::function_ref<llvm::Value*(context_value, unsigned)> value_of) {
  const context_value value = *read_by(call);  // NOLINT(bugprone-unchecked-optional-access): the caller has checked it
  llvm::Value* result = nullptr;
  if (call.arg_size() == 0) {
    result = value_of(value, 0);
  } else if (auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0))) {
    result = value_of(value, std::min<uint64_t>(axis->getZExtValue(), 2));
  } else {
    llvm::Value* x = value_of(value, 0);
    llvm::Value* y = value_of(value, 1);
    llvm::Value* z = value_of(value, 2);
    llvm::IRBuilder<> builder(&call);
    auto is = [&](uint64_t n) { return builder.CreateICmpEQ(call.getArgOperand(0), builder.getInt32(n)); };
    result = builder.CreateSelect(is(0), x, builder.CreateSelect(is(1), y, z));
  }
  call.replaceAllUsesWith(result);
}

void prepare_context_reads(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (kind_of(port_call_named(function.getName())) == call_kind::fixed) {
      declare_pure(function);
    }
  }
  for (const context_function& read : context_functions) {
    if (llvm::Function* function = module.getFunction(read.name)) {
      declare_pure(*function);
      function->addFnAttr(llvm::Attribute::Speculatable);
      function->addFnAttr(llvm::Attribute::NoSync);
      function->addFnAttr(llvm::Attribute::NoCallback);
    }
  }
}

void lower_context_reads(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const auto calls = context_calls(function);
    if (calls.empty()) {
      continue;
    }
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    context_reader reader(builder);
    for (llvm::CallInst* call : calls) {
      replace_context_call(*call, [&](context_value value, unsigned axis) { return reader.read(value, axis); });
    }
    for (llvm::CallInst* call : calls) {
      call->eraseFromParent();
    }
  }
  for (const context_function& read : context_functions) {
    llvm::Function* function = module.getFunction(read.name);
    if (function && function->use_empty()) {
      function->eraseFromParent();
    }
  }
}

}  // namespace cohort
