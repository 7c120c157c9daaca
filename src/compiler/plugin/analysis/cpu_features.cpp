// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/cpu_features.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace cohort {

bool has_feature(const llvm::Function& function, llvm::StringRef feature) {
  llvm::SmallVector<llvm::StringRef, 64> words;
  function.getFnAttribute("target-features").getValueAsString().split(words, ',');
  bool result = false;
  for (llvm::StringRef word : words) {  // the last word about a feature counts
    if (word.size() == feature.size() + 1 && word.ends_with(feature)) {
      result = word.front() == '+';
    }
  }
  return result;
}

}  // namespace cohort
