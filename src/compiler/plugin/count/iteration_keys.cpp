// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/iteration_keys.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {
namespace {

// An odd number without a pattern: products with it spread over 64 bits.
constexpr uint64_t spread = 0x9e3779b97f4a7c15;

}  // namespace

llvm::Value* iteration_keys::in(llvm::BasicBlock& block) { return in_loop(loops_.getLoopFor(&block)); }

llvm::Value* iteration_keys::mixed(llvm::Value& key, uint64_t salt, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  return builder.CreateMul(builder.CreateAdd(&key, builder.getInt64(salt)), builder.getInt64(spread), "cohort.key");
}

llvm::Value* iteration_keys::in_loop(llvm::Loop* loop) {
  if (!loop) {
    return &start_;
  }
  if (llvm::Value* known = keys_.lookup(loop)) {
    return known;
  }
  llvm::Value* outer = in_loop(loop->getParentLoop());
  llvm::BasicBlock* header = loop->getHeader();
  llvm::IRBuilder<> builder(header, header->begin());
  auto* key = builder.CreatePHI(builder.getInt64Ty(), 2, "cohort.iteration");
  const uint64_t salt = keys_.size() + 1;
  llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> values;  // a block may be a predecessor more than once
  for (llvm::BasicBlock* before : llvm::predecessors(header)) {
    llvm::Value*& value = values[before];
    if (!value) {
      value = loop->contains(before) ? llvm::IRBuilder<>(before->getTerminator()).CreateAdd(key, builder.getInt64(1))
                                     : mixed(*outer, salt, *before->getTerminator());
    }
    key->addIncoming(value, before);
  }
  keys_[loop] = key;
  return key;
}

}  // namespace cohort
