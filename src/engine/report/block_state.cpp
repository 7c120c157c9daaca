// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/block_state.hpp"

#include <algorithm>
#include <cohort/machine/cpu/port/mbarrier_state.hpp>
#include <map>
#include <vector>

#include "engine/report/debug/debug_layout.hpp"
#include "engine/report/json_text.hpp"
#include "engine/report/source_place.hpp"
#include "engine/report/text.hpp"
#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"

namespace cohort::engine {

namespace {

// Text for the lanes of the block that have arrived at an outer barrier in its current phase.
std::string arrived_of(const block& b, int barrier) {
  return number(b.outer_of(barrier).arrived) + " of " + number(b.live) + " threads";
}

// The named barrier at which a lane waits; null if it waits at none.
const named_barrier* named_barrier_of(const block& b, const warp& w, const lane& l) {
  if (!b.named.is_used()) return nullptr;
  const auto& all = b.named->barriers;
  const auto at = std::find_if(std::begin(all), std::end(all),
                               [&](const named_barrier& n) { return (n.waiting[&w - b.warps] & l.bit()) != 0; });
  return at == std::end(all) ? nullptr : at;
}

// "byte 8 of the dynamic shared memory".
std::string shared_place(const block& b, const void* address) {
  const auto* const at = static_cast<const char*>(address);
  if (!b.shared.holds(address)) return "an address in the shared memory of another block";
  const bool is_dynamic = at >= b.dynamic_shared;
  // A shared variable of a plain C++ kernel.
  if (!is_dynamic && at < b.static_shared) return "an address in the shared memory of the block";
  return "byte " + number(static_cast<uint64_t>(at - (is_dynamic ? b.dynamic_shared : b.static_shared))) + " of the " +
         (is_dynamic ? "dynamic" : "static") + " shared memory";
}

// "1 of 32 arrivals and 512 bytes".
std::string missing_of(const cpu::mbarrier_state& state) {
  std::string text;
  if (state.pending() != 0 || state.bytes() == 0) {
    text = number(state.pending()) + " of " + number(state.expected()) + " arrivals";
  }
  if (state.bytes() > 0) {
    text += (text.empty() ? "" : " and ") + number(static_cast<uint64_t>(state.bytes())) + " bytes";
  }
  if (state.bytes() < 0) {
    text += (text.empty() ? "" : " and ") + std::string("the expectation of ") +
            number(static_cast<uint64_t>(-state.bytes())) + " bytes that are complete";
  }
  return text;
}

// The mbarrier of a wait, and what its phase lacks.
std::string awaited_mbarrier(const block& b, const mbarrier_wait& wait) {
  const cpu::mbarrier_state state{__atomic_load_n(wait.word, __ATOMIC_RELAXED)};
  return "the mbarrier at " + shared_place(b, wait.word) + ", whose phase of parity " + number(wait.phase & 1) +
         " lacks " + missing_of(state);
}

// Text for the state of a lane that has yielded. A loop may do more than try to wait.
std::string spin_state_of(const block& b, const lane& l) {
  if (!b.mbarriers.is_used()) return "spin";
  const mbarrier_wait& last = b.mbarriers->waits[l.thread_rank];
  if (!last.word || last.is_over) return "spin";
  return "spin, after a try to wait at " + awaited_mbarrier(b, last);
}

// Text for a lane that waits at a named barrier, an mbarrier, or the barrier of a team, a cluster or a grid.
std::string wide_state_of(const block& b, const warp& w, const lane& l) {
  if (const named_barrier* const n = named_barrier_of(b, w, l)) {
    return "wait at barrier " + number(static_cast<uint64_t>(n - b.named->barriers)) + " of the block, where " +
           number(b.threads_arrived(*n)) + " of " + number(b.threads_needed(*n)) + " threads arrived";
  }
  if (b.mbarriers.is_used() && (b.mbarriers->waiting[&w - b.warps] & l.bit())) {
    return "wait at " + awaited_mbarrier(b, b.mbarriers->waits[l.thread_rank]);
  }
  int barrier = 0;
  while (!(b.waiting[barrier][&w - b.warps] & l.bit())) ++barrier;
  if (barrier > cohort_barrier_block && b.outer_of(barrier).resolve) {
    return "wait in " + std::string(b.outer_of(barrier).op_name) + " of the " + group_name_in(*b.grid, barrier) +
           ", where " + arrived_of(b, barrier) + " of the block arrived";
  }
  if (barrier == cohort_barrier_grid) {
    return "wait at the grid's barrier (grid_group.sync), where " + arrived_of(b, barrier) + " of the block arrived";
  }
  if (barrier > cohort_barrier_block) {
    return "wait at the barrier of the " + std::string(group_name_in(*b.grid, barrier)) + ", where " +
           arrived_of(b, barrier) + " of the block arrived";
  }
  const team_slot slot = slot_of(b.threads_total, barrier, l.thread_rank);
  const team& t = b.teams->teams[slot.index];
  return "wait in " + std::string(t.op_name ? t.op_name : "a collective") + " of the " + group_name(barrier) +
         " of threads " + number(slot.first) + "-" + number(slot.first + slot.count - 1) + ", where " +
         number(t.arrived) + " of " + number(t.live) + " threads arrived";
}

std::string rendezvous_state_of(const warp& w, uint64_t warp_number, const rendezvous& r) {
  const uint32_t missing = r.mask & w.live & ~r.arrived;
  return "wait in " + std::string(r.op_name ? r.op_name : "a warp collective") + " of warp " + number(warp_number) +
         " with lane mask " + hexadecimal(r.mask) + ", where lanes " + hexadecimal(missing) + " are missing";
}

// Whether the lane ran last, by itself or in the gang that ran last.
bool runs(const lane& l) { return current_lane() && l.fiber == current_lane()->fiber; }

// True for a lane of a gang in which other lanes spin. It continues after they have left their loop.
bool is_beside_spinners(const block& b, const lane& l) {
  return !runs(l) && b.grid->gang_width != 0 && (b.gangs.wide >> l.thread_rank / b.gangs.width & 1);
}

// Describes the state of a lane by a sentence without its source place. Threads with equal sentences share a paragraph.
std::string state_of(const block& b, const warp& w, const lane& l) {
  const uint32_t bit = l.bit();
  if (!(w.live & bit)) return "returned from the kernel";
  if (w.in_collective & bit) {
    return "wait in " + std::string(b.barrier.op_name) + " of the thread_block, where " +
           number(b.lanes_in_collective()) + " of " + number(b.live) + " threads arrived";
  }
  if (w.at_block & bit) {
    return "wait at the block's barrier (thread_block.sync, __syncthreads), where " + number(b.lanes_at_barrier()) +
           " of " + number(b.live) + " threads arrived";
  }
  if (w.at_wide & bit) return wide_state_of(b, w, l);
  if (w.converging & bit) return "wait for convergence (coalesced_threads)";
  if (w.spinning & bit) return spin_state_of(b, l);
  if (w.ready & bit) return l.fiber->started() ? "can run after a wait" : "have not started";
  for (uint32_t open = w.open; open; open &= open - 1) {
    const rendezvous& r = w.opened[lowest(open)];
    if (r.arrived & bit) return rendezvous_state_of(w, static_cast<uint64_t>(&w - b.warps), r);
  }
  return is_beside_spinners(b, l) ? "wait for the threads of their gang that spin" : "run";
}

// The threads of a block that wait at one source line, in one state.
struct state_at_place {
  std::string place;  // empty: unknown, or the threads do not wait
  std::vector<uint64_t> threads;
};

}  // namespace

void describe_block(const block& b, report_body& report) {
  cohort_debug_block = &b;
  std::vector<std::pair<std::string, const void*>> state_of_thread;
  std::vector<const void*> addresses;
  for (uint32_t i = 0; i < b.threads_total; ++i) {
    const lane& l = b.lanes[i];
    const warp& w = *l.warp;
    // A ready lane with a started fiber has not resumed: its last wait is still its source place.
    const bool waits = !runs(l) && (w.live & l.bit()) && (!(w.ready & l.bit()) || l.fiber->started());
    const void* place = waits ? l.waits_at() : nullptr;
    state_of_thread.emplace_back(state_of(b, w, l), place);
    if (place && std::find(addresses.begin(), addresses.end(), place) == addresses.end()) addresses.push_back(place);
  }
  // States are grouped by sentence and ordered by first thread, not by address: the optimizer orders and copies calls.
  const auto places = source_places(addresses);
  std::map<std::string, std::vector<state_at_place>> states_by_sentence;
  for (uint32_t i = 0; i < b.threads_total; ++i) {
    const auto& [sentence, address] = state_of_thread[i];
    const std::string place = address ? places.at(address) : "";
    std::vector<state_at_place>& known = states_by_sentence[sentence];
    auto at = std::find_if(known.begin(), known.end(), [&](const auto& state) { return state.place == place; });
    if (at == known.end()) at = known.insert(at, {place, {}});
    at->threads.push_back(i);
  }
  report += "  block " + triple(b.block_index) + ", " + number(b.threads_total) + " threads:\n";
  std::string states;
  for (const auto& [sentence, at_places] : states_by_sentence) {
    for (const auto& [place, threads] : at_places) {
      const bool one = threads.size() == 1;
      report += "    " + number(threads.size()) + (one ? " thread: " : " threads: ") + sentence;
      if (!place.empty()) report += " at " + place;
      report += "\n      " + std::string(one ? "thread " : "threads ") + ranges(threads);
      if (b.block_dim[1] * b.block_dim[2] != 1) report += ", first " + triple(b.lanes[threads.front()].thread_index);
      report += "\n";
      states += (states.empty() ? "{\"does\": " : ", {\"does\": ") + engine::quoted(sentence);
      if (!place.empty()) states += ", \"place\": " + engine::quoted(place);
      states += ", \"threads\": " + json_ranges(threads) + "}";
    }
  }
  report.blocks += (report.blocks.empty() ? "" : ", ") + ("{\"block\": " + json_triple(b.block_index)) +
                   ", \"threads\": " + number(b.threads_total) + ", \"states\": [" + states + "]}";
}

}  // namespace cohort::engine
