// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/report/block_state.hpp"
#include "engine/report/debug/debug_layout.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/json_text.hpp"
#include "engine/report/source_place.hpp"
#include "engine/report/text.hpp"
#include "engine/settings/settings.hpp"
#include "engine/state/cluster.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

namespace {

constexpr size_t most_blocks_shown = 4;
constexpr int kernel_start_bytes = 128;  // least code size of a kernel with an array on its stack

std::mutex report_mutex;
std::string& last_report() {
  static std::string text;
  return text;
}

// Prints the report, stores it for copy_last_report(), and fails the launch. Failed assertions come first, and their
// error is the launch's.
void publish(session& s, int error, report_body report) {
  if (s.assertions.any()) {
    report.text = s.assertions.text() + report.text;
    error = error_assert;
  }
  print_report(report);
  cohort_debug_report(report.text.c_str());
  s.fail(error);
}

}  // namespace

const void* plain_kernel(const grid& g) {
  const bool is_plain = (g.launch->kernel->flags & cohort_kernel_plain) != 0;
  return is_plain ? *static_cast<void* const*>(g.launch->arguments[0]) : nullptr;
}

std::string plain_kernel_title(const void* code) {
  // Places are those of the byte before a return address, so one is added. Inlined functions may begin the kernel.
  const void* place = static_cast<const char*>(code) + 1;
  const std::vector<std::string> calls = source_calls({place})[place];
  return calls.empty() ? source_places({place}).at(place) : calls.back();
}

std::string kernel_title(const grid& g) {
  if (const void* const code = plain_kernel(g)) return plain_kernel_title(code);
  const char* const name = g.launch->kernel->name;
  return short_name(name ? name : "?");
}

namespace {

// For reports in JSON: the rule that a problem breaks, and a remedy. The text of a failure contains both.
struct problem_rule {
  const char *problem, *rule, *remedy;
};
constexpr problem_rule rules[] = {
    {"deadlock", "each thread that a barrier or a collective waits for must arrive at it",
     "barriers and collectives outside of conditions that differ between their threads"},
    {"time-out", "a thread may poll only for what a running thread or an earlier launch brings about",
     "an order of locks and flags in which each wait ends, or a cooperative launch"},
};

// The thread that launched the kernel; empty if the host did.
std::string launcher_line(const grid& g) {
  const cohort_launcher* const by = g.launch->launcher;
  if (!by) return "";
  return "  launched by thread " + triple(by->thread) + " of block " + triple(by->block) +
         (by->kernel ? " of kernel " + short_name(by->kernel->name) : "") + "\n";
}

report_body heading(const grid& g, const char* problem) {
  std::string kind = g.is_multi_device()     ? " (multi-device launch)"
                     : g.launch->cooperative ? " (cooperative launch)"
                                             : "";
  if (g.shared->world) {
    kind = " (launch over a world, rank " + number(g.shared->first_rank + g.index) + " of " +
           number(g.shared->ranks()) + ")";
  }
  const std::string kernel = kernel_title(g);
  report_body body{"cohort: " + std::string(problem) + " in kernel " + kernel + " <<<" + triple(g.launch->grid) + ", " +
                   triple(g.launch->block) + ">>>" + kind + "\n" + launcher_line(g)};
  body.members = ", \"title\": " + engine::quoted(problem) + ", \"kernel\": " + engine::quoted(kernel) +
                 ", \"grid\": " + json_triple(g.launch->grid) + ", \"block\": " + json_triple(g.launch->block);
  for (const problem_rule& r : rules) {
    if (problem != std::string_view(r.problem)) continue;
    body.members += ", \"rule\": " + engine::quoted(r.rule) + ", \"remedy\": " + engine::quoted(r.remedy);
  }
  return body;
}

// The threads that may have failed. A loop that the watchdog ends executes all threads that it names, and any of them
// may have caused a fault.
std::string failed_threads(const failure& f, const lane& l) {
  if (f.lane_known) return "thread " + triple(l.thread_index);
  if (f.threads.empty()) return "a thread";
  const bool all = f.signal == abandon_signal() || f.error == error_launch_timeout;
  return (all ? "threads " : "one of threads ") + ranges(f.threads);
}

// The place of a failure. For a fault in the C library or in the engine it is the kernel's own call.
std::string place_of(const grid& g, const failure& f) {
  if (f.overrun) {
    // Searches the kernel's first instructions, because those that unpack the arguments may have no line.
    std::vector<const void*> frames;
    for (int i = 0; i < kernel_start_bytes; i += 4) frames.push_back(static_cast<const char*>(f.place) + i);
    if (std::string place = innermost_place(frames, f.place); !place.empty()) return place;
  }
  if (f.caller_count > 0) {
    std::vector<const void*> frames;
    frames.reserve(static_cast<size_t>(f.caller_count) + 1);
    if (f.place) frames.push_back(f.place);
    for (int i = 0; i < f.caller_count; ++i) frames.push_back(f.callers[i]);
    const auto code = reinterpret_cast<const void*>(g.launch->kernel->thread_entry);
    if (std::string place = innermost_place(frames, code); !place.empty()) return place;
  }
  return f.place ? source_places({f.place}).at(f.place) : "";
}

report_body describe_failure(const grid& g, const failure& f, const lane* l) {
  report_body text = heading(g, "failure");
  text += "  " + std::string(f.sentence) + "\n";
  text.members += ", \"rule\": " + engine::quoted(f.sentence);
  if (l && l->block) {
    const std::string thread = failed_threads(f, *l) + " of block " + triple(l->block->block_index);
    const std::string place = f.place ? place_of(g, f) : "";
    text += "  " + thread + (f.place ? ", at " + place : "") + "\n";
    text.members += ", \"access\": {\"kind\": \"failed\", \"thread\": " + engine::quoted(thread);
    text.members += (place.empty() ? "" : ", \"place\": " + engine::quoted(place)) + "}";
  }
  return text;
}

// Ranks of blocks, sorted by their state at a barrier.
struct block_ranks {
  std::vector<uint64_t> arrived, elsewhere, returned;
};

void list_blocks(const block_ranks& ranks, const char* suffix, report_body& text) {
  text += "    arrived:  blocks " + ranges(ranks.arrived) + suffix + "\n";
  if (!ranks.elsewhere.empty()) text += "    waiting elsewhere: blocks " + ranges(ranks.elsewhere) + suffix + "\n";
  if (!ranks.returned.empty()) text += "    returned: blocks " + ranges(ranks.returned) + suffix + "\n";
}

// Text for the lanes that vote at the block's barrier, if the others do not, or vote by another function.
std::string describe_votes(const block_barrier& barrier, uint32_t live) {
  constexpr const char* names[block_votes] = {"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"};
  std::string list;
  for (int vote = 0; vote < block_votes; ++vote) {
    const uint32_t lanes = barrier.votes[vote];
    if (lanes == 0 || lanes == live) continue;
    list += (list.empty() ? "  " : ", ") + number(lanes) + (list.empty() ? " of them are in " : " in ") + names[vote];
  }
  return list.empty() ? list : list + ": all threads of a block must call the same function\n";
}

// Describes at most `most` blocks of the cluster with threads that have not returned, beside `described`.
void describe_live_blocks(const cluster& c, const block* described, size_t most, report_body& text) {
  size_t shown = 0;
  for (const block* b : c.blocks) {
    if (b != described && b->live && shown++ < most) describe_block(*b, text);
  }
}

report_body describe_stuck_block(const block& b) {
  report_body text = heading(*b.grid, "deadlock");
  text += "  no thread of the block can run, and what they wait for cannot happen any more\n";
  text += describe_votes(b.barrier, b.live);
  describe_block(b, text);
  // Threads of the other blocks have yet to arrive.
  if (b.waits_for_cluster()) describe_live_blocks(*b.cluster, &b, most_blocks_shown - 1, text);
  return text;
}

report_body describe_stuck_cluster(const grid& g, const cluster& c) {
  report_body text = heading(g, "deadlock");
  block_ranks ranks;
  for (uint64_t rank = 0; rank < c.blocks.size(); ++rank) {
    const block& b = *c.blocks[rank];
    const bool arrived = b.outer_of(cohort_barrier_cluster).sent;
    (b.live == 0 ? ranks.returned : arrived ? ranks.arrived : ranks.elsewhere).push_back(rank);
  }
  text += "  cluster_group.sync: " + number(ranks.arrived.size()) + " of " + number(c.blocks.size()) +
          " blocks of the cluster arrived; the others wait elsewhere or returned from the kernel\n";
  list_blocks(ranks, " of the cluster", text);
  describe_live_blocks(c, nullptr, most_blocks_shown, text);
  return text;
}

// Block `rank` of the grid if it is resident and some of its threads have not returned, else null.
const block* live_block(const grid& g, uint64_t rank) {
  const block* b = g.resident[rank];
  return b && b->rank == rank && b->grid == &g && b->live ? b : nullptr;
}

// Appends the blocks of the grid that have arrived at an outer barrier; nothing if none has.
void describe_arrivals(const grid& g, int barrier, report_body& text) {
  block_ranks ranks;
  for (uint64_t rank = 0; rank < g.blocks; ++rank) {
    const block* b = live_block(g, rank);
    (!b ? ranks.returned : b->outer_of(barrier).sent ? ranks.arrived : ranks.elsewhere).push_back(rank);
  }
  if (ranks.arrived.empty()) return;
  text += "  " + std::string(group_name_in(g, barrier)) + ".sync: " + number(ranks.arrived.size()) + " of " +
          number(g.blocks) + " blocks";
  if (g.is_multi_device()) text += " of device " + number(static_cast<uint64_t>(g.launch->device));
  text += " arrived; the others ";
  text += ranks.elsewhere.empty() ? "returned from the kernel without it" : "wait elsewhere or returned";
  text += "\n";
  list_blocks(ranks, "", text);
}

report_body describe_stuck_session(const session& s) {
  report_body text = heading(*s.grids.front(), "deadlock");
  for (const grid* g : s.grids) {
    describe_arrivals(*g, cohort_barrier_grid, text);
    describe_arrivals(*g, cohort_barrier_multi_grid, text);
  }
  size_t shown = 0;
  for (const grid* g : s.grids) {
    // One block that waits at each barrier stands for the others.
    for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers && shown < most_blocks_shown; ++barrier) {
      for (uint64_t rank = 0; rank < g->blocks; ++rank) {
        const block* b = live_block(*g, rank);
        if (!b || !b->outer_of(barrier).sent) continue;
        describe_block(*b, text);
        ++shown;
        break;
      }
    }
  }
  return text;
}

// Appends the states of the first blocks.
void describe_blocks(const std::vector<std::unique_ptr<block>>& blocks, report_body& text) {
  for (size_t i = 0; i < blocks.size() && i < most_blocks_shown; ++i) describe_block(*blocks[i], text);
  if (blocks.size() > most_blocks_shown) {
    text += "  and " + number(blocks.size() - most_blocks_shown) + " more blocks on this worker\n";
  }
}

report_body describe_spinning(const grid& g, const std::vector<std::unique_ptr<block>>& blocks, uint32_t rounds) {
  char time[64];
  if (rounds) {
    std::snprintf(time, sizeof time, "%u rounds (COHORT_SCHEDULE)", rounds);
  } else {
    std::snprintf(time, sizeof time, "%g s (COHORT_TIMEOUT)", g.device->timeout_seconds);
  }
  report_body text = heading(g, "time-out");
  text += "  the grid has only spun for " + std::string(time) + " without an arrival at a barrier\n";
  describe_blocks(blocks, text);
  return text;
}

std::string limit_sentence() {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", read_setting("COHORT_LAUNCH_LIMIT", 0));
  return "  the launch has run for more than " + std::string(seconds) + " s (COHORT_LAUNCH_LIMIT)\n";
}

// Describes a launch over its limit, while `l` ran. A loop over the threads of a block has no state for each thread.
report_body describe_over_limit(const worker& w, const lane& l) {
  const grid& g = *w.grid;
  report_body text = heading(g, "time-out");
  text += limit_sentence();
  text += "  " + failed_threads(w.failed, l) + " of block " + triple(l.block->block_index) + " ran";
  const std::string place = place_of(g, w.failed);
  if (!place.empty()) text += ", at " + place;
  text += "\n";
  if (w.may_wait) describe_block(*static_cast<const block*>(l.block), text);
  return text;
}

}  // namespace

void fail_with_report(worker& w) {
  session& s = *w.grid->shared;
  if (!s.claim()) return;
  const lane* l = w.failed.failed_lane ? w.failed.failed_lane : current_lane();
  if (w.failed.needs_lane()) explain_fault(w, *l->fiber->stack);
  if (w.failed.error == error_launch_timeout && w.grid->over_limit.load(std::memory_order_relaxed)) {
    return publish(s, error_launch_timeout, describe_over_limit(w, *l));
  }
  publish(s, w.failed.error, w.failed.error == error_assert ? report_body() : describe_failure(*w.grid, w.failed, l));
}

void fail_stuck_block(block& b) {
  session& s = *b.grid->shared;
  if (s.assertions.any()) return fail_with_assertions(s);
  if (!s.claim()) return;
  const bool is_at_cluster_barrier = b.cluster && b.waits_outside();
  publish(s, error_launch_failure,
          is_at_cluster_barrier ? describe_stuck_cluster(*b.grid, *b.cluster) : describe_stuck_block(b));
}

void fail_stuck_session(session& s) {
  if (s.assertions.any()) return fail_with_assertions(s);
  if (s.claim()) publish(s, error_launch_failure, describe_stuck_session(s));
}

void fail_spinning(grid& g, const std::vector<std::unique_ptr<block>>& blocks, uint32_t rounds) {
  if (g.shared->assertions.any()) return fail_with_assertions(*g.shared);
  if (g.shared->claim()) publish(*g.shared, error_launch_timeout, describe_spinning(g, blocks, rounds));
}

void fail_over_limit(grid& g, const std::vector<std::unique_ptr<block>>& blocks) {
  if (g.shared->assertions.any()) return fail_with_assertions(*g.shared);
  if (!g.shared->claim()) return;
  report_body text = heading(g, "time-out");
  text += limit_sentence();
  describe_blocks(blocks, text);
  publish(*g.shared, error_launch_timeout, text);
}

void note_long_launch(const grid& g, double seconds) {
  std::fprintf(stderr,
               "cohort: note: kernel %s has run for %g s; COHORT_LAUNCH_LIMIT=<seconds> ends such a launch with a "
               "report of what its threads do\n",
               kernel_title(g).c_str(), seconds);
}

void fail_launch(session& s, const std::string& sentence) {
  if (!s.claim()) return;
  report_body text = heading(*s.grids.front(), "failure");
  text += "  " + sentence + "\n";
  publish(s, error_launch_failure, text);
}

bool reports_are_json() {
  static const bool json = read_setting("COHORT_REPORT", 0) != 0;
  return json;
}

void print_report(const report_body& report) {
  std::fflush(stdout);
  const std::string printed = reports_are_json() ? "{\"report\": " + engine::quoted(report.text) + json_origin() +
                                                       report.members + ", \"blocks\": [" + report.blocks + "]}\n"
                                                 : report.text;
  std::fwrite(printed.data(), 1, printed.size(), stderr);
  std::fflush(stderr);
  const std::lock_guard lock(report_mutex);
  last_report() = report.text;
}

void fail_with_line(session& s, int error, const char* line) {
  if (s.claim()) publish(s, error, {line});
}

void fail_with_assertions(session& s) {
  if (s.claim()) publish(s, error_assert, {});
}

void note_assertion(const char* expression, const char* file, int line, const char* function) {
  const auto square = [](const uint32_t* v) {
    return "[" + number(v[0]) + "," + number(v[1]) + "," + number(v[2]) + "]";
  };
  const worker& w = *current_worker();
  if (w.silent) return;
  const lane& self = *current_lane();
  session& s = *w.grid->shared;
  if (!s.assertions.any()) w.grid->begin_no_further_wave();
  s.assertions.add(std::string(file) + ":" + number(static_cast<uint64_t>(line)) + ": " + function +
                   ": block: " + square(self.block->block_index) + ", thread: " + square(self.thread_index) +
                   " Assertion `" + expression + "` failed.\n");
}

void fail_assert(const char* expression, const char* file, int line, const char* function) {
  worker* w = current_worker();
  w->failed = {};
  w->failed.error = error_assert;
  note_assertion(expression, file, line, function);
  give_up(*w);
}

size_t copy_last_report(char* buffer, size_t size) {
  const std::lock_guard lock(report_mutex);
  const std::string& text = last_report();
  if (buffer && size) {
    const size_t count = std::min(size - 1, text.size());
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  return text.size();
}

}  // namespace cohort::engine
