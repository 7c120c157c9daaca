// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that identify the iterations of the loops around an instruction. Lanes of a warp that run separately have
// equal keys where a GPU runs them together.
#pragma once

#include <cstdint>

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
class Value;
}  // namespace llvm

namespace cohort {

class iteration_keys {
 public:
  // Makes keys for a function. `start`: the key outside of loops, which dominates all uses.
  iteration_keys(llvm::LoopInfo& loops, llvm::Value& start) : loops_(loops), start_(start) {}

  // The key in a block; made at the first call.
  llvm::Value* in(llvm::BasicBlock& block);

  // A number that differs from `key` and from its successors, which are the keys of the next iterations. `salt` differs
  // between the loops or calls of one function. Computed in front of `before`.
  static llvm::Value* mixed(llvm::Value& key, uint64_t salt, llvm::Instruction& before);

 private:
  llvm::Value* in_loop(llvm::Loop* loop);

  llvm::LoopInfo& loops_;
  llvm::Value& start_;
  llvm::DenseMap<llvm::Loop*, llvm::Value*> keys_;
};

}  // namespace cohort
