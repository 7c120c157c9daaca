// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/calls/calls.hpp"
#include "math/wide_math.hpp"

#include <numeric>

#include "llvm/ADT/SmallVector.h"

namespace cohort {
namespace {

llvm::SmallVector<int, 64> numbers_from(unsigned first, unsigned count) {
  llvm::SmallVector<int, 64> result(count);
  std::iota(result.begin(), result.end(), static_cast<int>(first));
  return result;
}

}  // namespace

bool call_widener::widen_math(llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const auto form = callee ? wide_form_of(*callee, width_, state_.function) : std::nullopt;
  if (!form) {
    return false;
  }
  llvm::SmallVector<value*, 2> arguments;
  for (value* argument : call.args()) {
    arguments.push_back(vector_of(argument));
  }
  // One result for each vector register, then pairs of them until one is left. Widths are powers of two.
  llvm::SmallVector<value*, 32> results;
  for (unsigned first = 0; first < width_; first += form->lanes) {
    llvm::SmallVector<value*, 2> part;
    for (value* argument : arguments) {
      part.push_back(width_ == form->lanes ? argument
                                           : b_.CreateShuffleVector(argument, numbers_from(first, form->lanes)));
    }
    results.push_back(b_.CreateCall(form->function, part));
  }
  for (unsigned lanes = form->lanes; results.size() > 1; lanes *= 2) {
    for (size_t i = 0; i < results.size() / 2; ++i) {
      results[i] = b_.CreateShuffleVector(results[2 * i], results[2 * i + 1], numbers_from(0, 2 * lanes));
    }
    results.truncate(results.size() / 2);
  }
  values_.replace(call, results.front());
  return true;
}

}  // namespace cohort
