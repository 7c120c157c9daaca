// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of accesses. Threads of one warp that execute one line between two synchronisations share a record, so a
// shadow slot holds a number of 32 bits in place of the full description.
#pragma once

#include <atomic>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <cstddef>
#include <cstdint>

#include "check/memory/access.hpp"

namespace cohort::check {

enum access_flag : uint8_t {
  is_write = 1,
  is_strong = 2,         // atomic, or a volatile load that a loop polls: two strong accesses do not race
  is_volatile = 4,       // a volatile access
  is_async_copy = 8,     // part of memcpy_async: unordered, even with its own thread, until the wait
  scope_shift = 4,       // the scope takes two bits from this one on
  completes_copy = 128,  // the wait for an asynchronous copy completes this access; not in records
  plain_update = 48,     // a plain write of a value computed from the word; in the two bits of the scope
  // In the two bits of the scope. On a plain write: a bulk copy wrote. On a plain read: a product (wgmma) of one warp
  // read, after another warp of the warpgroup has waited for the product.
  by_async_proxy = 32,
  by_operation = 64,  // an access without a thread: by a copy or fill of a stream, or by the host
};
inline scope scope_of(uint8_t flags) { return static_cast<scope>(flags >> scope_shift & 3); }
inline bool is_plain_update(uint8_t flags) {
  return (flags & is_write) && !(flags & (is_strong | is_volatile)) && (flags & plain_update) == plain_update;
}
inline bool is_by_async_proxy(uint8_t flags) {
  return !(flags & (is_strong | is_volatile)) && (flags & plain_update) == by_async_proxy;
}
constexpr uint8_t flags_of(scope s) { return static_cast<uint8_t>(static_cast<uint8_t>(s) << scope_shift); }

// The threads that a record covers, as the binary logarithm of their number: aligned threads of a block, or more.
constexpr uint8_t threads_of_warp = 5, threads_of_block = 10, threads_of_cluster = 11, threads_of_grid = 12;

struct record {
  std::atomic<uint32_t> number{0};
  uint32_t launch = 0;        // number of the launch on its device
  uint32_t block = 0;         // rank in the grid
  uint32_t tick = 0;          // the block's synchronisation count at the access
  uint32_t outer = 0;         // the session's count of synchronisations of blocks at the access
  uint16_t first_thread = 0;  // the first thread's rank in its block
  uint8_t extent = 0;         // threads_of_warp to threads_of_grid, or several_accesses
  uint8_t flags = 0;
  uint64_t place = 0;  // return address of the access, and its size in the upper byte

  const void* address() const { return reinterpret_cast<const void*>(place & ((uint64_t{1} << 56) - 1)); }
  uint32_t bytes() const { return static_cast<uint32_t>(place >> 56); }
};
static_assert(sizeof(record) == 32);

// extent of a record that lists the ids of up to six accesses in place of the other fields.
constexpr uint8_t several_accesses = 15;

// The records of the process: a ring, in which a new record replaces the oldest one. A number that is no longer in the
// ring stands for an expired access. The ring grows with the accessed memory.
class record_ring {
 public:
  static constexpr uint32_t fewest_slots = 1u << 19, most_slots = 1u << 22;
  static constexpr uint32_t last_number = (1u << number_bits) - 1;

  static record_ring& instance();
  // Returns a new record and its number; the caller fills it and then calls publish().
  record& take(uint32_t* number);
  static void publish(record& r, uint32_t number) { r.number.store(number, std::memory_order_release); }
  // The number of the next record.
  uint32_t next_number() const { return next_.load(std::memory_order_relaxed) & last_number; }
  // Copies the record; false if it has been replaced.
  bool read(uint32_t number, record* copy) const;

 private:
  void begin_turn(uint32_t number);

  std::atomic<uint32_t> next_{1};
};

extern record* const record_slots;
extern std::atomic<uint32_t> record_mask;  // the number of slots of the ring, minus 1
// The slot of the record. A later record may have replaced it, or may replace it while its fields are read.
inline const record& record_at(uint32_t number) {
  return record_slots[number & record_mask.load(std::memory_order_relaxed)];
}

}  // namespace cohort::check
