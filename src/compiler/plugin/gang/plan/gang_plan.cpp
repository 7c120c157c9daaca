// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/plan/gang_plan.hpp"

#include <algorithm>
#include <cohort/base/lane_mask.hpp>

namespace cohort {
namespace {

constexpr unsigned warp_size = detail::mask_size;

constexpr unsigned narrow_width = 16;
constexpr uint64_t largest_gang_locals = 32 * 1024;  // bytes, an eighth of the smallest stack
// A forced width may spill registers, but not without limit.
constexpr loop_registers forced_registers{.bits = 512, .count = 24};

struct width_row {
  bool (*applies)(const kernel_facts& facts);
  unsigned width;
};

// The widest gangs of a kernel, by the first row that applies. Wider gangs hide latency, switch less often at
// barriers, and walk through memory in longer steps. What runs lane by lane gains nothing, and takes long to compile.
// Blocks of two dimensions often have rows of 32 or 16 threads.
constexpr width_row widest_gangs[] = {
    {[](const kernel_facts& facts) { return facts.has_rows; }, warp_size},
    {[](const kernel_facts& facts) { return !facts.waits; }, 64},
    {[](const kernel_facts& facts) { return facts.estimate.lane_by_lane; }, 128},
    {[](const kernel_facts&) { return true; }, 256},
};

struct joint_rows {
  unsigned row_lanes;
  unsigned registers;  // registers that hold one 32-bit value of all lanes
};

// Gangs of several rows. The more rows, the less often the engine changes between gangs: with AVX-512 a block of 32 x 8
// or 16 x 16 is one gang. Half as many serve blocks of fewer rows, such as 32 x 4 and 16 x 8, and all multiples.
constexpr joint_rows registers_of_rows[] = {{32, 16}, {32, 8}, {16, 16}, {16, 8}};

// A loop keeps a value of all rows beside what an iteration loads. 0: the target has too few registers for two rows.
unsigned width_of(const joint_rows& rows, const loop_registers& registers) {
  const unsigned width = rows.registers * (registers.bits / 32);
  return 3 * rows.registers <= 2 * registers.count && width >= 2 * rows.row_lanes ? width : 0;
}

// A kernel that waits competes with a stack for each thread, any other with a loop that LLVM may vectorize.
bool gains(const kernel_facts& facts, const vector_target& target) {
  const double least_gain = facts.waits ? 1 : 1.5 * target.slowdown;
  return facts.estimate.gang * least_gain <= facts.estimate.threads;
}

// True if the values that a loop keeps are in registers, and the stack holds the local variables of all lanes.
bool fits(unsigned width, const gang_estimate& estimate, const loop_registers& registers) {
  return estimate.live_vectors * (width / (registers.bits / 32)) <= registers.count &&
         estimate.local_bytes * width <= largest_gang_locals;
}

unsigned widest_that_fits(const kernel_facts& facts, const vector_target& target) {
  const auto* row = std::ranges::find_if(widest_gangs, [&](const width_row& one) { return one.applies(facts); });
  const unsigned least = facts.waits ? warp_size : narrow_width;
  const bool has_wide_switches = facts.waits && !facts.estimate.lane_by_lane;
  unsigned width = std::min(row->width, has_wide_switches ? target.widest_waiting_gang : target.widest_gang);
  while (width > least && !fits(width, facts.estimate, target.registers)) {
    width /= 2;
  }
  return width;
}

// Widths of gangs in a row, the preferred one first. Only kernels that wait have several: the engine takes the first
// one that fits a launch.
std::vector<unsigned> row_widths(const kernel_facts& facts, const vector_target& target, const plan_request& request) {
  if (request.forced_width) {
    return {request.forced_width};
  }
  if (facts.has_warp_collectives) {
    return {warp_size};
  }
  if (!gains(facts, target)) {
    return {};
  }
  std::vector<unsigned> widths{widest_that_fits(facts, target)};
  if (facts.waits && widths.back() == 256) {
    widths.push_back(128);
  }
  if (facts.waits && widths.back() > warp_size) {
    widths.push_back(warp_size);
  }
  return widths;
}

void add_whole_rows(std::vector<version_plan>& versions, const kernel_facts& facts, const vector_target& target,
                    const plan_request& request) {
  if (request.forced_width || !facts.waits || !facts.has_rows) {
    return;
  }
  for (const joint_rows& rows : registers_of_rows) {
    // Gangs of one warp also run wider rows.
    const bool serves_most = rows.row_lanes < warp_size && rows.registers == 8;
    const bool is_wanted = request.all_versions || serves_most;
    if (const unsigned width = is_wanted ? width_of(rows, target.registers) : 0) {
      versions.push_back({version_kind::whole_rows, width, rows.row_lanes, false});
    }
  }
}

// Two warps run together only where the values of four do not fit.
void add_several_warps(std::vector<version_plan>& versions, const vector_target& target) {
  for (const unsigned width : {256u, 128u, 64u}) {
    if (width <= target.widest_gang) {
      versions.push_back({version_kind::several_warps, width, 0, false, width == 64});
    }
  }
}

void add_rows(std::vector<version_plan>& versions, const kernel_facts& facts, const vector_target& target,
              const plan_request& request, const std::vector<unsigned>& widths) {
  if (request.forced_width) {
    // A width that collectives of a warp forbid may still be that of several warps.
    const bool may_be_warps = facts.waits && request.forced_width > warp_size;
    versions.push_back({version_kind::row, request.forced_width, 0, !may_be_warps});
    if (may_be_warps) {
      versions.push_back({version_kind::several_warps, request.forced_width, 0, true, true});
    }
    return;
  }
  const bool one_warp = facts.waits && !request.all_versions;
  if (facts.has_warp_collectives && !one_warp) {
    add_several_warps(versions, target);
  }
  for (const unsigned width : widths) {
    if (!one_warp || width == widths.back()) {
      versions.push_back({version_kind::row, width});
    }
  }
  // Kernels of one dimension without loops get no narrow version: most of their blocks consist of whole gangs.
  if (!facts.waits && request.all_versions && widths.back() > narrow_width && (facts.has_loops || facts.has_rows)) {
    versions.push_back({version_kind::row, narrow_width, 0, false});
  }
}

// Blocks of 16 threads that scatter in a loop: in a gang of a whole warp the missing lanes would cost as much as the
// others.
void add_half_warp(std::vector<version_plan>& versions, const kernel_facts& facts, const plan_request& request) {
  if (facts.waits && facts.has_loops && facts.estimate.lane_by_lane && !facts.has_rows && !facts.has_warp_collectives &&
      !request.forced_width && request.all_versions) {
    versions.push_back({version_kind::half_warp, narrow_width, narrow_width, false});
  }
}

void add_other_blocks(std::vector<version_plan>& versions, const kernel_facts& facts, const plan_request& request,
                      unsigned width) {
  if (request.shares_other_blocks || (facts.waits && !request.all_versions)) {
    return;
  }
  // Straight code of gangs that compute and compare the indices of each lane gains little over a loop. A failed
  // assertion ends a loop.
  const bool loop_serves = !request.forced_width && !facts.waits && facts.is_straight && !facts.has_assertions;
  if (loop_serves) {
    versions.push_back({version_kind::thread_loop, 0, 0, false});
  }
  // Where a gang waits, blocks of other shapes may have a stack for each thread.
  versions.push_back({version_kind::any_block, width, 0, !facts.waits, loop_serves});
}

}  // namespace

bool serves_any_block(version_kind kind) {
  return kind == version_kind::any_block || kind == version_kind::thread_loop;
}

bool needs_estimate(const kernel_facts& facts, const plan_request& request) {
  return !request.forced_width && !facts.has_warp_collectives;
}

gang_plan plan_gangs(const kernel_facts& facts, const vector_target& target, const plan_request& request) {
  gang_plan plan;
  const std::vector<unsigned> widths = row_widths(facts, target, request);
  if (widths.empty()) {
    plan.refusal = "gangs would gain nothing";
    return plan;
  }
  plan.registers = request.forced_width ? forced_registers : target.registers;
  plan.needs_common_loop = !request.forced_width;
  plan.is_short = !request.all_versions;
  add_whole_rows(plan.versions, facts, target, request);
  add_rows(plan.versions, facts, target, request, widths);
  add_half_warp(plan.versions, facts, request);
  add_other_blocks(plan.versions, facts, request, widths.back());
  return plan;
}

std::string describe(const version_plan& version) {
  const std::string threads = std::to_string(version.width) + " threads";
  switch (version.kind) {
    case version_kind::row:
      return threads + " of a row";
    case version_kind::several_warps:
      return threads + " as " + std::to_string(version.width / warp_size) + " warps";
    case version_kind::whole_rows:
      return std::to_string(version.width / version.row_lanes) + " rows of " + std::to_string(version.row_lanes) +
             " threads";
    case version_kind::half_warp:
      return "blocks of " + threads;
    case version_kind::any_block:
      return threads + " of any block";
    case version_kind::thread_loop:
      return "a loop over the threads of any block";
  }
  return "";
}

}  // namespace cohort
