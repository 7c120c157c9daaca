// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a function that runs code for one active lane after another. Operands and results pass through memory:
// LLVM lowers an access to an element with a variable index to a store of the vector and a load, each time.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

class lane_loop {
 public:
  // `part` has no body yet. Its first argument has one bit for each of `width` lanes. With `mask_registers`, results of
  // lanes stay in registers. With `all_lanes`, all bits are set, and the lanes have no results.
  lane_loop(llvm::Function& part, unsigned width, bool mask_registers, bool all_lanes = false);

  // The code of a lane goes here.
  llvm::IRBuilder<>& body() { return body_; }
  // The lane's element of a vector; other arguments are equal in all lanes.
  llvm::Value* element(llvm::Value* argument);
  // first + lane * stride, of a pointer in bytes.
  llvm::Value* linear(llvm::Value* first, int64_t stride);
  // A result of the lane: a value of lanes, or a structure of them.
  void keep(llvm::Value* result);
  // Ends the loop. The function returns a vector for the value that was kept, a structure of them if several were, or
  // nothing.
  void finish();

 private:
  struct kept {
    llvm::Value* place;  // address of the vector, or a phi of the vector before this lane
    llvm::Value* vector;
    llvm::Type* type;
  };

  llvm::Type* wide(llvm::Type* type) const;
  // count_lanes() and take_lowest_lane() begin the body and return the lane's number.
  llvm::Value* count_lanes();
  llvm::Value* take_lowest_lane();
  void keep_value(llvm::Value* result);
  void close_body(llvm::BasicBlock& done);
  void close_words(llvm::BasicBlock& next, llvm::BasicBlock& done);

  llvm::Function& part_;
  unsigned width_;
  bool mask_registers_;
  llvm::IRBuilder<> entry_;
  llvm::IRBuilder<> body_;
  llvm::PHINode* rest_ = nullptr;  // the lanes that are left in the word, this one included; null: with `all_lanes`
  llvm::PHINode* word_ = nullptr;  // the word's number, where the mask has several
  llvm::Value* lane_;
  llvm::SmallVector<kept, 2> results_;
};

}  // namespace cohort
