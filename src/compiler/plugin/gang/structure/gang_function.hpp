// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ownership of a function that may be erased again, such as a version that is refused.
#pragma once

#include <utility>

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace cohort {

// Owns a function of a module. The destructor erases it, with the results of its analyses.
class gang_function {
 public:
  gang_function() = default;
  gang_function(llvm::Function* function, llvm::FunctionAnalysisManager& analyses)
      : function_(function), analyses_(&analyses) {}
  gang_function(gang_function&& other) noexcept
      : function_(std::exchange(other.function_, nullptr)), analyses_(other.analyses_) {}
  gang_function& operator=(gang_function&& other) noexcept {
    if (this != &other) {
      erase();
      function_ = std::exchange(other.function_, nullptr);
      analyses_ = other.analyses_;
    }
    return *this;
  }
  gang_function(const gang_function&) = delete;
  gang_function& operator=(const gang_function&) = delete;
  ~gang_function() { erase(); }

  explicit operator bool() const { return function_ != nullptr; }
  llvm::Function& operator*() const { return *function_; }
  llvm::Function* operator->() const { return function_; }
  llvm::Function* get() const { return function_; }
  // Gives up the ownership: the module keeps the function.
  llvm::Function* release() { return std::exchange(function_, nullptr); }

 private:
  void erase() {
    if (function_) {
      analyses_->clear(*function_, function_->getName());
      function_->eraseFromParent();
    }
  }

  llvm::Function* function_ = nullptr;
  llvm::FunctionAnalysisManager* analyses_ = nullptr;
};

}  // namespace cohort
