// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates the engine's events to events of the trace. A worker's track shows the blocks that it runs, and in each
// block the barriers and collectives that completed meanwhile.

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <variant>

#include "engine/report/json_text.hpp"
#include "engine/report/text.hpp"
#include "engine/tools/tool_port.hpp"
#include "engine/trace/trace.hpp"

namespace cohort::engine {

namespace {

// The launch and the block that the OS thread runs.
struct running_parts {
  uint64_t launch_begin = 0;
  const std::string* kernel = nullptr;  // title of the blocks' kernel
  bool in_block = false;                // the block is recorded
  uint64_t block_begin = 0;
  uint32_t block_index[3] = {};
  tools::block_view spinning;  // the recorded block only spins, and has stopped at `spun_until`
  uint64_t spun_until = 0;
  uint64_t skipped = 0;  // blocks that are shown as one slice
  uint64_t first_skipped = 0;
  uint64_t skipped_begin = 0;
};
// No destructor is needed: a thread's objects are destroyed before static objects, whose destructors may launch.
thread_local running_parts parts;
static_assert(std::is_trivially_destructible_v<running_parts>);

constexpr uint64_t shortest_spin_ns = 100'000;

std::string arguments_of(tools::block_view b) {
  std::string text;
  append_triple(text, "block", b.index());
  return text;
}
std::string arguments_of(const lanes_of_warp& e) {
  const tools::lanes_view lanes = tools::lanes_of(e);
  std::string text = arguments_of(lanes.block()) + ",\"warp\":";
  append_number(text, lanes.warp());
  return text + ",\"lanes\":\"" + hexadecimal(lanes.mask()) + "\"";
}
std::string arguments_of(const multi_grid_synchronised&) { return ""; }
std::string arguments_of(const tile_synchronised& e) {
  std::string text = arguments_of(tools::block_view(e.block)) + ",\"first_thread\":";
  append_number(text, e.first_thread);
  text += ",\"threads\":";
  append_number(text, e.threads);
  return text;
}

std::string arguments_of(const cohort_launch& l) {
  std::string text;
  append_triple(text, "grid", l.grid);
  text += ',';
  append_triple(text, "threads", l.block);
  text += ",\"device\":";
  append_number(text, static_cast<uint64_t>(l.device));
  return text;
}

// Kernel titles by code address. Never destroyed: a detached worker may record while the process ends.
struct kernel_titles {
  std::mutex mutex;
  std::map<const void*, std::string> of_code;
};

// The title of a grid's kernel, looked up once: a plain C++ kernel's needs a program that reads debugging information.
const std::string& title_of(tools::grid_view g) {
  thread_local const void* last_code = nullptr;
  thread_local const std::string* last = nullptr;
  const void* const plain = g.plain_kernel();
  const void* const code = plain ? plain : &g.kernel();
  if (last && code == last_code) return *last;
  static kernel_titles& titles = *new kernel_titles;
  const std::lock_guard lock(titles.mutex);
  const auto [found, is_new] = titles.of_code.try_emplace(code);
  if (is_new) found->second = g.kernel_title();
  last_code = code;
  return *(last = &found->second);
}

class tracer : public event_listener {
 public:
  void handle(const event& raised) override {
    if (trace* t = trace::of_process()) std::visit([t](const auto& e) { record(*t, e); }, raised);
  }

 private:
  static void record(trace& t, const launch_begun&) { parts.launch_begin = t.mine().now(); }
  static void record(trace& t, const launch_ended& e) { end_launch(t, e.launch); }
  static void record(trace& t, const share_ended&) { end_share(t.mine()); }
  static void record(trace& t, const block_entered& e) { run_block(t.mine(), e.block); }
  static void record(trace& t, const block_left& e) { stop_block(t.mine(), e.block); }
  static void record(trace& t, const block_ended& e) { stop_block(t.mine(), e.block); }
  static void record(trace& t, const lanes_synchronised& e) { complete(t, "warp barrier", e); }
  static void record(trace& t, const lanes_exchanged& e) { complete(t, "warp collective", e, "collective"); }
  static void record(trace& t, const phase_passed& e) { complete(t, "split-phase wait", e); }
  static void record(trace& t, const tile_synchronised& e) { complete(t, "tile barrier", e); }
  static void record(trace& t, const block_synchronised& e) {
    complete(t, "block barrier", tools::block_view(e.block));
  }
  static void record(trace& t, const cluster_synchronised& e) {
    complete(t, "cluster barrier", tools::block_view(e.block));
  }
  static void record(trace& t, const grid_synchronised& e) { complete(t, "grid barrier", tools::block_view(e.block)); }
  static void record(trace& t, const multi_grid_synchronised& e) { complete(t, "multi-grid barrier", e); }
  static void record(trace&, const named_barrier_reached&) {}
  static void record(trace&, const bulk_started&) {}
  static void record(trace&, const bulk_source_read&) {}
  static void record(trace&, const bulk_executed&) {}
  static void record(trace&, const bulk_completed_phase&) {}
  static void record(trace&, const product_started&) {}
  static void record(trace&, const product_executed&) {}
  static void record(trace&, const proxy_fenced&) {}
  static void record(trace& t, const named_barrier_synchronised& e) {
    complete(t, "named barrier", tools::block_view(e.block));
  }

  // A launch of the CUDA runtime lies in the rows of its streams, one of each device.
  static void end_launch(trace& t, tools::launch_view launch) {
    track& mine = t.mine_as_host();
    const uint64_t end = mine.now();
    close_skipped(mine, end);
    for (const tools::grid_view g : launch.grids()) {
      const cohort_launch& l = g.description();
      if (l.stream == 0) {
        mine.slice("launch", title_of(g), arguments_of(l), parts.launch_begin, end);
        break;
      }
      t.record({l.device, l.stream}, "launch", title_of(g), arguments_of(l), parts.launch_begin, end);
    }
  }

  static void run_block(track& mine, tools::block_view b) {
    if (parts.spinning == b) {
      parts.in_block = true;
      parts.spinning = {};
      return;
    }
    close_spinning(mine);
    parts.in_block = mine.admit();
    if (parts.in_block) {
      parts.block_begin = mine.last_time();
      close_skipped(mine, parts.block_begin);
      parts.kernel = &title_of(b.grid());
      std::copy_n(b.index(), 3, parts.block_index);
      if (!mine.has_name()) name_worker(mine, b);
      return;
    }
    mine.leave_out();
    if (parts.skipped++ == 0) {
      parts.first_skipped = b.rank();
      parts.skipped_begin = mine.last_time();
      parts.kernel = &title_of(b.grid());
    }
  }

  static void stop_block(track& mine, tools::block_view b) {
    if (!parts.in_block) return;
    parts.in_block = false;
    const uint64_t end = mine.now();
    if (b.live_threads() == 0 || !b.spins()) return add_block(mine, end);
    parts.spinning = b;
    parts.spun_until = end;
  }

  static void add_block(track& mine, uint64_t end) {
    std::string arguments;
    append_triple(arguments, "block", parts.block_index);
    mine.slice("block", *parts.kernel, arguments, parts.block_begin, end);
  }

  // Records a spinning block as one slice. It runs for less than a microsecond again and again, until another block
  // runs or it ends.
  static void close_spinning(track& mine) {
    if (!parts.spinning) return;
    parts.spinning = {};
    if (parts.spun_until - parts.block_begin < shortest_spin_ns) return mine.leave_out();
    add_block(mine, parts.spun_until);
  }

  static void end_share(track& mine) {
    const uint64_t end = mine.now();
    if (parts.in_block) add_block(mine, end);  // a fault or a trap has ended the block
    parts.in_block = false;
    close_spinning(mine);
    close_skipped(mine, end);
  }

  // Records the blocks that were skipped since the last recorded one.
  static void close_skipped(track& mine, uint64_t end) {
    if (!parts.skipped) return;
    std::string arguments = "\"blocks\":";
    append_number(arguments, parts.skipped);
    arguments += ",\"first\":";
    append_number(arguments, parts.first_skipped);
    mine.slice("block", *parts.kernel + ", " + number(parts.skipped) + " blocks", arguments, parts.skipped_begin, end);
    parts.skipped = 0;
  }

  // Records a synchronisation. `members`: the event, or the block if all its threads took part.
  template <class Members>
  static void complete(trace& t, const char* name, const Members& members, const char* category = "barrier") {
    track& mine = t.mine();
    if (!parts.in_block || !mine.admit()) return mine.leave_out();
    mine.mark(category, name, arguments_of(members), mine.last_time());
  }

  static void name_worker(track& mine, tools::block_view b) {
    if (b.worker() != 0) {
      mine.name("device " + number(b.device()) + ", worker " + number(static_cast<uint64_t>(b.worker())));
    }
  }
};

}  // namespace

void trace_launches() {
  if (trace::of_process()) add_listener(*new tracer);
}

}  // namespace cohort::engine
