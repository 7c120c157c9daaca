// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls about the lanes of a warp that have vector code in gangs: those of machine/cpu/port.hpp, and those that stand
// for a rendezvous once a kernel is copied for gangs (gang/widen/direct_calls.cpp).
#pragma once

#include <optional>

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
  match        // (mask, word)
};

struct lane_function {
  llvm::StringLiteral name;
  lane_call what;
  bool in_library;  // a function of port/calls.inc
};
inline constexpr lane_function lane_functions[] = {
#define COHORT_LANES(role, result, name, parameters, attributes) {#name, lane_call::role, true},
#include <cohort/machine/cpu/port/calls.inc>
    {"cohort_gang_ballot", lane_call::ballot, false},     {"cohort_gang_shuffle32", lane_call::shuffle, false},
    {"cohort_gang_shuffle64", lane_call::shuffle, false}, {"cohort_gang_match32", lane_call::match, false},
    {"cohort_gang_match64", lane_call::match, false},
};

std::optional<lane_call> lane_call_named(llvm::StringRef name);
std::optional<lane_call> lane_call_of(const llvm::CallBase& call);
// A call that all lanes of its mask make: a rendezvous of a warp, or what stands for one.
bool is_warp_collective(const llvm::CallBase& call);

}  // namespace cohort
