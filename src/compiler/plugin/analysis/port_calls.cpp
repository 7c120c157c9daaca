// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/port_calls.hpp"

#include <cohort/machine/cpu/port/kernel_calls.hpp>
#include <cohort/machine/cpu/port/module.hpp>

#include "analysis/port_tables.hpp"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr llvm::StringLiteral light_suffix = "_light";

struct port_function {
  llvm::StringLiteral name;
  call_kind kind;
  port_call gang_form;
  llvm::FunctionType* (*type)(llvm::LLVMContext&);
};

constexpr port_function rows[] = {
    {"", call_kind::none, port_call::none, nullptr},
#define COHORT_FUNCTION(kind, gang, name) {#name, call_kind::kind, port_call::gang, ir_function_type<decltype(name)>},
#define COHORT_POSITION_OF_AXIS(name, context, field) COHORT_FUNCTION(position, none, name)
#define COHORT_POSITION(result, name, context, field) COHORT_FUNCTION(position, none, name)
#define COHORT_LANES(role, result, name, parameters, attributes) COHORT_FUNCTION(lanes, none, name)
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) COHORT_FUNCTION(kind, gang, name)
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) COHORT_FUNCTION(kind, gang, name)
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) COHORT_FUNCTION(kind, none, name)
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) COHORT_FUNCTION(kind, none, name)

#include <cohort/machine/cpu/port/calls.inc>
#undef COHORT_FUNCTION
};

const function_table<port_call, port_function>& functions() {
  static const function_table<port_call, port_function> table(rows);
  return table;
}

}  // namespace

llvm::StringRef called_name(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  name.consume_front("\1");
  return name;
}

port_call port_call_named(llvm::StringRef name) {
  if (!is_of_cohort(name)) {
    return port_call::none;
  }
  name.consume_back(light_suffix);
  return functions().named(name);
}

port_call port_call_of(const llvm::CallBase& call) { return port_call_named(called_name(call)); }

call_entry entry_of(const llvm::CallBase& call) {
  return called_name(call).ends_with(light_suffix) ? call_entry::light : call_entry::ordinary;
}

llvm::StringRef name_of(port_call function) { return functions()[function].name; }

call_kind kind_of(port_call function) { return functions()[function].kind; }

port_call gang_form_of(port_call function) { return functions()[function].gang_form; }

port_call thread_form_of(port_call joint) {
  const auto* found = llvm::find_if(rows, [&](const port_function& f) { return f.gang_form == joint; });
  return joint == port_call::none || found == std::end(rows)
             ? port_call::none
             : static_cast<port_call>(std::distance(std::begin(rows), found));
}

llvm::FunctionCallee declare(llvm::Module& module, port_call function, call_entry which) {
  return functions().declare(module, function, which == call_entry::light ? llvm::StringRef(light_suffix) : "");
}

bool is_of_cohort(llvm::StringRef name) { return name.starts_with("cohort_"); }

bool is_gang_wait(port_call function) {
  switch (kind_of(function)) {
    case call_kind::barrier:
    case call_kind::vote:
    case call_kind::team:
      return true;
    default:
      return false;
  }
}

bool may_suspend(port_call function) {
  switch (kind_of(function)) {
    case call_kind::rendezvous:
    case call_kind::converged:
    case call_kind::barrier:
    case call_kind::vote:
    case call_kind::team:
    case call_kind::wait:
    case call_kind::copy_wait:
      return true;
    default:
      return false;
  }
}

bool copies_later(port_call function) {
  return kind_of(function) == call_kind::copy || kind_of(function) == call_kind::copy_wait;
}

bool reports_thread(port_call function) {
  return copies_later(function) || kind_of(function) == call_kind::report || kind_of(function) == call_kind::lane;
}

}  // namespace cohort
