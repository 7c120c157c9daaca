// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers one inline assembly statement of device code from PTX to IR.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class InlineAsm;
}

namespace cohort {

struct ptx_statement {
  std::string text;    // as written, for errors
  std::string opcode;  // "add.u32"
  std::vector<std::string> operands;
};

struct memory_access;

class ptx_lowering {
 public:
  explicit ptx_lowering(llvm::CallInst& call);

  // Emits IR before the call and replaces the call's results. Returns the first unknown statement, or "" if there is
  // none.
  std::string lower();

 private:
  struct operand {
    llvm::Type* type = nullptr;
    llvm::Value* value = nullptr;  // after the statements lowered so far
  };

  bool bind_operands();
  bool lower_move(const ptx_statement& statement);
  bool lower_order(const ptx_statement& statement);
  bool lower_arithmetic(const ptx_statement& statement);
  bool lower_memory(const ptx_statement& statement);  // ptx_memory.cpp
  bool lower_load(const memory_access& access, const ptx_statement& statement);
  bool lower_store(const memory_access& access, const ptx_statement& statement);
  bool lower_atomic(const memory_access& access, const ptx_statement& statement);
  llvm::Value* address(llvm::StringRef text);  // "[$1+8]"
  llvm::Value* value_of(llvm::StringRef text, llvm::Type* type);

  operand* find(llvm::StringRef text);  // "$0"
  llvm::Value* source(llvm::StringRef text, unsigned bits, bool is_signed);
  bool write(llvm::StringRef text, llvm::Value* value, bool is_signed);
  llvm::Value* cast(llvm::Value* value, llvm::Type* type, bool is_signed = false);
  llvm::Value* special_register(llvm::StringRef name);
  llvm::Value* axis_register(llvm::StringRef name, unsigned axis);
  llvm::Value* warp_register(llvm::StringRef name);
  llvm::Value* position(const char* function, unsigned axis);
  llvm::Value* linear_rank(llvm::function_ref<llvm::Value*(unsigned axis)> index, const char* size_function);
  llvm::Value* volume(const char* size_function);
  llvm::Value* block_thread_rank();
  llvm::Value* call(const char* function, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::CallInst& call_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  const llvm::InlineAsm& assembly_;
  std::vector<operand> operands_;
  std::vector<unsigned> results_;  // indices of the outputs in operands_
};

}  // namespace cohort
