// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's interface for tools: a race checker, a trace, counters. A tool listens to events, reads the running
// threads through views, and writes reports in the engine's form.
#pragma once

#include "engine/report/json_text.hpp"
#include "engine/report/report.hpp"
#include "engine/report/source_place.hpp"
#include "engine/settings/settings.hpp"
#include "engine/sync/event.hpp"
#include "engine/sync/suspend.hpp"
#include "engine/tools/view.hpp"

namespace cohort::tools {

// Events and their listeners.
using engine::add_listener;
using engine::event;
using engine::event_listener;

using engine::launch_begun;
using engine::launch_ended;
using engine::share_ended;

using engine::block_ended;
using engine::block_entered;
using engine::block_left;

using engine::block_synchronised;
using engine::bulk_completed_phase;
using engine::bulk_copy_bytes;
using engine::bulk_executed;
using engine::bulk_source_read;
using engine::bulk_started;
using engine::cluster_synchronised;
using engine::grid_synchronised;
using engine::lanes_exchanged;
using engine::lanes_synchronised;
using engine::multi_grid_synchronised;
using engine::named_barrier_reached;
using engine::named_barrier_synchronised;
using engine::phase_passed;
using engine::product_executed;
using engine::product_reads;
using engine::product_started;
using engine::proxy_fenced;
using engine::tile_synchronised;

inline lanes_view lanes_of(const engine::lanes_of_warp& e) { return {e.warp, e.lanes}; }
// The lanes of a warp that have waited for the completed phase.
inline uint32_t waiting_lanes(const named_barrier_synchronised& e, uint32_t warp) { return e.barrier->waiting[warp]; }

// Reports: source places, names and JSON.
using engine::innermost_place;
using engine::json_origin;
using engine::json_triple;
using engine::name_of_symbol;
using engine::plain_kernel_title;
using engine::quoted;
using engine::source_calls;
using engine::source_places;

// Environment variables.
using engine::read_form_setting;
using engine::read_setting;
using engine::refuse_form_setting;

// Whether a schedule orders the running thread (COHORT_SCHEDULE).
inline bool is_scheduled() {
  const engine::worker* const w = engine::current_worker();
  return cohort_current_thread && w && w->schedule;
}
// A point at which a schedule may run another thread.
using engine::pass_preemption_point;

}  // namespace cohort::tools
