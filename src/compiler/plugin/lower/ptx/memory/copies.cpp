// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of a thread into shared memory: cp.async.ca and cp.async.cg of 4, 8 and 16 bytes with the number
// of bytes to read or a predicate that reads none, cp.async.commit_group, cp.async.wait_group, cp.async.wait_all. They
// are the copies of __pipeline_memcpy_async(). Cache hints have no effect.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// "cp.async.cg.shared.global.L2::128B" -> true
bool is_copy(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  opcode.split(words, '.');
  if (words.size() < 5 || words[0] != "cp" || words[1] != "async" || (words[2] != "ca" && words[2] != "cg") ||
      !is_shared_space(words[3]) || words[4] != "global") {
    return false;
  }
  return llvm::all_of(llvm::ArrayRef(words).drop_front(5),
                      [](llvm::StringRef word) { return word.starts_with("L2::"); });
}

}  // namespace

// cp.async.ca.shared.global [to], [from], bytes{, taken or predicate}{, cache policy}
bool ptx_lowering::lower_copy(const ptx_statement& statement) {
  const llvm::StringRef opcode = statement.opcode;
  const auto& operands = statement.operands;
  auto* nothing = builder_.getVoidTy();
  if (opcode == "cp.async.commit_group" || opcode == "cp.async.wait_all") {
    call("cohort_copy_commit", nothing, {});
    if (opcode == "cp.async.wait_all") {
      call("cohort_wait_copies", nothing, {builder_.getInt32(0)});
    }
    return operands.empty();
  }
  if (opcode == "cp.async.wait_group" && operands.size() == 1) {
    llvm::Value* stages = source(operands[0], 32, false);
    if (stages) {
      call("cohort_wait_copies", nothing, {stages});
    }
    return stages != nullptr;
  }
  const bool has_policy = opcode.contains(".L2::cache_hint");
  const size_t most = has_policy ? 5 : 4;
  if (!is_copy(opcode) || operands.size() + 1 < most || operands.size() > most) {
    return false;
  }
  llvm::Value* to = address(operands[0], true);
  llvm::Value* from = address(operands[1], false);
  llvm::Value* bytes = source(operands[2], 32, false);
  llvm::Value* taken = bytes;
  if (operands.size() == most) {
    llvm::Value* none = predicate(operands[3]);
    taken = none && bytes ? builder_.CreateSelect(none, builder_.getInt32(0), bytes) : source(operands[3], 32, false);
  }
  if (!to || !from || !bytes || !taken) {
    return false;
  }
  call("cohort_ptx_copy", nothing, {to, from, bytes, taken});
  return true;
}

}  // namespace cohort
