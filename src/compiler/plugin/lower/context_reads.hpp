// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <utility>

#include "analysis/context_calls.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

// Emits the loads at the builder's insertion point, each at most once.
class context_reader {
 public:
  explicit context_reader(llvm::IRBuilder<>& builder);
  llvm::Value* thread() const { return thread_; }  // the current thread's context
  llvm::Value* read(context_value value, unsigned axis);

 private:
  llvm::Value* block();

  llvm::IRBuilder<>& builder_;
  llvm::Value* thread_ = nullptr;
  llvm::Value* block_ = nullptr;
  std::map<std::pair<context_value, unsigned>, llvm::Value*> values_;
};

// Replaces the result of `call` by `value_of(value, axis)`, for a constant or a computed axis. The caller erases the
// call.
void replace_context_call(llvm::CallInst& call, llvm::function_ref<llvm::Value*(context_value, unsigned)> value_of);

// Stores a thread's index and rank into the context `thread`.
void write_thread_index(llvm::IRBuilder<>& builder, llvm::Value* thread, llvm::ArrayRef<llvm::Value*> index,
                        llvm::Value* rank);

}  // namespace cohort
