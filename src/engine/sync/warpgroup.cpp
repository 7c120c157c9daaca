// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/warpgroup.hpp"

#include <algorithm>
#include <cohort/base/cuda_error.hpp>
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/warpgroup.hpp>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/fiber/fiber.hpp"
#include "engine/fiber/switch.hpp"
#include "engine/state/block.hpp"
#include "engine/state/failure.hpp"
#include "engine/state/running.hpp"
#include "engine/state/warpgroup_products.hpp"
#include "engine/sync/event.hpp"
#include "engine/tensor/warpgroup_product.hpp"

namespace cohort::engine {

namespace {

constexpr uint32_t all_lanes = 0xffffffffu;

// The block of the caller: one thread, or a gang, whose context has a valid `block` too.
block& block_of_caller() { return *const_cast<block*>(static_cast<const block*>(cohort_current_thread->block)); }

warpgroup_table& warpgroups_of(block& b) {
  if (!b.warpgroups.is_used()) b.warpgroups.use() = {};
  return *b.warpgroups;
}

bool is_equal(const warpgroup_instruction& a, const warpgroup_instruction& b) {
  return std::memcmp(&a.form, &b.form, sizeof a.form) == 0 && a.a_matrix == b.a_matrix && a.b_matrix == b.b_matrix &&
         a.adds == b.adds;
}

warpgroup_instruction instruction_of(const cohort_warpgroup_product& lane) {
  const bool has_registers = (lane.form.flags & cohort_warpgroup_a_is_registers) != 0;
  return {lane.form, has_registers ? 0 : lane.a_matrix, lane.b_matrix, lane.adds != 0 ? 1u : 0u};
}

warpgroup_operands operands_of(const block& b, const started_product& started, uint32_t warp) {
  const warpgroup_instruction& i = started.instruction;
  return {i.form,
          b.shared.static_start(),
          i.a_matrix,
          i.b_matrix,
          started.a,
          started.metadata,
          started.d->places.data(),
          i.adds != 0,
          warp % warps_per_warpgroup};
}

// The source place of a call that the lanes of a running warp make together: one of them runs, the others wait there.
const void* place_of(const warp& w) {
  if (running.warp != &w) return nullptr;  // a gang runs, so no lane of the warp waits there
  return w.lanes[current_lane_number() == 0 ? 1 : 0].waits_at();
}

void add_run(std::vector<matrix_bytes>& runs, const char* first, size_t bytes) {
  if (!runs.empty() && static_cast<const char*>(runs.back().first) + runs.back().bytes == first) {
    runs.back().bytes += bytes;
  } else {
    runs.push_back({first, bytes});
  }
}

// The bytes of shared memory that a warp reads for its rows.
std::vector<matrix_bytes> read_by(const warpgroup_operands& of) {
  std::vector<matrix_bytes> runs;
  const auto add_unit = [&](const char* unit) { add_run(runs, unit, shared_matrix::unit_bytes); };
  if ((of.form.flags & cohort_warpgroup_a_is_registers) == 0) {
    of.matrix_a().for_each_unit(rows_of_warp * of.warp, rows_of_warp, of.stored_k(), of.line_bytes_a(), add_unit);
  }
  of.matrix_b().for_each_unit(0, 8u * of.form.n_of_8, 8u * of.form.k_of_8, of.line_bytes_b(), add_unit);
  return runs;
}

bool is_shared(const block& b, const shared_matrix& matrix, unsigned lines, unsigned k, unsigned line_bytes) {
  bool is_inside = true;
  matrix.for_each_unit(0, lines, k, line_bytes, [&](const char* unit) {
    is_inside = is_inside && b.shared.holds(unit) && b.shared.holds(unit + shared_matrix::unit_bytes - 1);
  });
  return is_inside;
}

// A warp's next product as another warp of the warpgroup has started it; null if none has.
const warpgroup_instruction* started_by_another(const warpgroup_table& table, uint32_t warp) {
  const warpgroup_table::instructions& shared = table.of_warpgroup[warp / warps_per_warpgroup];
  const uint64_t number = table.started[warp] - shared.first;
  return number < shared.open.size() ? &shared.open[number] : nullptr;
}

// Records a warp's next product, and drops those that all warps of the warpgroup have started.
void note_started(const block& b, warpgroup_table& table, uint32_t warp, const warpgroup_instruction& started) {
  const uint32_t warpgroup = warp / warps_per_warpgroup, first_warp = warpgroup * warps_per_warpgroup;
  warpgroup_table::instructions& shared = table.of_warpgroup[warpgroup];
  if (table.started[warp]++ - shared.first == shared.open.size()) shared.open.push_back(started);
  uint64_t fewest = table.started[first_warp];
  for (uint32_t i = first_warp; i < first_warp + warps_per_warpgroup && i < b.warp_count; ++i) {
    fewest = table.started[i] < fewest ? table.started[i] : fewest;
  }
  for (; shared.first < fewest; ++shared.first) shared.open.pop_front();
}

// cohort_warpgroup_is_done if the matrices of a product lie in shared memory, else the status that names one.
cohort_warpgroup_status check_matrices(const block& b, const warpgroup_operands& of) {
  const bool has_registers = (of.form.flags & cohort_warpgroup_a_is_registers) != 0;
  if (!has_registers && !is_shared(b, of.matrix_a(), rows_of_warpgroup, of.stored_k(), of.line_bytes_a())) {
    return cohort_warpgroup_a_is_beyond_shared;
  }
  const bool holds_b = is_shared(b, of.matrix_b(), 8u * of.form.n_of_8, 8u * of.form.k_of_8, of.line_bytes_b());
  return holds_b ? cohort_warpgroup_is_done : cohort_warpgroup_b_is_beyond_shared;
}

cohort_warpgroup_status start_product(block& b, uint32_t lanes, void* const* operands) {
  const auto& first = *static_cast<const cohort_warpgroup_product*>(operands[lowest(lanes)]);
  if (lanes != all_lanes) return cohort_warpgroup_lacks_lanes;
  const warpgroup_instruction instruction = instruction_of(first);
  const uint32_t warp = first.thread / lanes_per_warp, registers = registers_of(first.form);
  started_product made = {instruction, {}, {}, nullptr, has_listener() ? place_of(b.warps[warp]) : nullptr};
  std::vector<uint32_t*> places(size_t{lanes_per_warp} * registers);
  for (uint32_t i = 0; i < lanes_per_warp; ++i) {
    const auto& lane = *static_cast<const cohort_warpgroup_product*>(operands[i]);
    if (!is_equal(instruction_of(lane), instruction)) return cohort_warpgroup_lanes_differ;
    std::memcpy(made.a[i], lane.a, sizeof made.a[i]);
    made.metadata[i] = lane.metadata;
    std::memcpy(&places[size_t{i} * registers], lane.d, registers * sizeof(uint32_t*));
  }
  const uint32_t first_thread = warp / warps_per_warpgroup * warps_per_warpgroup * lanes_per_warp;
  if (first_thread + warps_per_warpgroup * lanes_per_warp > b.threads_total) return cohort_warpgroup_lacks_warps;

  warpgroup_table& table = warpgroups_of(b);
  made.d = add_product(table, warp, std::move(places), made.place);
  const warpgroup_operands of = operands_of(b, made, warp);
  // The first warp of a product checks the matrices for all four.
  if (const warpgroup_instruction* const other = started_by_another(table, warp)) {
    if (!is_equal(*other, instruction)) return cohort_warpgroup_warps_differ;
  } else if (const cohort_warpgroup_status status = check_matrices(b, of); status != cohort_warpgroup_is_done) {
    return status;
  }
  note_started(b, table, warp, instruction);
  if (has_listener()) {
    const std::vector<matrix_bytes> runs = read_by(of);
    tell_listeners(product_started{{&b, warp * lanes_per_warp, runs.data(), runs.size(), made.place},
                                   table.fenced[warp],
                                   is_executed_by_another(table, warp, table.started[warp] - 1)});
  }
  table.products[warp].add(std::move(made));
  return cohort_warpgroup_is_done;
}

// Calls step(table, warp, operand of a lane), if the block has started products.
template <class Step>
void for_warp(uint32_t lanes, void* const* operands, Step step) {
  block& b = block_of_caller();
  const auto& first = *static_cast<const cohort_warpgroup_step*>(operands[lowest(lanes)]);
  const uint32_t status = lanes == all_lanes ? cohort_warpgroup_is_done : cohort_warpgroup_lacks_lanes;
  if (status == cohort_warpgroup_is_done && b.warpgroups.is_used()) {
    step(b, *b.warpgroups, first.thread / lanes_per_warp, first);
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    static_cast<cohort_warpgroup_step*>(operands[lowest(left)])->status = status;
  }
}

// Fails the launch: `missing` has a bit for each warp of a warpgroup that has started fewer products than others.
[[noreturn]] __attribute__((noinline, cold)) void fail_missing_warps(uint32_t warpgroup, uint32_t missing) {
  char warps[32];
  int length = 0;
  for (uint32_t left = missing; left; left &= left - 1) {
    const uint32_t next = left & (left - 1);
    const char* between = next == 0 ? "" : (next & (next - 1)) == 0 ? " and " : ", ";
    length += std::snprintf(warps + length, sizeof warps - static_cast<size_t>(length), "%u%s",
                            warpgroup * warps_per_warpgroup + lowest(left), between);
  }
  const bool is_one = (missing & (missing - 1)) == 0;
  fail_at(nullptr, error_launch_failure,
          "wgmma.mma_async: warp%s %s of warpgroup %u ha%s returned without it; all four warps execute each product",
          is_one ? "" : "s", warps, warpgroup, is_one ? "s" : "ve");
}

// Fails the launch if an accumulator lies below the frames of a lane that waits. The stack there holds other data by
// now, such as the registers of the waiting lane. In a gang, all code is in one frame.
void check_accumulators_live(const block& b, uint32_t warp, const accumulator_places& d) {
  if (running.warp != &b.warps[warp]) return;
  const uint32_t registers = d.registers(), runs = current_lane_number();
  for (uint32_t i = 0; i < lanes_per_warp; ++i) {
    if (i == runs) continue;
    const fiber& waiting = *b.warps[warp].lanes[i].fiber;
    const auto low = reinterpret_cast<uintptr_t>(waiting.stack->low);
    const auto frames = reinterpret_cast<uintptr_t>(lowest_frame(*waiting.registers));
    for (uint32_t r = 0; r < registers; ++r) {
      const auto place = reinterpret_cast<uintptr_t>(d.places[size_t{i} * registers + r]);
      if (place >= low && place < frames) {
        fail_at(nullptr, error_launch_failure,
                "wgmma.wait_group: a function has returned while a product had its variables as accumulators; declare "
                "the accumulators where the warp waits for the product");
      }
    }
  }
}

}  // namespace

void start_warpgroup_product(uint32_t lanes, void* const* operands) {
  const cohort_warpgroup_status status = start_product(block_of_caller(), lanes, operands);
  for (uint32_t left = lanes; left; left &= left - 1) {
    static_cast<cohort_warpgroup_product*>(operands[lowest(left)])->status = status;
  }
}

void end_warps_of_products(const block& b, uint32_t first_warp, uint32_t count) {
  for (uint32_t warp = first_warp; warp < first_warp + count;
       warp += warps_per_warpgroup - warp % warps_per_warpgroup) {
    const uint32_t first = warp / warps_per_warpgroup * warps_per_warpgroup;
    uint64_t most = 0;
    bool have_returned = true;
    for (uint32_t i = first; i < first + warps_per_warpgroup && i < b.warp_count; ++i) {
      const bool returns = i >= first_warp && i < first_warp + count;
      have_returned = have_returned && (returns || b.warps[i].live == 0);
      most = std::max(most, b.warpgroups->started[i]);
    }
    uint32_t missing = 0;
    for (uint32_t i = 0; i < warps_per_warpgroup; ++i) missing |= b.warpgroups->started[first + i] < most ? 1u << i : 0;
    if (have_returned && missing != 0) fail_missing_warps(warp / warps_per_warpgroup, missing);
  }
}

void fence_warpgroup(uint32_t lanes, void* const* operands) {
  warpgroups_of(block_of_caller());
  for_warp(lanes, operands, [](block&, warpgroup_table& table, uint32_t warp, const cohort_warpgroup_step&) {
    table.fenced[warp] = true;
  });
}

void note_proxy_fence() { raise_event(proxy_fenced{&block_of_caller(), cohort_current_thread->thread_rank}); }

void commit_warpgroup_products(uint32_t lanes, void* const* operands) {
  for_warp(lanes, operands, [](block&, warpgroup_table& table, uint32_t warp, const cohort_warpgroup_step&) {
    table.products[warp].commit();
  });
}

void finish_warpgroup_products(uint32_t lanes, void* const* operands) {
  for_warp(lanes, operands, [](block& b, warpgroup_table& table, uint32_t warp, const cohort_warpgroup_step& step) {
    table.products[warp].make_all_but(step.left, [&](const started_product& p) {
      check_accumulators_live(b, warp, *p.d);
      const warpgroup_operands of = operands_of(b, p, warp);
      multiply_in_warpgroup(of);
      remove_product(table, warp, p.d);
      const uint64_t number = table.executed[warp]++;
      if (!has_listener()) return;
      const std::vector<matrix_bytes> runs = read_by(of);
      tell_listeners(product_executed{{&b, warp * lanes_per_warp, runs.data(), runs.size(), p.place},
                                      !is_executed_by_another(table, warp, number)});
    });
  });
}

}  // namespace cohort::engine
