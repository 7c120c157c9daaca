// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The asynchronous copies of kernels. A copy may execute at any time until its thread has waited for it. So its
// accesses are marked as asynchronous when it starts, and count as the thread's own when the wait returns.
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/check/checker.hpp>

#include "check/detect/thread_access.hpp"

using namespace cohort::check;

namespace {

void check_copy(const started_copy& copy, uint8_t flags) {
  const accessor reader = current_accessor(copy.from), writer = current_accessor(copy.to);
  if (reader.block) check_access_of(reader, copy.from, copy.bytes, flags, copy.place);
  if (writer.block) check_access_of(writer, copy.to, copy.bytes, flags | is_write, copy.place);
}

}  // namespace

extern "C" {

void cohort_check_copy_later(void* to, const void* from, uint64_t bytes) {
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  thread_clock& t = c.block->thread(c.thread);
  t.copies.push_back({to, from, bytes, t.copy_stage, __builtin_return_address(0)});
  check_copy(t.copies.back(), is_async_copy);
}

void cohort_check_copy_commit(void) {
  const accessor c = current_accessor(nullptr);
  if (c.block) ++c.block->thread(c.thread).copy_stage;
}

void cohort_check_wait_copies(uint32_t stages) {
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  thread_clock& t = c.block->thread(c.thread);
  const uint64_t end = t.copy_stage > stages ? t.copy_stage - stages : 0;
  size_t made = 0;
  ++c.block->tick;
  while (made < t.copies.size() && t.copies[made].stage < end) check_copy(t.copies[made++], completes_copy);
  t.copies.erase(t.copies.begin(), t.copies.begin() + static_cast<std::ptrdiff_t>(made));
}

}  // extern "C"
