// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unrolled loop has one check for each copy of a read. Copies of one source place, at equal distances and without a
// write or a synchronisation between them, become one call in place of the first of them. The distance between two
// addresses is a constant, so the call needs the first address only.
#include "check/instrument_accesses.hpp"

#include <utility>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "check/access_check.hpp"
#include "check/check_calls.hpp"

namespace cohort {
namespace {

// The longer call costs more than it saves with fewer reads.
constexpr size_t fewest_reads = 4;

struct run_of_reads {
  llvm::SmallVector<llvm::CallInst*, 32> calls;
  int64_t stride = 0;
};

class check_merger {
 public:
  check_merger(llvm::Function& function, llvm::ScalarEvolution& evolution)
      : function_(function), evolution_(evolution) {}

  void run() {
    for (llvm::BasicBlock& block : function_) {
      for (llvm::Instruction& instruction : block) {
        const auto check = find_check(instruction);
        if (check && !check->writes && !check->unaligned) {
          add(*check);
        } else if (check || may_synchronise(instruction) || is_range_check(instruction)) {
          close_all();
        }
      }
      close_all();
    }
    for (const auto& [bytes, run] : complete_) {
      replace(bytes, run);
    }
  }

 private:
  using run_key = std::pair<const llvm::DILocation*, unsigned>;

  void add(const access_check& check) {
    const llvm::DILocation* const place = check.call->getDebugLoc().get();
    if (!place) {
      return;
    }
    run_of_reads& run = open_[{place, check.bytes}];
    const int64_t distance = run.calls.empty() ? 0 : distance_from(run.calls.back()->getArgOperand(0), check.address);
    const bool fits = distance != 0 && (run.calls.size() == 1 || distance == run.stride);
    if (!fits) {
      close(check.bytes, run);
    }
    run.stride = fits ? distance : 0;
    run.calls.push_back(check.call);
  }

  // The distance in bytes; 0 if it is unknown.
  int64_t distance_from(llvm::Value* before, llvm::Value* address) {
    const llvm::SCEV* const distance = evolution_.getMinusSCEV(evolution_.getSCEV(address), evolution_.getSCEV(before));
    const auto* const constant = llvm::dyn_cast<llvm::SCEVConstant>(distance);
    return constant ? constant->getAPInt().getSExtValue() : 0;
  }

  void close(unsigned bytes, run_of_reads& run) {
    if (run.calls.size() >= fewest_reads) {
      complete_.emplace_back(bytes, run);
    }
    run = {};
  }

  void close_all() {
    for (auto& [key, run] : open_) {
      close(key.second, run);
    }
    open_.clear();
  }

  void replace(unsigned bytes, const run_of_reads& run) {
    llvm::IRBuilder<> builder(run.calls.front());
    builder.CreateCall(declare(*function_.getParent(), check_call::cohort_check_reads),
                       {run.calls.front()->getArgOperand(0), builder.getInt64(static_cast<uint64_t>(run.stride)),
                        builder.getInt32(static_cast<uint32_t>(run.calls.size())), builder.getInt32(bytes)});
    for (llvm::CallInst* call : run.calls) {
      call->eraseFromParent();
    }
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::MapVector<run_key, run_of_reads> open_;
  llvm::SmallVector<std::pair<unsigned, run_of_reads>, 4> complete_;
};

}  // namespace

void merge_checks(llvm::Function& function, llvm::ScalarEvolution& evolution) {
  check_merger(function, evolution).run();
}

}  // namespace cohort
