// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of machine/cpu/port/calls.inc as the plugin uses them: which one a call calls, what it does, and its
// declaration in a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class CallBase;
class Module;
}  // namespace llvm

namespace cohort {

// A function, by its name in calls.inc; `none`: any other.
enum class port_call : uint8_t {
  none,
#define COHORT_POSITION_OF_AXIS(name, context, field) name,
#define COHORT_POSITION(result, name, context, field) name,
#define COHORT_LANES(role, result, name, parameters, attributes) name,
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) name,
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) name,
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) name,
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) name,

#include <cohort/machine/cpu/port/calls.inc>

};

// The parameters of the functions, as calls.inc has them.
inline constexpr std::string_view port_parameters[] = {
    "",
#define COHORT_POSITION_OF_AXIS(name, context, field) "(int axis)",
#define COHORT_POSITION(result, name, context, field) "(void)",
#define COHORT_LANES(role, result, name, parameters, attributes) #parameters,
#define COHORT_CALL(kind, gang, result, name, parameters, attributes) #parameters,
#define COHORT_LIGHT_CALL(kind, gang, result, name, parameters, arguments) #parameters,
#define COHORT_GANG_CALL(kind, entries, result, name, parameters, attributes) #parameters,
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) #parameters,

#include <cohort/machine/cpu/port/calls.inc>

};

unsigned no_such_parameter();  // without a body: a call is no constant expression

// The position of the parameter `name` of `function`. Does not compile if the function has no such parameter.
consteval unsigned parameter_of(port_call function, std::string_view name) {
  const std::string_view parameters = port_parameters[static_cast<size_t>(function)];
  unsigned position = 0;
  for (size_t end = parameters.find_first_of(",)"), begin = 0; end != std::string_view::npos;
       begin = end + 1, end = parameters.find_first_of(",)", begin), ++position) {
    const std::string_view parameter = parameters.substr(begin, end - begin);
    if (parameter.ends_with(name) && parameter[parameter.size() - name.size() - 1] == ' ') {
      return position;
    }
  }
  return no_such_parameter();
}

// Kinds as calls.inc has them; `position` and `lanes` are the functions that the plugin replaces.
enum class call_kind : uint8_t {
  none,
  position,
  lanes,
  rendezvous,
  converged,
  barrier,
  vote,
  team,
  wait,
  copy,
  copy_wait,
  fixed,
  report,
  joint,
  lane,
  other
};

// The entry by which a port function is called: callers of the light entry preserve no registers.
enum class call_entry : uint8_t { ordinary, light };

// The name of the called function, without clang's mark for names given by `__asm__`.
llvm::StringRef called_name(const llvm::CallBase& call);

// The function of that name. The light entry of a function is the function.
port_call port_call_named(llvm::StringRef name);
port_call port_call_of(const llvm::CallBase& call);
call_entry entry_of(const llvm::CallBase& call);

llvm::StringRef name_of(port_call function);
call_kind kind_of(port_call function);
// The function that serves all lanes of a gang in one call; `none` if there is none.
port_call gang_form_of(port_call function);
// The function for one thread whose gang form `joint` is.
port_call thread_form_of(port_call joint);

// The declaration in `module`, added if it lacks one.
llvm::FunctionCallee declare(llvm::Module& module, port_call function, call_entry entry = call_entry::ordinary);

// True if the name is one of Cohort's own, which no program defines.
bool is_of_cohort(llvm::StringRef name);
// True for the barriers and collectives of the block and of larger groups that have a gang form.
bool is_gang_wait(port_call function);
// True if the function may suspend the calling thread.
bool may_suspend(port_call function);
// True for the functions of asynchronous copies: they act on the list of the calling thread, and never suspend it.
bool copies_later(port_call function);
// True if the function may end the launch, or prints, so that a report names the calling thread; and for those of
// asynchronous copies.
bool reports_thread(port_call function);

}  // namespace cohort
