// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/shared_event.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include <cohort/base/cpu_pause.hpp>

namespace cohort::runtime {

namespace {

constexpr size_t page_bytes = 4096;
constexpr size_t most_records = 120;  // records that the page keeps; older ones count as reached
constexpr int spin_limit = 1000;
constexpr long poll_nanoseconds = 50'000'000;  // interval of the checks that the recording process exists
constexpr int most_polls_without_recorder = 100;

static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);

void raise(std::atomic<uint64_t>& high, uint64_t value) {
  for (uint64_t now = high.load(); now < value && !high.compare_exchange_weak(now, value);) {
  }
}

}  // namespace

struct shared_event::page {
  struct record {
    std::atomic<uint64_t> ticket{0};
    std::atomic<uint64_t> reached{0};
    std::atomic<uint64_t> process_start{0};
    std::atomic<int32_t> process_number{0};
  };

  ipc_entry entry;
  std::atomic<uint64_t> latest{0};
  std::atomic<uint32_t> changes{0};  // a futex: waits suspend on it
  std::atomic<uint32_t> waiting{0};
  record records[most_records];

  record& record_of(uint64_t ticket) { return records[ticket % most_records]; }
};

shared_event::page* shared_event::map(int file) {
  static_assert(sizeof(page) <= page_bytes);
  void* const mapped = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<page*>(mapped);
}

std::shared_ptr<shared_event> shared_event::make() {
  const int file = make_shared_file(page_bytes);
  if (file < 0) return nullptr;
  page* const mapped = map(file);
  if (!mapped) {
    close(file);
    return nullptr;
  }
  mapped->entry = {random_key(), 0, page_bytes};
  return std::shared_ptr<shared_event>(new shared_event(mapped, file));
}

std::shared_ptr<shared_event> shared_event::open(const ipc_handle& handle) {
  if (handle.kind != ipc_kind::event || handle.entry_place != 0 || handle.entry.bytes != page_bytes) return nullptr;
  const int file = open_shared_file(handle);
  if (file < 0) return nullptr;
  page* const mapped = map(file);
  close(file);
  return mapped ? std::shared_ptr<shared_event>(new shared_event(mapped, -1)) : nullptr;
}

shared_event::~shared_event() {
  if (file_ >= 0) close(file_);
  munmap(page_, page_bytes);
}

void shared_event::retire() {
  if (file_ < 0) return;
  if (maker_ == this_process()) page_->entry = {};
  close(file_);
  file_ = -1;
}

ipc_handle shared_event::handle() const {
  const process_id self = this_process();
  ipc_handle made;
  made.kind = ipc_kind::event;
  made.process_number = self.number;
  made.process_start = self.start;
  made.entry = page_->entry;
  made.file = file_;
  return made;
}

uint64_t shared_event::begin_record() {
  const process_id self = this_process();
  const uint64_t ticket = page_->latest.fetch_add(1) + 1;
  page::record& mine = page_->record_of(ticket);
  mine.process_number.store(self.number);
  mine.process_start.store(self.start);
  raise(mine.ticket, ticket);
  return ticket;
}

void shared_event::reach(uint64_t ticket) {
  raise(page_->record_of(ticket).reached, ticket);
  page_->changes.fetch_add(1);
  if (page_->waiting.load() == 0) return;
  syscall(SYS_futex, &page_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

uint64_t shared_event::latest() const { return page_->latest.load(); }

process_id shared_event::recorder_of(uint64_t ticket) const {
  const page::record& made = page_->record_of(ticket);
  return {made.process_number.load(), made.process_start.load()};
}

shared_event::progress shared_event::poll(uint64_t ticket) const {
  const page::record& made = page_->record_of(ticket);
  if (ticket == 0 || made.reached.load() >= ticket) return progress::reached;
  const uint64_t found = made.ticket.load();
  if (found > ticket) return progress::reached;
  if (found < ticket || is_alive(recorder_of(ticket))) return progress::open;
  return made.reached.load() >= ticket ? progress::reached : progress::lost;
}

shared_event::progress shared_event::wait(uint64_t ticket) const {
  const page::record& made = page_->record_of(ticket);
  for (int i = 0; i < spin_limit; ++i) {
    if (made.reached.load(std::memory_order_acquire) >= ticket) return progress::reached;
    detail::cpu_pause();
  }
  page_->waiting.fetch_add(1);
  progress found = progress::open;
  for (int without_recorder = 0; without_recorder < most_polls_without_recorder;) {
    const uint32_t before = page_->changes.load();
    found = poll(ticket);
    if (found != progress::open) break;
    if (made.ticket.load() < ticket) ++without_recorder;
    const timespec limit{0, poll_nanoseconds};
    syscall(SYS_futex, &page_->changes, FUTEX_WAIT, before, &limit, nullptr, 0);
  }
  page_->waiting.fetch_sub(1);
  return found == progress::open ? progress::lost : found;
}

}  // namespace cohort::runtime
