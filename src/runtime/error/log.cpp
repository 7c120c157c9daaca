// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of the process, and CUDA's calls that read it.
#include "runtime/error/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "runtime/error/error.hpp"

struct CUlogsCallbackEntry_st {
  cudaLogsCallback_t function;
  void* data;
  bool is_registered = true;
  size_t calls = 0;  // calls that run now, on any thread
};

namespace cohort::runtime {

constinit thread_local int call_in_progress::depth_ = 0;

namespace {

constexpr size_t most_bytes = 25600;  // bytes of stored messages, as in CUDA's documentation
const std::string truncated = "[log truncated]\n";

// Messages are numbered from 0 on. Never destroyed.
struct message_log {
  std::mutex mutex;
  std::deque<std::string> messages;  // each with its line feed
  size_t bytes = 0;
  unsigned first = 0;  // the number of the oldest message
  std::vector<std::shared_ptr<CUlogsCallbackEntry_st>> callbacks;
  std::condition_variable call_has_ended;

  unsigned end() const { return first + static_cast<unsigned>(messages.size()); }
};

message_log& messages_of_process() {
  static message_log* const only = new message_log;
  return *only;
}

std::string heading(cudaLogLevel level) {
  timespec now{};
  tm local{};
  char text[64];
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &local);
  std::snprintf(text, sizeof text, "[%02d:%02d:%02d.%03ld][%d][cohort][%c] ", local.tm_hour, local.tm_min, local.tm_sec,
                now.tv_nsec / 1'000'000, static_cast<int>(getpid()), level == cudaLogLevelError ? 'E' : 'W');
  return text;
}

// Returns the messages from `iterator` on, or all of them if it is null. Moves the iterator to the end. pre: the lock
// is held
std::deque<std::string> take_from(cudaLogIterator* iterator, bool* is_truncated) {
  message_log& all = messages_of_process();
  const unsigned begin = iterator ? *iterator : 0;
  *is_truncated = begin < all.first;
  const unsigned skipped = *is_truncated ? 0 : begin - all.first;
  std::deque<std::string> taken;
  if (skipped < all.messages.size()) taken.assign(all.messages.begin() + skipped, all.messages.end());
  if (iterator) *iterator = all.end();
  return taken;
}

// Runs a call of this file, whose errors are not those of a device.
template <class Body>
cudaError_t log_call(Body&& body) {
  return remember(body());
}

// A function that this thread calls now, and the call in which it was called: a function may unregister itself, or
// cause a further message. Without a destructor, because messages come after those of the main thread's variables.
struct running_call {
  const CUlogsCallbackEntry_st* of;
  const running_call* outer;
};
thread_local const running_call* innermost_call = nullptr;

size_t count_calls_of_thread(const CUlogsCallbackEntry_st* of) {
  size_t count = 0;
  for (const running_call* each = innermost_call; each; each = each->outer) count += each->of == of ? 1 : 0;
  return count;
}

void call_back(CUlogsCallbackEntry_st& to, cudaLogLevel level, std::string& entry) {
  message_log& all = messages_of_process();
  {
    const std::lock_guard lock(all.mutex);
    if (!to.is_registered) return;
    ++to.calls;
  }
  const running_call call{&to, innermost_call};
  innermost_call = &call;
  to.function(to.data, level, entry.data(), entry.size());
  innermost_call = call.outer;
  const std::lock_guard lock(all.mutex);
  --to.calls;
  all.call_has_ended.notify_all();
}

}  // namespace

void log_message(cudaLogLevel level, const std::string& message) {
  std::string entry = heading(level) + message;
  std::vector<std::shared_ptr<CUlogsCallbackEntry_st>> callbacks;
  {
    message_log& all = messages_of_process();
    const std::lock_guard lock(all.mutex);
    all.messages.push_back(entry + "\n");
    all.bytes += entry.size() + 1;
    while (all.bytes > most_bytes && all.messages.size() > 1) {
      all.bytes -= all.messages.front().size();
      all.messages.pop_front();
      ++all.first;
    }
    callbacks = all.callbacks;
  }
  for (const auto& each : callbacks) call_back(*each, level, entry);
}

void log_error(const char* name, const char* text) noexcept {
  try {
    log_message(cudaLogLevelError, std::string("a call returns ") + name + ": " + text);
  } catch (const std::bad_alloc&) {
  }
}

void say(cudaLogLevel level, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string sentence(static_cast<size_t>(length < 0 ? 0 : length), '\0');
  std::vsnprintf(sentence.data(), sentence.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  std::fprintf(stderr, "cohort: %s\n", sentence.c_str());
  log_message(level, sentence);
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void* data, cudaLogsCallbackHandle* handle) {
  return log_call([&] {
    if (!function) return cudaErrorInvalidValue;
    auto made = std::make_shared<CUlogsCallbackEntry_st>();
    made->function = function;
    made->data = data;
    if (handle) *handle = made.get();
    const std::lock_guard lock(messages_of_process().mutex);
    messages_of_process().callbacks.push_back(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
  return log_call([&] {
    message_log& all = messages_of_process();
    std::unique_lock lock(all.mutex);
    const auto found = std::find_if(all.callbacks.begin(), all.callbacks.end(),
                                    [&](const auto& each) { return each.get() == handle; });
    if (found == all.callbacks.end()) return cudaErrorInvalidValue;
    const std::shared_ptr<CUlogsCallbackEntry_st> removed = *found;
    all.callbacks.erase(found);
    removed->is_registered = false;
    // Waits for calls on other threads: afterwards the program may destroy what the function uses.
    const size_t own = count_calls_of_thread(removed.get());
    all.call_has_ended.wait(lock, [&] { return removed->calls == own; });
    return cudaSuccess;
  });
}

cudaError_t cudaLogsCurrent(cudaLogIterator* iterator, unsigned int flags) {
  return log_call([&] {
    if (!iterator || flags != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(messages_of_process().mutex);
    *iterator = messages_of_process().end();
    return cudaSuccess;
  });
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* path, unsigned int flags) {
  return log_call([&] {
    if (!path || flags != 0) return cudaErrorInvalidValue;
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "we"), std::fclose);
    if (!file) return cudaErrorInvalidValue;
    const std::lock_guard lock(messages_of_process().mutex);
    bool is_truncated = false;
    const auto messages = take_from(iterator, &is_truncated);
    if (is_truncated) std::fputs(truncated.c_str(), file.get());
    for (const std::string& each : messages) std::fputs(each.c_str(), file.get());
    return std::fflush(file.get()) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

// Where the buffer is too small, it gets the newest messages that fit, after a sentence that others are missing.
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
  return log_call([&] {
    if (!buffer || !size || *size == 0 || flags != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(messages_of_process().mutex);
    const cudaLogIterator before = iterator ? *iterator : 0;
    bool is_truncated = false;
    auto messages = take_from(iterator, &is_truncated);
    size_t bytes = is_truncated ? truncated.size() : 0;
    for (const std::string& each : messages) bytes += each.size();
    const bool has_messages = !messages.empty();
    while (!messages.empty() && bytes >= *size) {
      if (!is_truncated) bytes += truncated.size();
      is_truncated = true;
      bytes -= messages.front().size();
      messages.pop_front();
    }
    std::string text = is_truncated ? truncated : "";
    for (const std::string& each : messages) text += each;
    if (messages.empty()) text.clear();
    text.copy(buffer, text.size());
    buffer[text.size()] = '\0';
    *size = text.size();
    if (!has_messages || !messages.empty()) return cudaSuccess;
    if (iterator) *iterator = before;
    return cudaErrorInvalidValue;
  });
}

}  // extern "C"
