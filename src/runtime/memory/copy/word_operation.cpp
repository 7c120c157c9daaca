// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy/word_operation.hpp"

#include <atomic>
#include <memory>
#include <unordered_map>

#include "runtime/error/log.hpp"
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/operation_edges.hpp"
#include "runtime/schedule/polled_wait.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

uint64_t load(const word_step& step) {
  if (step.is_wide) return std::atomic_ref(*static_cast<uint64_t*>(step.address)).load(std::memory_order_acquire);
  return std::atomic_ref(*static_cast<uint32_t*>(step.address)).load(std::memory_order_acquire);
}

void store(const word_step& step) {
  if (step.is_wide) {
    std::atomic_ref(*static_cast<uint64_t*>(step.address)).store(step.value, std::memory_order_release);
  } else {
    const auto word = static_cast<uint32_t>(step.value);
    std::atomic_ref(*static_cast<uint32_t*>(step.address)).store(word, std::memory_order_release);
  }
}

uint64_t written_word(const word_step& step) { return step.is_wide ? step.value : static_cast<uint32_t>(step.value); }

bool is_met(const word_step& step, uint64_t word) {
  const uint64_t mask = step.is_wide ? ~uint64_t{0} : 0xffffffff;
  const uint64_t sign = step.is_wide ? uint64_t{1} << 63 : uint64_t{1} << 31;
  switch (step.action) {
    case word_action::wait_greater_or_equal:
      return ((word - step.value) & sign) == 0;
    case word_action::wait_equal:
      return word == (step.value & mask);
    case word_action::wait_and:
      return (word & step.value & mask) != 0;
    case word_action::wait_nor:
      return (~(word | step.value) & mask) != 0;
    case word_action::write:
    case word_action::barrier:
      break;
  }
  return true;
}

const char* name_of(word_action action) {
  switch (action) {
    case word_action::wait_greater_or_equal:
      return "GEQ";
    case word_action::wait_equal:
      return "EQ";
    case word_action::wait_and:
      return "AND";
    default:
      return "NOR";
  }
}

// The latest write of each word by a stream, while a listener follows the program: a wait that finds the word is
// ordered after it. The scheduler's lock guards the table.
struct word_write {
  operation_ref by;
  uint64_t value = 0;
};
std::unordered_map<const void*, word_write>& latest_writes() {
  static auto* const all = new std::unordered_map<const void*, word_write>;
  return *all;
}

bool is_word(const word_step& step) {
  const size_t bytes = step.is_wide ? 8 : 4;
  if (reinterpret_cast<uintptr_t>(step.address) % bytes != 0) return false;
  const fill_request word{{static_cast<char*>(step.address), bytes, bytes}, {bytes, 1, 1}, 0, 4};
  return check_fill(word, request_time::now) == cudaSuccess;
}

}  // namespace

bool word_operation::is_over_limit(const word_step& step, time_limit& time) {
  const auto word = static_cast<unsigned long long>(load(step)), value = static_cast<unsigned long long>(step.value);
  switch (time.check(*device, true)) {
    case time_limit::verdict::within:
      break;
    case time_limit::verdict::is_long:
      say(cudaLogLevelWarning,
          "note: a stream has waited for %g s for the word at %p, which is 0x%llx (%s 0x%llx); "
          "COHORT_LAUNCH_LIMIT=<seconds> ends such a wait with a report",
          time.seconds(), step.address, word, name_of(step.action), value);
      break;
    case time_limit::verdict::is_over:
      say(cudaLogLevelError,
          "time-out in a stream's wait for a word\n"
          "  the stream has waited for more than %g s (COHORT_LAUNCH_LIMIT)\n"
          "  the word at %p is 0x%llx, and the wait is %s 0x%llx",
          time.seconds(), step.address, word, name_of(step.action), value);
      return true;
    case time_limit::verdict::is_last:
      say(cudaLogLevelError,
          "time-out in a stream's wait for a word\n"
          "  the program ends or resets a device, and for %g s (COHORT_TIMEOUT) nothing else has run\n"
          "  stream %u of device %d: the word at %p is 0x%llx, and the wait is %s 0x%llx",
          time.seconds(), stream, device->index, step.address, word, name_of(step.action), value);
      return true;
  }
  return false;
}

cudaError_t word_operation::wait(const word_step& step) {
  const cudaError_t error = wait_polled(
      *device, [&] { return is_met(step, load(step)); }, [&](time_limit& time) { return is_over_limit(step, time); });
  if (error != cudaSuccess) return error;
  if (!installed_operation_listener) return cudaSuccess;
  auto held = scheduler::instance().lock();
  const auto at = latest_writes().find(step.address);
  const bool is_written = at != latest_writes().end();
  if (is_written && at->second.by.get() != this) order_late(*this, *at->second.by);
  // A thread of the program may have written the word: for the first time, or after the stream.
  if (!is_written || at->second.value != load(step)) order_after_host(*this);
  return cudaSuccess;
}

cudaError_t word_operation::execute() {
  for (const word_step& step : steps_) {
    switch (step.action) {
      case word_action::write:
        if (installed_operation_listener) {
          auto held = scheduler::instance().lock();
          latest_writes()[step.address] = {shared_from_this(), written_word(step)};
        }
        store(step);
        break;
      case word_action::barrier:
        std::atomic_thread_fence(std::memory_order_seq_cst);
        break;
      default:
        if (const cudaError_t error = wait(step); error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

cudaError_t word_operation::check_words() const {
  for (const word_step& step : steps_) {
    if (step.action != word_action::barrier && !is_word(step)) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t submit_words(cudaStream_t handle, const std::shared_ptr<word_operation>& words) {
  return device_call([&] {
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    const cudaError_t error = words->check_words();
    return error != cudaSuccess ? error : scheduler::instance().submit(*s, words);
  });
}

}  // namespace cohort::runtime
