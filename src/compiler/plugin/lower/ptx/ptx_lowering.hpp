// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers one inline assembly statement of device code from PTX to IR.
#pragma once

#include <string>
#include <vector>

#include "lower/ptx/statement.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class InlineAsm;
}

namespace cohort {

struct conversion;
struct float_operation;
struct memory_access;
struct number_format;

bool is_shared_space(llvm::StringRef word);  // of an opcode

class ptx_lowering {
 public:
  explicit ptx_lowering(llvm::CallInst& call);

  // Emits IR before the call and replaces the call's results. Returns the first unknown statement, or "" if there is
  // none.
  std::string lower();

 private:
  // An operand of the assembly ("$0") or a register that it declares.
  struct operand {
    std::string name;
    llvm::Type* type = nullptr;
    llvm::Value* value = nullptr;  // after the statements lowered so far
  };

  bool bind_operands();
  void declare(llvm::StringRef name, llvm::Type* type);
  bool lower_scope(const ptx_statement& statement);  // braces, .reg, .pragma
  bool lower_guarded(const ptx_statement& statement);
  bool lower_statement(const ptx_statement& statement);
  bool lower_move(const ptx_statement& statement);
  bool lower_order(const ptx_statement& statement);
  bool lower_barrier(llvm::StringRef operation, llvm::ArrayRef<std::string> operands);
  bool lower_warp(const ptx_statement& statement);
  bool lower_integers(const ptx_statement& statement);
  bool lower_bits(const ptx_statement& statement);
  bool lower_space_test(const ptx_statement& statement);
  bool lower_cluster_address(const ptx_statement& statement);
  bool lower_pairs(const ptx_statement& statement);
  bool lower_video(const ptx_statement& statement);
  bool lower_carries(const ptx_statement& statement);
  bool lower_floats(const ptx_statement& statement);
  bool lower_small_floats(const ptx_statement& statement);
  llvm::Value* compute_float(const float_operation& operation, llvm::ArrayRef<llvm::Value*> operands);
  llvm::Value* compute_directed(const float_operation& operation, llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* compute_bfloat16(const float_operation& operation, llvm::ArrayRef<llvm::Value*> in);
  bool lower_comparison(const ptx_statement& statement);
  bool lower_predicates(const ptx_statement& statement);
  bool lower_conversion(const ptx_statement& statement);
  bool lower_integer_pack(const ptx_statement& statement);
  bool lower_packed_conversion(const conversion& conversion, llvm::ArrayRef<std::string> operands);
  llvm::Value* convert(const conversion& conversion, llvm::Value* value);
  llvm::Value* convert_to_float(const conversion& conversion, llvm::Value* value);
  llvm::Value* convert_to_small_float(const conversion& conversion, llvm::Value* value);
  llvm::Value* call_conversion(const conversion& conversion, llvm::StringRef from, llvm::Value* value);
  llvm::Value* keep_finite(const conversion& conversion, llvm::Value* value);
  llvm::Value* read_number(const number_format& format, llvm::Value* value);
  bool lower_memory(const ptx_statement& statement);
  bool lower_load(const memory_access& access, const ptx_statement& statement);
  bool lower_store(const memory_access& access, const ptx_statement& statement);
  bool lower_atomic(const memory_access& access, const ptx_statement& statement);
  bool lower_shuffle(const ptx_statement& statement);
  bool lower_vote(const ptx_statement& statement);
  bool lower_match(const ptx_statement& statement);
  bool lower_reduction(const ptx_statement& statement);
  bool lower_copy(const ptx_statement& statement);
  llvm::Value* address(llvm::StringRef text, bool is_shared);  // "[$1+8]"; 32 bits only for shared memory
  llvm::Value* shared_address(llvm::Value* low);
  llvm::Type* atomic_vector(const memory_access& access);
  llvm::Value* atomic_operation(const memory_access& access, llvm::Value* at, llvm::Value* value,
                                llvm::Value* replacement);
  llvm::Value* add_small_floats(const memory_access& access, llvm::Value* at, llvm::Value* bits);

  operand* find(llvm::StringRef text);  // "$0", "r0"
  llvm::Type* type_of(ptx_type type);
  llvm::Value* source(llvm::StringRef text, unsigned bits, bool is_signed);
  llvm::Value* float_source(llvm::StringRef text, unsigned bits);
  llvm::Value* typed_source(llvm::StringRef text, ptx_type type);
  llvm::Value* predicate(llvm::StringRef text);  // "p", "!p"
  bool write(llvm::StringRef text, llvm::Value* value, bool is_signed);
  // "d|p"; the part behind the bar may be absent, and `_` takes no value.
  bool write_both(llvm::StringRef text, llvm::Value* value, llvm::Value* predicate);
  llvm::Value* cast(llvm::Value* value, llvm::Type* type, bool is_signed = false);
  llvm::Value* special_register(llvm::StringRef name);
  llvm::Value* axis_register(llvm::StringRef name, unsigned axis);
  llvm::Value* warp_register(llvm::StringRef name);
  llvm::Value* position(const char* function, unsigned axis);
  llvm::Value* linear_rank(llvm::function_ref<llvm::Value*(unsigned axis)> index, const char* size_function);
  llvm::Value* volume(const char* size_function);
  llvm::Value* block_thread_rank();
  llvm::Value* call(llvm::StringRef function, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::CallInst& call_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  const llvm::InlineAsm& assembly_;
  std::vector<operand> operands_;  // those of the assembly, then registers; the last of a name is in scope
  std::vector<size_t> scopes_;     // the number of operands where each open scope began
  std::vector<unsigned> results_;  // indices of the outputs in operands_
  llvm::Value* carry_ = nullptr;   // the carry bit that `.cc` leaves, i1
};

}  // namespace cohort
