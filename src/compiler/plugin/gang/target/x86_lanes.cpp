// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/x86_lanes.hpp"

#include <cohort/base/lane_mask.hpp>
#include <numeric>

#include "gang/target/lane_shuffles.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace cohort {
namespace {

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

}  // namespace

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

llvm::Value* permute_pairs_avx512(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* source) {
  constexpr int lanes = 8;
  llvm::Value* wide_source = b.CreateZExt(source, llvm::FixedVectorType::get(b.getInt64Ty(), detail::mask_size));
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

llvm::Value* broadcast_mask_avx512(llvm::IRBuilder<>& b, llvm::Value* mask) {
  constexpr int lanes = 16;
  auto* words = llvm::FixedVectorType::get(b.getInt32Ty(), lanes);
  auto* broadcast = llvm::InlineAsm::get(llvm::FunctionType::get(words, {b.getInt16Ty()}, false),
                                         "vpbroadcastmw2d $1, $0", "=v,^Yk", false);
  llvm::Value* parts[2];
  for (int half = 0; half < 2; ++half) {
    llvm::SmallVector<int, lanes> part(lanes);
    std::iota(part.begin(), part.end(), half * lanes);
    auto* made = b.CreateCall(broadcast, {b.CreateBitCast(b.CreateShuffleVector(mask, part), b.getInt16Ty())});
    made->setDoesNotAccessMemory();
    made->setDoesNotThrow();
    parts[half] = made;
  }
  llvm::SmallVector<int, 32> twice;  // a splat of one element would become a computation of that element, and its splat
  for (unsigned lane = 0; lane < detail::mask_size; ++lane) {
    twice.push_back(static_cast<int>(lane) % lanes);
  }
  return b.CreateShuffleVector(b.CreateOr(parts[0], b.CreateShl(parts[1], lanes)), twice);
}

llvm::Value* gather_avx2(llvm::IRBuilder<>& b, llvm::Type* element, llvm::Value* base, llvm::Value* index,
                         unsigned scale, llvm::Value* mask) {
  const bool words = element->getPrimitiveSizeInBits() == 32;
  const bool narrow = index->getType()->getScalarSizeInBits() == 32;
  const auto instruction =
      words ? (narrow ? llvm::Intrinsic::x86_avx2_gather_d_ps_256 : llvm::Intrinsic::x86_avx2_gather_q_ps_256)
            : (narrow ? llvm::Intrinsic::x86_avx2_gather_d_pd_256 : llvm::Intrinsic::x86_avx2_gather_q_pd_256);
  const int lanes = words && narrow ? 8 : 4;
  auto* part = llvm::FixedVectorType::get(words ? b.getFloatTy() : b.getDoubleTy(), lanes);
  auto* bits = llvm::FixedVectorType::get(b.getIntNTy(words ? 32 : 64), lanes);
  const auto count = static_cast<int>(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
  llvm::SmallVector<llvm::Value*, 16> results;
  for (int first = 0; first < count; first += lanes) {
    llvm::Value* active = b.CreateBitCast(b.CreateSExt(slice(b, mask, first, lanes), bits), part);
    llvm::Value* loaded = b.CreateIntrinsic(instruction, {},
                                            {llvm::Constant::getNullValue(part), base, slice(b, index, first, lanes),
                                             active, b.getInt8(static_cast<uint8_t>(scale))});
    results.push_back(loaded);
  }
  const auto all_lanes = [&](llvm::Type* type) {
    return llvm::FixedVectorType::get(type, static_cast<unsigned>(count));
  };
  llvm::Value* all = llvm::concatenateVectors(b, results);
  return element->isPointerTy() ? b.CreateIntToPtr(b.CreateBitCast(all, all_lanes(b.getInt64Ty())), all_lanes(element))
                                : b.CreateBitCast(all, all_lanes(element));
}

}  // namespace cohort
