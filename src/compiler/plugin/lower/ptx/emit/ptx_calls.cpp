// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/ptx_calls.hpp"

#include "analysis/port_calls.hpp"
#include "analysis/port_tables.hpp"

namespace cohort::ptx {
namespace {

struct ptx_function {
  llvm::StringLiteral name;
  llvm::FunctionType* (*type)(llvm::LLVMContext&);
};

constexpr ptx_function ptx_functions[] = {
    {"", nullptr},
#define COHORT_PTX_CALL(result, name, parameters) {#name, ir_function_type<result parameters>},

#include <cudart/cudart_detail/device/ptx/functions.inc>

};

const function_table<ptx_call, ptx_function>& functions() {
  static const function_table<ptx_call, ptx_function> table(ptx_functions);
  return table;
}

}  // namespace

ptx_call ptx_call_named(llvm::StringRef name) { return is_of_cohort(name) ? functions().named(name) : ptx_call::none; }

llvm::FunctionCallee declare(llvm::Module& module, ptx_call function) { return functions().declare(module, function); }

}  // namespace cohort::ptx
