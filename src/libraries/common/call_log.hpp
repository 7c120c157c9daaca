// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library's log of calls: its levels, its outputs and the program's function for lines.
#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

namespace cohort::libraries {

// The levels of messages. Each is also a bit of a mask: level n is bit n - 1.
inline constexpr int log_errors = 1, log_calls = 5;

// A log of calls. `Callback`: the type of the program's function, a pointer.
template <class Callback>
class call_log {
 public:
  // Makes a log without outputs. `uses_stdout`: lines go to stdout as long as the program has named no output and no
  // function.
  explicit constexpr call_log(bool uses_stdout) : uses_stdout_(uses_stdout) {}

  bool is_on(int level) const { return (mask_.load(std::memory_order_relaxed) & 1 << (level - 1)) != 0; }
  void set_mask(int mask) {
    const std::lock_guard lock(mutex_);
    if (!is_disabled_) mask_.store(mask);
  }
  // A level contains those below it. False for a level that does not exist.
  bool set_level(int level) {
    if (level < 0 || level > log_calls) return false;
    set_mask((1 << level) - 1);
    return true;
  }
  // Disables the log for the rest of the process.
  void disable() {
    const std::lock_guard lock(mutex_);
    is_disabled_ = true;
    mask_.store(0);
  }

  void set_callback(Callback callback) {
    const std::lock_guard lock(mutex_);
    callback_ = callback;
  }
  Callback callback() {
    const std::lock_guard lock(mutex_);
    return callback_;
  }
  // Sends lines to a file that the program owns; null: to no file.
  void set_file(std::FILE* file) { replace_file(file, false); }
  // Opens a file for the log. False, without a change, if it cannot be opened.
  bool open_file(const char* name) {
    std::FILE* const opened = name ? std::fopen(name, "w") : nullptr;
    if (opened) replace_file(opened, true);
    return opened != nullptr;
  }
  void set_standard_outputs(bool to_stdout, bool to_stderr) {
    const std::lock_guard lock(mutex_);
    to_stdout_ = to_stdout;
    to_stderr_ = to_stderr;
  }
  bool has_outputs() {
    const std::lock_guard lock(mutex_);
    return to_stdout_ || to_stderr_ || file_;
  }

  // Writes a line to the outputs. If the program has set a function, calls `call(function)`.
  template <class Call>
  void write(const std::string& line, Call&& call) {
    Callback callback = nullptr;
    {
      const std::lock_guard lock(mutex_);
      callback = callback_;
      const bool has_output = to_stdout_ || to_stderr_ || file_ || callback;
      if (to_stdout_ || (uses_stdout_ && !has_output)) put(line, stdout);
      if (to_stderr_) put(line, stderr);
      if (file_) put(line, file_);
    }
    if (callback) std::forward<Call>(call)(callback);
  }

 private:
  static void put(const std::string& line, std::FILE* to) {
    std::fputs(line.c_str(), to);
    std::fflush(to);
  }
  void replace_file(std::FILE* file, bool owned) {
    const std::lock_guard lock(mutex_);
    if (owns_file_) std::fclose(file_);
    file_ = file;
    owns_file_ = owned;
  }

  const bool uses_stdout_;
  std::atomic<int> mask_{0};
  std::mutex mutex_;
  // The mutex guards all following variables.
  bool is_disabled_ = false;
  bool to_stdout_ = false, to_stderr_ = false;
  std::FILE* file_ = nullptr;
  bool owns_file_ = false;
  Callback callback_ = nullptr;
};

}  // namespace cohort::libraries
