// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/mbarrier.hpp"

#include <cohort/base/cuda_error.hpp>

#include "engine/state/cluster.hpp"
#include "engine/state/failure.hpp"
#include "engine/state/shared_memory.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/bulk_copies.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

namespace {

bool is_over(const uint64_t* word, uint32_t phase) {
  return cpu::mbarrier_state{__atomic_load_n(word, __ATOMIC_RELAXED)}.phase() != phase;
}

mbarrier_table& table_of(block& b) {
  if (!b.mbarriers.is_used()) b.mbarriers.use() = {};
  return *b.mbarriers;
}

// Polls an mbarrier in global memory, whose phase lanes of other workers may complete.
bool poll(const uint64_t* word, uint32_t phase, bool forever, const void* place) {
  do {
    wait_yield(place);
  } while (forever && !is_over(word, phase));
  return is_over(word, phase);
}

// Makes ready the lanes of `lanes` in warp `i`.
void release(block& b, uint32_t i, uint32_t lanes, bool runs) {
  mbarrier_table& table = *b.mbarriers;
  table.waiting[i] &= ~lanes;
  table.trying[i] &= ~lanes;
  release_wide(b, b.warps[i], lanes, runs);
}

}  // namespace

bool wait_mbarrier(const uint64_t* word, uint32_t phase, bool forever, const void* place) {
  lane* self = current_lane();
  warp& w = *self->warp;
  block& b = *w.block;
  if (b.worker->resolving) refuse_inside_operator();
  if (is_over(word, phase)) return true;
  const block* const owner = owner_of_shared(b, word);
  if (!owner) return poll(word, phase, forever, place);
  if (owner != &b) {
    fail_at(
        place, error_launch_failure,
        "a wait at the mbarrier of block %u of the cluster: a thread waits at those of its own block, and arrives at "
        "others",
        rank_in_cluster(*owner));
  }
  mbarrier_table& table = table_of(b);
  const auto i = static_cast<uint32_t>(&w - b.warps);
  table.waits[self->thread_rank] = {word, phase, false};
  table.waiting[i] |= self->bit();
  if (!forever) table.trying[i] |= self->bit();
  w.at_wide |= self->bit();
  suspend_at(place);
  return b.mbarriers->waits[self->thread_rank].is_over;
}

void mbarrier_completed(const uint64_t* word) {
  block& b = current_block();
  block* const owner = b.mbarriers.is_used() || b.cluster ? owner_of_shared(b, word) : nullptr;
  if (owner) wake_mbarrier_waits(*owner, owner == &b);
}

bool complete_bytes(uint64_t* word, uint64_t bytes, const char* name, const void* place) {
  const cpu::mbarrier_state old{__atomic_load_n(word, __ATOMIC_RELAXED)};
  if (!old.is_valid()) {
    fail_at(place, error_launch_failure,
            "%s: its mbarrier is not initialised, or no longer, when %llu bytes are complete", name,
            static_cast<unsigned long long>(bytes));
  }
  const int64_t excess = static_cast<int64_t>(bytes) - old.bytes();
  if (excess > static_cast<int64_t>(cpu::mbarrier_state::most_bytes)) {
    fail_at(place, error_launch_failure,
            "%s: %lld bytes are complete that no thread expects; a phase of an mbarrier counts 1048575", name,
            static_cast<long long>(excess));
  }
  cpu::mbarrier_state now{old.word - bytes * cpu::mbarrier_state::byte};
  const bool completes = now.is_complete();
  if (completes) now = now.next_phase();
  __atomic_store_n(word, now.word, __ATOMIC_RELEASE);
  return completes;
}

bool wake_mbarrier_waits(block& b, bool runs) {
  if (!b.mbarriers.is_used()) return false;
  if (!runs && !b.warps_ready) make_awaited_copies(b);
  mbarrier_table& table = *b.mbarriers;
  bool any = false;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    uint32_t over = 0;
    for (uint32_t left = table.waiting[i]; left; left &= left - 1) {
      mbarrier_wait& wait = table.waits[i * lanes_per_warp + lowest(left)];
      wait.is_over = is_over(wait.word, wait.phase);
      over |= wait.is_over ? left & -left : 0;
    }
    if (!over) continue;
    release(b, i, over, runs);
    any = true;
  }
  if (any) b.worker->advance();
  return any;
}

void end_mbarrier_tries(block& b) {
  if (!b.mbarriers.is_used()) return;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    if (const uint32_t lanes = b.mbarriers->trying[i]) release(b, i, lanes, false);
  }
}

}  // namespace cohort::engine
