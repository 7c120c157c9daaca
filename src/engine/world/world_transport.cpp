// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/world_transport.hpp"

#include <sched.h>

#include <cstring>

#include <cohort/base/round_up.hpp>

#include "engine/report/report.hpp"
#include "engine/state/failure.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

namespace {

// Tests of an exchange between two readings of the clock.
constexpr uint32_t tests_per_clock = 64;

// The header of one put's bytes. Entries begin at multiples of 8 bytes.
struct published_entry {
  uint64_t offset;  // offset in the scratch memory
  uint64_t bytes;
};
struct message_entry {
  uint64_t segment;
  uint64_t local_rank;
  uint64_t offset;
  uint64_t bytes;
};

constexpr size_t padded_entry(size_t bytes) { return detail::round_up(bytes, size_t{8}); }

template <class Entry>
void append(std::vector<char>& data, const Entry& entry, const void* bytes) {
  const size_t begin = data.size();
  data.resize(begin + sizeof entry + padded_entry(entry.bytes));
  std::memcpy(data.data() + begin, &entry, sizeof entry);
  std::memcpy(data.data() + begin + sizeof entry, bytes, entry.bytes);
}

// Calls function(entry, bytes) for each entry.
template <class Entry, class Function>
void for_each(std::string_view data, const Function& function) {
  while (data.size() >= sizeof(Entry)) {
    Entry entry;
    data.copy(reinterpret_cast<char*>(&entry), sizeof entry);
    function(entry, data.data() + sizeof entry);
    data.remove_prefix(sizeof entry + padded_entry(entry.bytes));
  }
}

// Copies bytes to symmetric memory, or adds them to the next exchange if no pointer reaches it.
void put_to_place(cohort_world& w, const symmetric_place& to, const void* from, size_t bytes, uint32_t rank) {
  if (char* const address = w.memory.address(to, rank)) {
    std::memmove(address, from, bytes);
    return;
  }
  const std::lock_guard lock(w.mutex);
  append(w.collected.messages[rank / w.view.local_ranks],
         message_entry{to.segment, rank % w.view.local_ranks, to.offset, bytes}, from);
}

}  // namespace

void world_transport::raise_phase() {
  world_record mine;
  mine.step = world_step::barrier;
  mine.value = ++barriers_;
  limit_.begin();
  std::atomic_thread_fence(
      std::memory_order_seq_cst);  // orders stores to memory of other processes before the exchange
  while (polled_.test_and_set(std::memory_order_acquire)) sched_yield();
  // Needs no lock: all blocks have arrived, and none puts before the barrier opens.
  const exchange::outcome state = world_.records.begin(mine, world_.collected);
  in_flight_.store(true, std::memory_order_release);
  if (state == exchange::outcome::lost) lose_world("the network refused an operation");
  polled_.clear(std::memory_order_release);
  // Sleeping workers poll the exchange while this one runs other blocks.
  if (session_.workers.size() > 1) session_.announce();
}

void world_transport::put(size_t offset, const void* from, size_t bytes) {
  std::memcpy(session_.scratch_start() + offset, from, bytes);
  const std::lock_guard lock(world_.mutex);
  append(world_.collected.published, published_entry{offset, bytes}, from);
}

bool world_transport::poll() {
  if (!in_flight_.load(std::memory_order_acquire)) return false;
  if (polled_.test_and_set(std::memory_order_acquire)) return true;
  if (in_flight_.load(std::memory_order_relaxed)) test();
  polled_.clear(std::memory_order_release);
  return true;
}

void world_transport::test() {
  std::string why;
  switch (world_.records.test(why)) {
    case exchange::outcome::in_flight:
      if (++tests_ % tests_per_clock == 0 && limit_.is_over(world_)) lose_world(describe_missing(world_));
      return;
    case exchange::outcome::lost:
      return lose_world(own_rank_names(world_.view) + " waits for the others: " + why);
    case exchange::outcome::complete:
      return complete();
  }
}

void world_transport::complete() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const int64_t other = find_other_step(world_.records, world_.view);
  if (other >= 0) {
    ended_ = true;
    in_flight_.store(false, std::memory_order_release);
    return fail_steps(static_cast<uint32_t>(other));
  }
  deliver_data();
  raise_event(multi_grid_synchronised{&session_});
  in_flight_.store(false, std::memory_order_release);
  session_.all_blocks.open();
  session_.announce();
}

void world_transport::deliver_data() {
  for (uint32_t p = 0; p < world_.view.processes; ++p) {
    if (p == world_.view.process) continue;
    for_each<published_entry>(world_.records.published_by(p), [&](const published_entry& e, const char* bytes) {
      session_.store_scratch(e.offset, bytes, e.bytes);
    });
    for_each<message_entry>(world_.records.messages_from(p), [&](const message_entry& e, const char* bytes) {
      const uint32_t rank = world_.first_rank() + static_cast<uint32_t>(e.local_rank);
      std::memcpy(world_.memory.address({e.segment, e.offset}, rank), bytes, e.bytes);
    });
  }
}

void world_transport::lose_world(const std::string& why) {
  mark_lost(world_);
  ended_ = true;
  in_flight_.store(false, std::memory_order_release);
  fail_launch(session_, why);
}

void world_transport::fail_steps(uint32_t other) {
  fail_launch(session_, describe_steps(world_.records, world_.view, other));
}

void world_transport::end(int error) {
  while (poll()) sched_yield();
  if (ended_) return;
  if (error != error_none) {
    session_.claim();  // the launch returns `error` without a report
  } else {
    error = session_.error.load(std::memory_order_acquire);
  }
  const world_step step = error == error_none ? world_step::finished : world_step::failed;
  std::string why;
  if (!exchange_and_wait(world_, step, static_cast<uint64_t>(error), &why)) return lose_world(why);
  const int64_t other = find_other_step(world_.records, world_.view);
  if (other >= 0) fail_steps(static_cast<uint32_t>(other));
}

void* world_address(session& s, const void* address, uint32_t rank, const void* place) {
  if (!s.world) {
    fail_at(place, error_launch_failure,
            "world_group.on() in a launch that is not over a world; launch the kernel with cohort::launch_world");
  }
  symmetric_place found;
  if (rank >= s.world->ranks()) {
    fail_at(place, error_launch_failure, "world_group.on(): there is no rank %u among %u", rank, s.world->ranks());
  }
  if (!s.world->memory.find(address, &found)) {
    fail_at(place, error_launch_failure,
            "world_group.on(): the address is no symmetric memory of this process; allocate it with world::allocate");
  }
  return s.world->memory.address(found, rank);
}

void world_put(session& s, void* to, const void* from, size_t bytes, uint32_t rank, const void* place) {
  if (!s.world) {
    fail_at(place, error_launch_failure,
            "put() in a launch that is not over a world; launch the kernel with cohort::launch_world");
  }
  cohort_world& w = *s.world;
  symmetric_place found;
  if (rank >= w.ranks()) fail_at(place, error_launch_failure, "put(): there is no rank %u among %u", rank, w.ranks());
  if (!w.memory.find(to, &found) || !w.memory.contains(found, bytes)) {
    fail_at(place, error_launch_failure,
            "put(): %zu bytes at the destination are not inside of the symmetric memory of a rank; allocate it with "
            "world::allocate",
            bytes);
  }
  put_to_place(w, found, from, bytes, rank);
}

char* array_staging(session& s, uint32_t rank, const void* place) {
  if (!s.transport) {
    fail_at(place, error_launch_failure,
            "a collective of arrays in a launch that is neither over several devices nor over a world; launch the "
            "kernel with cohort::launch_multi_device or cohort::launch_world");
  }
  return s.world ? s.world->memory.address({cohort_world::staging, 0}, rank) : s.array_staging(rank);
}

void array_put(session& s, uint32_t rank, size_t offset, const void* from, size_t bytes) {
  put_to_place(*s.world, {cohort_world::staging, offset}, from, bytes, rank);
}

}  // namespace cohort::engine
