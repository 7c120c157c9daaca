// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/lane_code.hpp"

#include "gang/target/function_target.hpp"
#include "gang/target/lane_shuffles.hpp"
#include "gang/target/x86_lanes.hpp"

#include "llvm/IR/Constants.h"

namespace cohort {
namespace {

vector_target target_at(const llvm::IRBuilder<>& b) { return target_of(*b.GetInsertBlock()->getParent()); }

llvm::Value* permute_by_constants(llvm::IRBuilder<>& b, llvm::Value* vector, const llvm::ConstantDataVector& source) {
  llvm::SmallVector<int, 32> lanes;
  for (unsigned lane = 0; lane < detail::mask_size; ++lane) {
    lanes.push_back(static_cast<int>(source.getElementAsInteger(lane)));
  }
  return b.CreateShuffleVector(vector, lanes);
}

llvm::Value* permute_in_memory(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  llvm::IRBuilder<> entry(&*b.GetInsertBlock()->getParent()->getEntryBlock().getFirstInsertionPt());
  auto* memory = entry.CreateAlloca(vector->getType());
  b.CreateStore(vector, memory);
  auto* type = vector->getType()->getScalarType();
  llvm::Value* result = llvm::PoisonValue::get(vector->getType());
  for (unsigned lane = 0; lane < detail::mask_size; ++lane) {
    llvm::Value* address = b.CreateInBoundsGEP(type, memory, b.CreateExtractElement(source, lane));
    result = b.CreateInsertElement(result, b.CreateLoad(type, address), lane);
  }
  return result;
}

llvm::Value* permute_words(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  switch (target_at(b).permutation) {
    case lane_permutation::avx512:
      return permute_words_avx512(b, vector, source);
    case lane_permutation::avx2:
      return permute_words_avx2(b, vector, source);
    case lane_permutation::in_memory:
      return permute_in_memory(b, vector, source);
  }
  llvm_unreachable("a permutation without code");
}

// Values of 8 bytes as two permutations of words.
llvm::Value* permute_halves(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  auto* pairs_of_words = llvm::FixedVectorType::get(b.getInt32Ty(), 2 * detail::mask_size);
  llvm::Value* words = b.CreateBitCast(vector, pairs_of_words);
  llvm::Value* low = permute_words(b, b.CreateShuffleVector(words, every(0, 2, lane_count)), source);
  llvm::Value* high = permute_words(b, b.CreateShuffleVector(words, every(1, 2, lane_count)), source);
  llvm::SmallVector<int, 64> pairs;
  for (int lane = 0; lane < lane_count; ++lane) {
    pairs.push_back(lane);
    pairs.push_back(lane_count + lane);
  }
  return b.CreateBitCast(b.CreateShuffleVector(low, high, pairs), vector->getType());
}

}  // namespace

llvm::Value* permute_lanes(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantDataVector>(source)) {
    return permute_by_constants(b, vector, *constant);
  }
  if (vector->getType()->getScalarSizeInBits() == 32) {
    return permute_words(b, vector, source);
  }
  return target_at(b).permutation == lane_permutation::avx512 ? permute_pairs_avx512(b, vector, source)
                                                              : permute_halves(b, vector, source);
}

llvm::Value* broadcast_mask(llvm::IRBuilder<>& b, llvm::Value* mask) {
  return target_at(b).broadcasts_masks ? broadcast_mask_avx512(b, mask) : nullptr;
}

llvm::Value* gather_lanes(llvm::IRBuilder<>& b, llvm::Type* element, llvm::Value* base, llvm::Value* index,
                          unsigned scale, llvm::Value* mask) {
  return target_at(b).gathers ? gather_avx2(b, element, base, index, scale, mask) : nullptr;
}

}  // namespace cohort
