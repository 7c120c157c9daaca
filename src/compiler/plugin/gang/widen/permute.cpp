// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations of the 32 values of a warp by computed lanes: tables of two registers on AVX-512, of one on AVX2, memory
// elsewhere.
#include "gang/widen/instruction_widener.hpp"

#include "analysis/cpu_features.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace cohort {
namespace {

llvm::SmallVector<int, 64> every(int first, int step, int count) {
  llvm::SmallVector<int, 64> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(first + i * step);
  }
  return result;
}

}  // namespace

// pre: `source` < 32
llvm::Value* instruction_widener::permute(value* vector, value* source) {
  const int count = static_cast<int>(lanes_of_warp);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantDataVector>(source)) {
    llvm::SmallVector<int, 32> lanes;
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      lanes.push_back(static_cast<int>(constant->getElementAsInteger(lane)));
    }
    return b_.CreateShuffleVector(vector, lanes);
  }
  const bool is_words = vector->getType()->getScalarSizeInBits() == 32;
  if (is_words) {
    return permute_words(vector, source);
  }
  if (!has_feature(state_.function, "avx512f")) {
    auto* pairs_of_words = llvm::FixedVectorType::get(b_.getInt32Ty(), 2 * lanes_of_warp);
    value* words = b_.CreateBitCast(vector, pairs_of_words);
    value* low = permute_words(b_.CreateShuffleVector(words, every(0, 2, count)), source);
    value* high = permute_words(b_.CreateShuffleVector(words, every(1, 2, count)), source);
    llvm::SmallVector<int, 64> pairs;
    for (int lane = 0; lane < count; ++lane) {
      pairs.push_back(lane);
      pairs.push_back(count + lane);
    }
    return b_.CreateBitCast(b_.CreateShuffleVector(low, high, pairs), vector->getType());
  }
  constexpr int lanes = 8;
  value* wide_source = b_.CreateZExt(source, wide(b_.getInt64Ty()));
  llvm::SmallVector<value*, 4> tables, results;
  for (int first = 0; first < count; first += lanes) {
    tables.push_back(b_.CreateShuffleVector(vector, every(first, 1, lanes)));
  }
  for (int first = 0; first < count; first += lanes) {
    value* index = b_.CreateShuffleVector(wide_source, every(first, 1, lanes));
    value* low = b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_q_512, {}, {tables[0], index, tables[1]});
    value* high = b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_q_512, {}, {tables[2], index, tables[3]});
    results.push_back(b_.CreateSelect(b_.CreateIsNotNull(b_.CreateAnd(index, 16)), high, low));
  }
  value* low = b_.CreateShuffleVector(results[0], results[1], every(0, 1, 2 * lanes));
  value* high = b_.CreateShuffleVector(results[2], results[3], every(0, 1, 2 * lanes));
  return b_.CreateShuffleVector(low, high, every(0, 1, count));
}

llvm::Value* instruction_widener::permute_words(value* vector, value* source) {
  const int count = static_cast<int>(lanes_of_warp);
  if (has_feature(state_.function, "avx512f")) {
    constexpr int lanes = 16;
    value* low = b_.CreateShuffleVector(vector, every(0, 1, lanes));
    value* high = b_.CreateShuffleVector(vector, every(lanes, 1, lanes));
    value* results[2];
    for (int half = 0; half < 2; ++half) {
      value* index = b_.CreateShuffleVector(source, every(half * lanes, 1, lanes));
      results[half] = b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, index, high});
    }
    return b_.CreateShuffleVector(results[0], results[1], every(0, 1, count));
  }
  if (has_feature(state_.function, "avx2")) {
    constexpr int lanes = 8;
    llvm::SmallVector<value*, 4> results;
    for (int first = 0; first < count; first += lanes) {
      value* index = b_.CreateShuffleVector(source, every(first, 1, lanes));
      llvm::SmallVector<value*, 4> parts;
      for (int table = 0; table < count; table += lanes) {
        parts.push_back(b_.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {},
                                           {b_.CreateShuffleVector(vector, every(table, 1, lanes)), index}));
      }
      auto select = [&](uint64_t bit, value* if_set, value* if_clear) {
        return b_.CreateSelect(b_.CreateIsNotNull(b_.CreateAnd(index, bit)), if_set, if_clear);
      };
      results.push_back(select(16, select(8, parts[3], parts[2]), select(8, parts[1], parts[0])));
    }
    value* low = b_.CreateShuffleVector(results[0], results[1], every(0, 1, 2 * lanes));
    value* high = b_.CreateShuffleVector(results[2], results[3], every(0, 1, 2 * lanes));
    return b_.CreateShuffleVector(low, high, every(0, 1, count));
  }
  llvm::IRBuilder<> entry(&*state_.function.getEntryBlock().getFirstInsertionPt());
  auto* memory = entry.CreateAlloca(vector->getType());
  b_.CreateStore(vector, memory);
  auto* type = vector->getType()->getScalarType();
  value* result = llvm::PoisonValue::get(vector->getType());
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    value* address = b_.CreateInBoundsGEP(type, memory, b_.CreateExtractElement(source, lane));
    result = b_.CreateInsertElement(result, b_.CreateLoad(type, address), lane);
  }
  return result;
}

}  // namespace cohort
