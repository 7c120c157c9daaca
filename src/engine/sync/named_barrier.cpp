// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/named_barrier.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/sync/event.hpp"
#include "engine/sync/suspend.hpp"
#include "engine/sync/team.hpp"

namespace cohort::engine {

namespace {

// Whether the barrier is the block's own: barrier 0 for all threads, the one of __syncthreads().
bool is_of_block(const block& b, uint32_t number, uint32_t threads) {
  return number == 0 && (threads == 0 || (threads >= b.threads_total && threads <= b.warp_count * lanes_per_warp));
}

void check_arguments(const block& b, uint32_t number, uint32_t threads, const void* place) {
  if (number >= most_named_barriers) {
    fail_at(place, error_launch_failure, "barrier %u of a block: barriers have the numbers 0 to %u", number,
            most_named_barriers - 1);
  }
  if (threads % lanes_per_warp) {
    fail_at(place, error_launch_failure, "barrier %u for %u threads: the count must be a multiple of %u", number,
            threads, lanes_per_warp);
  }
  if (threads > b.warp_count * lanes_per_warp) {
    fail_at(place, error_launch_failure, "barrier %u for %u threads in a block of %u: it would never be complete",
            number, threads, b.threads_total);
  }
}

// For example "64 threads". A std::string would leak: fail_at() never unwinds the fiber's stack.
struct count_text {
  explicit count_text(uint32_t threads) {
    if (threads) std::snprintf(text, sizeof text, "%u threads", threads);
  }
  char text[32] = "all threads of the block";
};

bool is_idle(const named_barrier& n) {
  return std::all_of(n.arrived, n.arrived + warps_per_block, [](uint32_t lanes) { return lanes == 0; });
}

bool is_complete(const block& b, const named_barrier& n) {
  if (n.threads) return b.threads_arrived(n) >= n.threads;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    if (b.warps[i].live & ~n.arrived[i]) return false;
  }
  return true;
}

void complete(block& b, named_barrier& n, bool runs) {
  raise_event(named_barrier_synchronised{&b, &n});
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    for (uint32_t left = n.waiting[i]; left; left &= left - 1) {
      b.named->true_counts[i * lanes_per_warp + lowest(left)] = n.true_count;
    }
    release_wide(b, b.warps[i], n.waiting[i], runs);
    n.arrived[i] = n.waiting[i] = 0;
  }
  n.true_count = 0;
  b.worker->advance();
}

// Joins the current phase, or begins one.
named_barrier& join(block& b, const lane& self, uint32_t number, uint32_t threads, int vote, const void* place) {
  if (b.worker->resolving) refuse_inside_operator();
  if (!b.named.is_used()) b.named.use() = {};
  named_barrier& n = b.named->barriers[number];
  const auto warp_number = static_cast<uint32_t>(self.warp - b.warps);
  const bool begins = is_idle(n);
  if (begins) {
    n.threads = threads;
    n.vote = vote;
  } else if (n.threads != threads) {
    fail_at(place, error_launch_failure, "barrier %u for %s while others have arrived at it for %s", number,
            count_text(threads).text, count_text(n.threads).text);
  } else if (n.vote != vote) {
    fail_at(place, error_launch_failure,
            "barrier %u with another operation than that of the threads which have arrived: sync and arrive, red.popc, "
            "red.and and red.or can't meet in one phase",
            number);
  } else if (n.arrived[warp_number] & self.bit()) {
    fail_at(place, error_launch_failure,
            "barrier %u twice by one thread in one phase: %u of %u threads have arrived since the first time", number,
            b.threads_arrived(n), b.threads_needed(n));
  }
  raise_event(named_barrier_reached{{self.warp, self.bit()}, &n, begins});
  n.arrived[warp_number] |= self.bit();
  return n;
}

void wait_at(block& b, lane* self, named_barrier& n, const void* place) {
  warp* w = self->warp;
  n.waiting[w - b.warps] |= self->bit();
  w->at_wide |= self->bit();
  if (is_complete(b, n)) {
    complete(b, n, true);
    running.ready &= ~self->bit();  // complete() has made the lane ready, but it runs already
    return;
  }
  suspend_at(place);
}

}  // namespace

void wait_named(uint32_t number, uint32_t threads, const void* place) {
  lane* self = current_lane();
  block& b = *self->warp->block;
  check_arguments(b, number, threads, place);
  if (!is_of_block(b, number, threads)) {
    return wait_at(b, self, join(b, *self, number, threads, not_voting, place), place);
  }
  suspend_at(place);
}

uint32_t wait_named_vote(uint32_t number, uint32_t threads, block_vote vote, bool predicate, const void* place) {
  lane* self = current_lane();
  block& b = *self->warp->block;
  check_arguments(b, number, threads, place);
  if (is_of_block(b, number, threads)) return wait_block_vote(vote, predicate, place);
  named_barrier& n = join(b, *self, number, threads, static_cast<int>(vote), place);
  n.true_count += predicate;
  wait_at(b, self, n, place);
  return b.named->true_counts[self->thread_rank];
}

void arrive_named(uint32_t number, uint32_t threads, const void* place) {
  const lane* self = current_lane();
  block& b = *self->warp->block;
  check_arguments(b, number, threads, place);
  if (threads == 0) fail_at(place, error_launch_failure, "bar.arrive at barrier %u for 0 threads", number);
  if (is_of_block(b, number, threads)) {
    fail_at(
        place, error_launch_failure,
        "bar.arrive at barrier 0 for all threads of the block, which is the barrier of __syncthreads(): take one of "
        "the barriers 1 to %u",
        most_named_barriers - 1);
  }
  named_barrier& n = join(b, *self, number, threads, not_voting, place);
  if (is_complete(b, n)) complete(b, n, true);
}

void leave_named(block& b, const lane& l) {
  const auto warp_number = static_cast<uint32_t>(l.warp - b.warps);
  for (named_barrier& n : b.named->barriers) {
    const bool counts = n.threads ? n.arrived[warp_number] != 0 : !is_idle(n);
    if (counts && is_complete(b, n)) complete(b, n, false);
  }
}

}  // namespace cohort::engine
