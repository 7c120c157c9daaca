// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/facts/why_no_gangs.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/source_place.hpp"
#include "gang/facts/frame.hpp"
#include "gang/structure/assertions.hpp"
#include "lower/context_reads.hpp"
#include "lowering.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cohort {
namespace {

constexpr unsigned largest_kernel = 5000;  // instructions of a kernel after inlining
constexpr uint64_t largest_locals =
    1024;  // bytes of locals of a lane; those of 64 lanes fill a quarter of the smallest stack

bool has_lane_calls(llvm::Function& function) {
  return any_call(function, [](llvm::CallBase& call) { return lane_call_of(call) || is_warp_collective(call); });
}

// True if `function` reads the thread's index or names the thread in a report, also in callees.
bool depends_on_thread(llvm::Function& function, llvm::SmallPtrSetImpl<llvm::Function*>& seen) {
  if (!seen.insert(&function).second) {
    return false;
  }
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) {
      return false;
    }
    const auto read = read_by(*call);
    return read == context_value::thread_index || reports_thread(port_call_of(*call)) ||
           (call->getCalledFunction() && depends_on_thread(*call->getCalledFunction(), seen));
  });
}

// The resolve function of a rendezvous holds the user's operator. A gang calls it as no thread in particular.
std::optional<std::string> why_resolve_may_wait(llvm::CallBase& rendezvous, wait_analysis& waiting) {
  auto* resolve = llvm::dyn_cast<llvm::Function>(rendezvous.getArgOperand(1)->stripPointerCasts());
  if (!resolve) {
    return std::nullopt;
  }
  if (waiting.why_it_may_wait(*resolve)) {
    return "the operator of a collective may wait" + source_place(rendezvous.getDebugLoc());
  }
  llvm::SmallPtrSet<llvm::Function*, 8> seen;
  return depends_on_thread(*resolve, seen) ? std::optional("the operator of a collective depends on its thread" +
                                                           source_place(rendezvous.getDebugLoc()))
                                           : std::nullopt;
}

}  // namespace

std::optional<std::string> why_excluded(llvm::Function& function) {
  if (facts().options.coverage) {
    return "coverage counts each thread";
  }
  for (const auto sanitizer :
       {llvm::Attribute::SanitizeAddress, llvm::Attribute::SanitizeThread, llvm::Attribute::SanitizeMemory}) {
    if (function.hasFnAttribute(sanitizer)) {
      return "sanitizers do not check masked accesses";
    }
  }
  // A lane whose assertion has failed never arrives at a collective, so its partners wait for ever. A collective
  // without a wait would leave the lane out.
  if (has_assertions(function) && has_lane_calls(function)) {
    return "it has assertions and collectives of a warp";
  }
  if (function.getInstructionCount() > largest_kernel) {
    return "it is too large";
  }
  return local_bytes(function) > largest_locals ? std::optional("its local variables are too large") : std::nullopt;
}

std::optional<std::string> why_lanes_may_wait(llvm::Function& function, wait_analysis& waiting) {
  // A failed assertion takes its lane out of the waits for which others spin.
  if (const auto loops = waiting.spinning_loops(function); !loops.empty() && has_assertions(function)) {
    return "a loop may wait for other threads" + source_place(loops.front()->getStartLoc());
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) {
      continue;
    }
    llvm::StringRef name = called_name(*call);
    const port_call called = port_call_of(*call);
    if ((is_warp_collective(*call) && !lane_call_of(*call)) || kind_of(called) == call_kind::team) {
      if (const auto why = why_resolve_may_wait(*call, waiting)) {
        return why;
      }
      continue;
    }
    const bool is_wait = may_suspend(called) && called != port_call::cohort_wait_converged && !copies_later(called);
    if (name.empty() || name.ends_with(".device") || call->isInlineAsm() || (is_wait && !is_gang_wait(called))) {
      name.consume_back("_light");
      return "it calls " + (name.empty() ? "a function through a pointer" : name.str()) +
             source_place(call->getDebugLoc());
    }
  }
  return std::nullopt;
}

}  // namespace cohort
