// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls about the lanes of a warp that become vector code in gangs. port/calls.inc has the calls that kernels contain.
// port/collectives.inc has those that replace a rendezvous in a kernel's copy for gangs.
#pragma once

#include <optional>

#include "analysis/port_calls.hpp"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
}  // namespace llvm

namespace cohort {

enum class lane_call {
  tile_lanes,  // (size)
  here,        // (): the lanes that execute the call
  first,       // (value)
  permute,     // (value, source)
  ballot,      // (mask, i1 predicate)
  shuffle,     // (mask, value, source)
  match,       // (mask, word)
  product,     // (mask, i64 form): multiplies matrices in the gang's registers; returns the participating lanes
  put,         // (register, i32 word): the word of each lane
  get          // (register)
};

// Operands of lane calls, and of a rendezvous of a warp. A call that stands for a rendezvous has its op_name last.
enum lane_call_operand : unsigned {
  tile_lanes_size = parameter_of(port_call::cohort_tile_lanes, "size"),
  first_value = parameter_of(port_call::cohort_gang_first, "value"),
  permute_value = parameter_of(port_call::cohort_gang_permute32, "value"),
  permute_source = parameter_of(port_call::cohort_gang_permute32, "source"),
  collective_mask = 0,
  collective_value,  // the value; the predicate of a vote, the word of a match
  collective_source,
  product_form = 1,
  register_number = 0,
  register_word = 1
};
enum rendezvous_operand : unsigned {
  rendezvous_mask = parameter_of(port_call::cohort_wait_warp, "mask"),
  rendezvous_resolve = parameter_of(port_call::cohort_wait_warp, "resolve"),
  rendezvous_operands = parameter_of(port_call::cohort_wait_warp, "operands"),
  rendezvous_op_name = parameter_of(port_call::cohort_wait_warp, "op_name")
};

struct lane_function {
  llvm::StringLiteral name;
  lane_call what;
  bool in_library;  // a function of port/calls.inc
};
inline constexpr lane_function lane_functions[] = {
#define COHORT_LANES(role, result, name, parameters, attributes) {#name, lane_call::role, true},
#include <cohort/machine/cpu/port/calls.inc>

#define COHORT_BALLOT(joint, resolve) {#joint, lane_call::ballot, false},
#define COHORT_SHUFFLE(joint, resolve, operand) {#joint, lane_call::shuffle, false},
#define COHORT_MATCH(joint, resolve, operand) {#joint, lane_call::match, false},
#define COHORT_PRODUCT(joint, put_word, get_word, resolve) \
  {#joint, lane_call::product, false}, {#put_word, lane_call::put, false}, {#get_word, lane_call::get, false},

#include <cohort/machine/cpu/port/collectives.inc>

};

std::optional<lane_call> lane_call_named(llvm::StringRef name);
std::optional<lane_call> lane_call_of(const llvm::CallBase& call);
// A call that all lanes of its mask make: a rendezvous of a warp, or what stands for one.
bool is_warp_collective(const llvm::CallBase& call);

}  // namespace cohort
