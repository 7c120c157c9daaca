// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The versions of a kernel that run in gangs, decided from facts about the kernel and its CPU. The table of
// docs/design/gangs.md as code, without LLVM: gang/build makes the versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gang/plan/kernel_facts.hpp"
#include "gang/target/vector_target.hpp"

namespace cohort {

enum class version_kind : uint8_t {
  row,            // lanes are neighbours in x, where blockDim.x is a multiple of the width
  several_warps,  // one row as several warps, which execute each instruction together
  whole_rows,     // several rows of a block whose blockDim.x is `row_lanes`
  half_warp,      // a whole block of 16 threads
  any_block,      // all other blocks: computes the indices of each lane
  thread_loop,    // all other blocks: a loop over their threads
};

// True for versions that run blocks of any shape, false for versions that need whole rows.
bool serves_any_block(version_kind kind);

struct version_plan {
  version_kind kind;
  unsigned width = 0;        // threads of a gang
  unsigned row_lanes = 0;    // lanes of a row, in a version of whole rows
  bool is_required = true;   // the kernel runs in no gangs if this version is refused
  bool is_fallback = false;  // made only if no earlier version serves the same blocks
  bool operator==(const version_plan&) const = default;
};

struct gang_plan {
  std::vector<version_plan> versions;  // in the order in which the engine tries them; empty: no gangs
  std::string_view refusal;            // why there are no versions
  loop_registers registers = {};       // registers that versions of several warps or rows may fill
  bool needs_common_loop = false;      // versions of several warps repeat a loop together, or are not made
  bool is_short = false;               // the source is too large for further versions
};

// Wishes of the command line, and limits by the rest of the source.
struct plan_request {
  unsigned forced_width = 0;         // 0: the plan selects widths
  bool all_versions = true;          // false: the source is large, so versions for few blocks are left out
  bool shares_other_blocks = false;  // the first CPU's version for all other blocks serves this CPU, too
};

// False if the plan does not read the estimate.
bool needs_estimate(const kernel_facts& facts, const plan_request& request);

gang_plan plan_gangs(const kernel_facts& facts, const vector_target& target, const plan_request& request);

// The version's text in --cohort-report, such as "256 threads of a row".
std::string describe(const version_plan& version);

}  // namespace cohort
