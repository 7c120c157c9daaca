// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/collectives/permute.hpp"

#include "analysis/cpu_features.hpp"
#include "gang/shape/shapes.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace cohort {
namespace {

constexpr int lane_count = static_cast<int>(lanes_of_warp);

llvm::SmallVector<int, 64> every(int first, int step, int count) {
  llvm::SmallVector<int, 64> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(first + i * step);
  }
  return result;
}

// `count` adjacent elements.
llvm::Value* slice(llvm::IRBuilder<>& b, llvm::Value* vector, int first, int count) {
  return b.CreateShuffleVector(vector, every(first, 1, count));
}

llvm::Value* join_four(llvm::IRBuilder<>& b, llvm::ArrayRef<llvm::Value*> parts) {
  const int lanes = lane_count / 4;
  llvm::Value* low = b.CreateShuffleVector(parts[0], parts[1], every(0, 1, 2 * lanes));
  llvm::Value* high = b.CreateShuffleVector(parts[2], parts[3], every(0, 1, 2 * lanes));
  return b.CreateShuffleVector(low, high, every(0, 1, lane_count));
}

llvm::Value* select_by_bit(llvm::IRBuilder<>& b, llvm::Value* index, uint64_t bit, llvm::Value* if_set,
                           llvm::Value* if_clear) {
  return b.CreateSelect(b.CreateIsNotNull(b.CreateAnd(index, bit)), if_set, if_clear);
}

llvm::Value* permute_by_constants(llvm::IRBuilder<>& b, llvm::Value* vector, const llvm::ConstantDataVector& source) {
  llvm::SmallVector<int, 32> lanes;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    lanes.push_back(static_cast<int>(source.getElementAsInteger(lane)));
  }
  return b.CreateShuffleVector(vector, lanes);
}

llvm::Value* permute_words_avx512(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  constexpr int lanes = 16;
  llvm::Value* low = slice(b, vector, 0, lanes);
  llvm::Value* high = slice(b, vector, lanes, lanes);
  llvm::Value* results[2];
  for (int half = 0; half < 2; ++half) {
    llvm::Value* index = slice(b, source, half * lanes, lanes);
    results[half] = b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, index, high});
  }
  return b.CreateShuffleVector(results[0], results[1], every(0, 1, lane_count));
}

llvm::Value* permute_words_avx2(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  constexpr int lanes = 8;
  llvm::SmallVector<llvm::Value*, 4> results;
  for (int first = 0; first < lane_count; first += lanes) {
    llvm::Value* index = slice(b, source, first, lanes);
    llvm::SmallVector<llvm::Value*, 4> parts;
    for (int table = 0; table < lane_count; table += lanes) {
      parts.push_back(b.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {slice(b, vector, table, lanes), index}));
    }
    results.push_back(select_by_bit(b, index, 16, select_by_bit(b, index, 8, parts[3], parts[2]),
                                    select_by_bit(b, index, 8, parts[1], parts[0])));
  }
  return join_four(b, results);
}

llvm::Value* permute_in_memory(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  llvm::IRBuilder<> entry(&*b.GetInsertBlock()->getParent()->getEntryBlock().getFirstInsertionPt());
  auto* memory = entry.CreateAlloca(vector->getType());
  b.CreateStore(vector, memory);
  auto* type = vector->getType()->getScalarType();
  llvm::Value* result = llvm::PoisonValue::get(vector->getType());
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    llvm::Value* address = b.CreateInBoundsGEP(type, memory, b.CreateExtractElement(source, lane));
    result = b.CreateInsertElement(result, b.CreateLoad(type, address), lane);
  }
  return result;
}

llvm::Value* permute_words(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  const llvm::Function& function = *b.GetInsertBlock()->getParent();
  return has_feature(function, "avx512f") ? permute_words_avx512(b, vector, source)
         : has_feature(function, "avx2")  ? permute_words_avx2(b, vector, source)
                                          : permute_in_memory(b, vector, source);
}

llvm::Value* permute_pairs_avx512(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  constexpr int lanes = 8;
  llvm::Value* wide_source = b.CreateZExt(source, llvm::FixedVectorType::get(b.getInt64Ty(), lanes_of_warp));
  llvm::SmallVector<llvm::Value*, 4> tables, results;
  for (int first = 0; first < lane_count; first += lanes) {
    tables.push_back(slice(b, vector, first, lanes));
  }
  for (int first = 0; first < lane_count; first += lanes) {
    llvm::Value* index = slice(b, wide_source, first, lanes);
    auto from = [&](llvm::Value* a, llvm::Value* c) {
      return b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_q_512, {}, {a, index, c});
    };
    llvm::Value* low = from(tables[0], tables[1]);
    llvm::Value* high = from(tables[2], tables[3]);
    results.push_back(select_by_bit(b, index, 16, high, low));
  }
  return join_four(b, results);
}

// Values of 8 bytes as two permutations of words.
llvm::Value* permute_halves(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  auto* pairs_of_words = llvm::FixedVectorType::get(b.getInt32Ty(), 2 * lanes_of_warp);
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
  return has_feature(*b.GetInsertBlock()->getParent(), "avx512f") ? permute_pairs_avx512(b, vector, source)
                                                                  : permute_halves(b, vector, source);
}

}  // namespace cohort
