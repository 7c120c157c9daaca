// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/collectives/direct_calls.hpp"

#include "analysis/lane_calls.hpp"

#include <cohort/machine/cpu/port/contexts.hpp>
#include <cohort/machine/cpu/port/matrix.hpp>

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// A resolve function, the call that stands for its rendezvous, and the layout of its operand.
struct known_resolve {
  const char* resolve;
  const char* direct;
  unsigned bits;      // the width of the value or word at offset 0
  int source_offset;  // where the source lane is; -1: none
  unsigned result_bits;
  unsigned result_offset;
};
constexpr known_resolve known_resolves[] = {
#define COHORT_BALLOT(joint, resolve) {#resolve, #joint, 32, -1, 32, 0},
#define COHORT_SHUFFLE(joint, resolve, operand) \
  {#resolve,                                    \
   #joint,                                      \
   8 * sizeof(operand::value),                  \
   offsetof(operand, source),                   \
   8 * sizeof(operand::result),                 \
   offsetof(operand, result)},
#define COHORT_MATCH(joint, resolve, operand) \
  {#resolve, #joint, 8 * sizeof(operand::word), -1, 8 * sizeof(operand::result), offsetof(operand, result)},

#include <cohort/machine/cpu/port/collectives.inc>

};

// The calls that stand for a product of matrices.
struct product_calls {
  const char *product, *put, *get, *resolve;
};
constexpr product_calls known_product = {
#define COHORT_PRODUCT(joint, put, get, resolve) #joint, #put, #get, #resolve

#include <cohort/machine/cpu/port/collectives.inc>

};

llvm::StringRef name_of(const llvm::Value* resolve) {
  llvm::StringRef name = resolve->stripPointerCasts()->getName();
  name.consume_back(".device");
  return name;
}

bool is_product(const llvm::Value* resolve) { return name_of(resolve) == known_product.resolve; }

const known_resolve* find(const llvm::Value* resolve) {
  const llvm::StringRef name = name_of(resolve);
  for (const known_resolve& known : known_resolves) {
    if (name == known.resolve) {
      return &known;
    }
  }
  return nullptr;
}

llvm::Value* field_of(llvm::IRBuilder<>& b, llvm::Value* operand, uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), operand, offset);
}

llvm::CallInst* call_direct(llvm::IRBuilder<>& b, const char* name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::NoCallback);
  return b.CreateCall(function, arguments);
}

// Emits a collective of the lanes that reach the call together: it is convergent, and does not merge with others.
llvm::CallInst* call_together(llvm::IRBuilder<>& b, const char* name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* made = call_direct(b, name, result, arguments);
  made->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  made->addFnAttr(llvm::Attribute::NoMerge);
  return made;
}

void replace(llvm::CallBase& call, const known_resolve& known) {
  llvm::IRBuilder<> b(&call);
  llvm::Value* operand = call.getArgOperand(rendezvous_operands);
  llvm::SmallVector<llvm::Value*, 4> arguments{call.getArgOperand(rendezvous_mask),
                                               b.CreateLoad(b.getIntNTy(known.bits), operand)};
  if (lane_call_named(known.direct) == lane_call::ballot) {
    arguments[1] = b.CreateIsNotNull(arguments[1]);  // the program's own condition, once simplified
  }
  if (known.source_offset >= 0) {
    const auto offset = static_cast<unsigned>(known.source_offset);
    arguments.push_back(b.CreateLoad(b.getInt32Ty(), field_of(b, operand, offset)));
  }
  arguments.push_back(call.getArgOperand(rendezvous_op_name));
  llvm::Value* result = call_together(b, known.direct, b.getIntNTy(known.result_bits), arguments);
  b.CreateStore(result, field_of(b, operand, known.result_offset));
  call.eraseFromParent();
}

// A product of matrices: the variable's words become registers of the gang, and those that the program reads come back.
// Loads of words that are never written, and stores of results that are never read, go with the variable.
void replace_product(llvm::CallBase& call) {
  llvm::IRBuilder<> b(&call);
  llvm::Value* operand = call.getArgOperand(rendezvous_operands);
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(operand->stripPointerCasts());
  const auto size = variable ? variable->getAllocationSize(variable->getDataLayout()) : std::nullopt;
  if (!size || size->isScalable() ||
      size->getFixedValue() > sizeof(cohort_matrix_operand) + 4 * cohort_matrix_largest_registers) {
    return;
  }
  const auto registers = (size->getFixedValue() - sizeof(cohort_matrix_operand)) / 4;
  auto word_at = [&](uint64_t i) { return field_of(b, operand, sizeof(cohort_matrix_operand) + 4 * i); };
  llvm::Type* word = b.getInt32Ty();
  auto put = [&](uint64_t number, llvm::Value* place) {
    call_direct(b, known_product.put, b.getVoidTy(),
                {b.getInt32(static_cast<uint32_t>(number)), b.CreateLoad(word, place)});
  };
  put(0, field_of(b, operand, offsetof(cohort_matrix_operand, metadata)));
  for (uint64_t i = 0; i < registers; ++i) {
    put(i + 1, word_at(i));
  }
  llvm::Value* form = b.CreateLoad(b.getInt64Ty(), field_of(b, operand, offsetof(cohort_matrix_operand, form)));
  llvm::Value* lanes =
      call_together(b, known_product.product, word,
                    {call.getArgOperand(rendezvous_mask), form, call.getArgOperand(rendezvous_op_name)});
  b.CreateStore(lanes, field_of(b, operand, offsetof(cohort_matrix_operand, lanes)));
  for (uint64_t i = 0; i < registers; ++i) {
    llvm::CallInst* result = call_direct(b, known_product.get, word, {b.getInt32(static_cast<uint32_t>(i + 1))});
    result->setOnlyReadsMemory();
    b.CreateStore(result, word_at(i));
  }
  call.eraseFromParent();
}

// Makes one call for each size of a tile, so that the masks of a tile are one value.
void share_tile_lanes(llvm::Function& kernel) {
  llvm::DenseMap<llvm::Value*, llvm::Instruction*> made;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || lane_call_of(*call) != lane_call::tile_lanes || !llvm::isa<llvm::Constant>(call->getArgOperand(0))) {
      continue;
    }
    if (llvm::Instruction* first = made.lookup(call->getArgOperand(0))) {
      call->replaceAllUsesWith(first);
      call->eraseFromParent();
    } else {
      call->moveBefore(&*kernel.getEntryBlock().getFirstInsertionPt());
      made[call->getArgOperand(0)] = call;
    }
  }
}

}  // namespace

void make_direct_calls(llvm::Function& kernel) {
  std::vector<std::pair<llvm::CallBase*, const known_resolve*>> found;
  std::vector<llvm::CallBase*> products;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && is_warp_collective(*call) && !lane_call_of(*call)) {
      const llvm::Value* resolve = call->getArgOperand(rendezvous_resolve);
      if (is_product(resolve)) {
        products.push_back(call);
      } else if (const known_resolve* known = find(resolve)) {
        found.emplace_back(call, known);
      }
    }
  }
  for (auto [call, known] : found) {
    replace(*call, *known);
  }
  for (llvm::CallBase* call : products) {
    replace_product(*call);
  }
  share_tile_lanes(kernel);
}

}  // namespace cohort
