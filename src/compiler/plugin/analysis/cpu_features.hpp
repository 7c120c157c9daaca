// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that a function is compiled for. A list of features has LLVM's spelling, such as "+avx2,-avx512f".
#pragma once

#include <algorithm>
#include <string_view>

namespace llvm {
class Function;
}

namespace cohort {

// True if the list switches `feature` on. Of several words about a feature, the last one decides.
inline bool enables(std::string_view features, std::string_view feature) {
  bool result = false;
  while (!features.empty()) {
    const std::string_view word = features.substr(0, features.find(','));
    features.remove_prefix(std::min(features.size(), word.size() + 1));
    if (word.size() == feature.size() + 1 && word.substr(1) == feature) {
      result = word.front() == '+';
    }
  }
  return result;
}

// True if code of `function` may use the instructions of `feature`, such as "fma".
bool has_feature(const llvm::Function& function, std::string_view feature);

}  // namespace cohort
