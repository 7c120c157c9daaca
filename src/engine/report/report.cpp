// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "../execute/worker.hpp"
#include "../state/cluster.hpp"
#include "../state/grid.hpp"
#include "../sync/split_phase.hpp"
#include "../sync/team.hpp"
#include "source_place.hpp"

namespace cohort::engine {

namespace {

constexpr size_t most_blocks_shown = 4;

std::mutex report_mutex;
std::string& last_report() {
  static std::string text;
  return text;
}

std::string number(uint64_t value) { return std::to_string(value); }

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string triple(const uint32_t* v) { return "(" + number(v[0]) + "," + number(v[1]) + "," + number(v[2]) + ")"; }

std::string kernel_title(const grid& g) {
  const cohort_kernel& k = *g.launch->kernel;
  if (!(k.flags & 1)) return short_name(k.name ? k.name : "?");
  // A plain C++ function: its first instruction leads to its name. Places are those of calls, one byte before.
  const void* code = *static_cast<void* const*>(g.launch->arguments[0]);
  const void* place = static_cast<const char*>(code) + 1;
  return source_places({place}).at(place);
}

std::string heading(const grid& g, const char* what) {
  const char* kind = g.is_multi_device()     ? " (multi-device launch)"
                     : g.launch->cooperative ? " (cooperative launch)"
                                             : "";
  return "cohort: " + std::string(what) + " in kernel " + kernel_title(g) + " <<<" + triple(g.launch->grid) + ", " +
         triple(g.launch->block) + ">>>" + kind + "\n";
}

// "0-3, 5, 8-31"
std::string ranges(const std::vector<uint64_t>& sorted) {
  std::string text;
  for (size_t i = 0; i < sorted.size();) {
    size_t j = i;
    while (j + 1 < sorted.size() && sorted[j + 1] == sorted[j] + 1) ++j;
    if (!text.empty()) text += ", ";
    if (text.size() > 200) return text + "... (" + number(sorted.size()) + " in all)";
    text += number(sorted[i]);
    if (j > i) text += "-" + number(sorted[j]);
    i = j + 1;
  }
  return text;
}

std::string hexadecimal(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// Threads of the block that have arrived at an outer barrier, in the phase that fills.
std::string arrived_of(const block& b, int barrier) {
  return number(b.outer[barrier - cohort_barrier_cluster].arrived) + " of " + number(b.live) + " threads";
}

// What a lane does that waits at the barrier of a team, the cluster, the grid or the multi-grid.
std::string wide_state_of(const block& b, const warp& w, uint32_t bit, const thread& t) {
  int barrier = 0;
  while (!(b.waiting[barrier][&w - b.warps] & bit)) ++barrier;
  if (barrier == cohort_barrier_grid) {
    return "wait at the grid's barrier (grid_group.sync), where " + arrived_of(b, barrier) + " of the block arrived";
  }
  if (barrier > cohort_barrier_block) {
    return "wait at the barrier of the " + std::string(name_of(barrier)) + ", where " + arrived_of(b, barrier) +
           " of the block arrived";
  }
  const team_place p = place_in(b, barrier, t.thread_rank);
  const team& mine = b.teams->teams[p.index];
  return "wait in " + std::string(mine.operation ? mine.operation : "a collective") + " of the " + name_of(barrier) +
         " of threads " + number(p.first) + "-" + number(p.first + p.count - 1) + ", where " + number(mine.arrived) +
         " of " + number(mine.live) + " threads arrived";
}

// What one lane does, as a sentence without its place; the key under which threads are put together.
std::string state_of(const block& b, const warp& w, uint32_t bit, const thread& t) {
  if (!(w.live & bit)) return "returned from the kernel";
  if (w.in_collective & bit) {
    return "wait in " + std::string(b.collective_operation) + " of the thread_block, where " +
           number(b.threads_in_collective()) + " of " + number(b.live) + " threads arrived";
  }
  if (w.at_block & bit) {
    return "wait at the block's barrier (thread_block.sync, __syncthreads), where " + number(b.threads_at_barrier()) +
           " of " + number(b.live) + " threads arrived";
  }
  if (w.at_wide & bit) return wide_state_of(b, w, bit, t);
  if (w.converging & bit) return "wait for convergence (coalesced_threads)";
  if (w.spinning & bit) return "spin";
  if (w.ready & bit) return t.started() ? "can run" : "have not started";
  for (uint32_t open = w.open; open; open &= open - 1) {
    const rendezvous& m = w.meetings[lowest(open)];
    if (!(m.arrived & bit)) continue;
    const uint32_t missing = m.mask & w.live & ~m.arrived;
    const uint64_t warp_index = static_cast<uint64_t>(&w - b.warps);
    return "wait in " + std::string(m.operation ? m.operation : "a warp collective") + " of warp " +
           number(warp_index) + " with lane mask " + hexadecimal(m.mask) + ", where lanes " + hexadecimal(missing) +
           " are missing";
  }
  return "run";
}

struct party {
  std::vector<uint64_t> threads;
};

void describe_block(const block& b, std::string& text) {
  // One party for each (state, place); places are looked up together.
  std::map<std::pair<std::string, const void*>, party> parties;
  std::vector<const void*> addresses;
  for (uint32_t i = 0; i < b.threads_total; ++i) {
    const thread& t = b.threads[i];
    const warp& w = b.warps[i / lanes_per_warp];
    const bool waits = (w.live & t.lane_bit()) && !(w.ready & t.lane_bit());
    const void* place = waits ? t.waits_at() : nullptr;
    parties[{state_of(b, w, t.lane_bit(), t), place}].threads.push_back(i);
    if (place && std::find(addresses.begin(), addresses.end(), place) == addresses.end()) addresses.push_back(place);
  }
  const auto places = source_places(addresses);
  text += "  block " + triple(b.block_index) + ", " + number(b.threads_total) + " threads:\n";
  for (const auto& [key, p] : parties) {
    text += "    " + number(p.threads.size()) + (p.threads.size() == 1 ? " thread: " : " threads: ") + key.first;
    if (key.second) text += " at " + places.at(key.second);
    text += "\n      " + std::string(p.threads.size() == 1 ? "thread " : "threads ") + ranges(p.threads);
    if (b.block_dim[1] * b.block_dim[2] != 1) text += ", first " + triple(b.threads[p.threads.front()].thread_index);
    text += "\n";
  }
}

}  // namespace

void publish_report(const std::string& report) {
  std::fflush(stdout);
  std::fwrite(report.data(), 1, report.size(), stderr);
  std::fflush(stderr);
  const std::lock_guard lock(report_mutex);
  last_report() = report;
}

std::string describe_failure(const grid& g, const failure& f, const thread* t) {
  std::string text = heading(g, "failure");
  text += "  " + f.sentence + "\n";
  if (t && t->block) {
    text += f.thread_known ? "  thread " + triple(t->thread_index) : "  a thread";
    text += " of block " + triple(t->block->block_index);
    if (f.place) text += ", at " + source_places({f.place}).at(f.place);
    text += "\n";
  }
  return text;
}

std::string describe_stuck_block(const grid& g, const block& b) {
  std::string text = heading(g, "deadlock");
  text += "  no thread of the block can run, and what they wait for cannot happen any more\n";
  describe_block(b, text);
  return text;
}

std::string describe_stuck_cluster(const grid& g, const cluster& c) {
  std::string text = heading(g, "deadlock");
  std::vector<uint64_t> arrived, elsewhere, returned;
  for (uint64_t rank = 0; rank < c.blocks.size(); ++rank) {
    const block& b = *c.blocks[rank];
    (b.live == 0 ? returned : b.outer[0].sent ? arrived : elsewhere).push_back(rank);
  }
  text += "  cluster_group.sync: " + number(arrived.size()) + " of " + number(c.blocks.size()) +
          " blocks of the cluster arrived; the others wait elsewhere or returned from the kernel\n";
  text += "    arrived:  blocks " + ranges(arrived) + " of the cluster\n";
  if (!elsewhere.empty()) text += "    waiting elsewhere: blocks " + ranges(elsewhere) + " of the cluster\n";
  if (!returned.empty()) text += "    returned: blocks " + ranges(returned) + " of the cluster\n";
  size_t shown = 0;
  for (const block* b : c.blocks) {
    if (b->live && shown++ < most_blocks_shown) describe_block(*b, text);
  }
  return text;
}

namespace {

// Which blocks of a grid have come to one of its two barriers.
void describe_arrivals(const grid& g, int barrier, std::string& text) {
  std::vector<uint64_t> arrived, elsewhere, returned;
  for (uint64_t i = 0; i < g.blocks; ++i) {
    const block* b = g.resident[i];
    if (!b || b->rank != i || b->grid != &g || b->live == 0) {
      returned.push_back(i);
    } else {
      (b->outer[barrier - cohort_barrier_cluster].sent ? arrived : elsewhere).push_back(i);
    }
  }
  if (arrived.empty()) return;
  const char* where = g.is_multi_device() ? " of device " : "";
  text += "  " + std::string(name_of(barrier)) + ".sync: " + number(arrived.size()) + " of " + number(g.blocks) +
          " blocks" + where + (g.is_multi_device() ? number(static_cast<uint64_t>(g.launch->device)) : "") +
          " arrived; the others " +
          (elsewhere.empty() ? "returned from the kernel without it" : "wait elsewhere or returned") + "\n";
  text += "    arrived:  blocks " + ranges(arrived) + "\n";
  if (!elsewhere.empty()) text += "    waiting elsewhere: blocks " + ranges(elsewhere) + "\n";
  if (!returned.empty()) text += "    returned: blocks " + ranges(returned) + "\n";
}

}  // namespace

std::string describe_stuck_session(const session& s) {
  std::string text = heading(*s.grids.front(), "deadlock");
  for (const grid* g : s.grids) {
    describe_arrivals(*g, cohort_barrier_grid, text);
    describe_arrivals(*g, cohort_barrier_multi_grid, text);
  }
  size_t shown = 0;
  for (const grid* g : s.grids) {
    // One block that waits for each barrier, since the others look alike.
    for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers && shown < most_blocks_shown; ++barrier) {
      for (uint64_t i = 0; i < g->blocks; ++i) {
        const block* b = g->resident[i];
        if (!b || b->rank != i || b->grid != g || !b->live || !b->outer[barrier - cohort_barrier_cluster].sent)
          continue;
        describe_block(*b, text);
        ++shown;
        break;
      }
    }
  }
  return text;
}

std::string describe_spinning(const grid& g, const std::vector<std::unique_ptr<block>>& blocks) {
  std::string text = heading(g, "time-out");
  text += "  the grid has only spun for " + seconds(g.device->timeout_seconds) +
          " s (COHORT_TIMEOUT) without an arrival at a barrier\n";
  size_t shown = 0;
  for (const auto& b : blocks) {
    if (shown++ == most_blocks_shown) {
      text += "  and " + number(blocks.size() - most_blocks_shown) + " more blocks on this worker\n";
      break;
    }
    describe_block(*b, text);
  }
  return text;
}

std::string describe_assert(const thread& t, const char* expression, const char* file, int line, const char* function) {
  const auto square = [](const uint32_t* v) {
    return "[" + number(v[0]) + "," + number(v[1]) + "," + number(v[2]) + "]";
  };
  return std::string(file) + ":" + number(static_cast<uint64_t>(line)) + ": " + function +
         ": block: " + square(t.block->block_index) + ", thread: " + square(t.thread_index) + " Assertion `" +
         expression + "` failed.\n";
}

}  // namespace cohort::engine

extern "C" size_t cohort_copy_last_report(char* buffer, size_t size) {
  using namespace cohort::engine;
  const std::lock_guard lock(report_mutex);
  const std::string& text = last_report();
  if (buffer && size) {
    const size_t count = std::min(size - 1, text.size());
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  return text.size();
}
