// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cohort::engine {

namespace {

std::string path_of(const std::string& pattern) {
  std::string path;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      path += pattern[i];
      continue;
    }
    ++i;
    if (pattern[i] == 'p') {
      path += std::to_string(getpid());
    } else {
      path += pattern[i] == '%' ? "%" : std::string("%") + pattern[i];
    }
  }
  return path;
}

constexpr uint64_t tail_bytes = 256;  // space for the text of close_with()

constexpr const char* no_trace = "the program runs without a trace";
constexpr const char* early_end = "the trace ends early";

void complain(const std::string& path, const char* why, const char* result) {
  std::fprintf(stderr, "cohort: COHORT_TRACE: %s: %s; %s\n", path.c_str(), why, result);
}

// The system's limit for the file, less the text of close_with(). A write beyond the limit raises SIGXFSZ, which would
// end the program.
uint64_t largest_file() {
  rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return most.rlim_cur > tail_bytes ? most.rlim_cur - tail_bytes : 0;
}

// Returns the reason why the opened file cannot be the trace; null after making it private and empty.
const char* fault_of(int file) {
  struct stat found;
  if (fstat(file, &found) != 0) return std::strerror(errno);
  if (!S_ISREG(found.st_mode)) return "it is no regular file";
  // The trace would overwrite a file that the user knows by another name.
  if (found.st_nlink > 1) return "the file has another name (a hard link)";
  if (flock(file, LOCK_EX | LOCK_NB) != 0) return "another process writes it; %p in the name stands for the process";
  if (fchmod(file, S_IRUSR | S_IWUSR) != 0 || ftruncate(file, 0) != 0) return std::strerror(errno);
  return nullptr;
}

}  // namespace

// Closes the file and prints the reason.
bool trace_file::refuse(const char* why) {
  complain(path_, why, no_trace);
  ::close(file_);
  file_ = -1;
  return false;
}

bool trace_file::is_still_open() const {
  struct stat found;
  return fstat(file_, &found) == 0 && found.st_dev == device_ && found.st_ino == number_;
}

bool trace_file::open() {
  path_ = path_of(pattern_);
  if (largest_file() < tail_bytes) {
    complain(path_, std::strerror(EFBIG), no_trace);
    return false;
  }
  // O_NONBLOCK: a pipe without a reader must not stop the program.
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
  if (file_ < 0) {
    complain(path_, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno), no_trace);
    return false;
  }
  if (const char* why = fault_of(file_)) return refuse(why);
  // Moves the descriptor: a program that has closed stdin, stdout or stderr must not write to the trace.
  const int above = fcntl(file_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (above < 0) return refuse(std::strerror(errno));
  ::close(file_);
  file_ = above;
  struct stat found;
  if (fstat(file_, &found) != 0) return refuse(std::strerror(errno));
  device_ = found.st_dev;
  number_ = found.st_ino;
  ended_ = false;
  constexpr std::string_view begin = "[\n";
  written_ = begin.size();
  const ssize_t done = ::write(file_, begin.data(), begin.size());
  return done == static_cast<ssize_t>(begin.size()) || refuse(std::strerror(done < 0 ? errno : ENOSPC));
}

const char* trace_file::limit_name() const {
  if (ended_) return "the system took no more";
  return largest_file() < limit_ ? "the system's limit for files, ulimit -f" : "COHORT_TRACE_SIZE";
}

uint64_t trace_file::room() const {
  const uint64_t most = std::min(limit_, largest_file());
  return file_ < 0 || ended_ || written_ > most ? 0 : most - written_;
}

size_t trace_file::write(std::string_view text) {
  if (const uint64_t most = room(); text.size() > most) text = text.substr(0, text.substr(0, most).rfind('\n') + 1);
  return write_all(text) ? text.size() : 0;
}

void trace_file::close_with(std::string_view text) {
  if (file_ < 0 || !write_all(text)) return;
  ::close(file_);
  file_ = -1;
}

bool trace_file::leave_to_parent() {
  if (file_ >= 0 && is_still_open()) ::close(file_);
  file_ = -1;
  return path_of(pattern_) != path_;
}

// Removes a partly written event. Its space is used for the end of the file.
void trace_file::cut_back() {
  const auto end = static_cast<off_t>(written_);
  if (ftruncate(file_, end) == 0 && lseek(file_, end, SEEK_SET) == end) return;
  ::close(file_);
  file_ = -1;
}

bool trace_file::write_all(std::string_view text) {
  if (text.empty()) return true;
  if (!is_still_open()) {
    file_ = -1;  // the program has closed the file and reused its number
    complain(path_, "the program has closed the file", early_end);
    return false;
  }
  const uint64_t begin = written_;
  while (!text.empty()) {
    const ssize_t done = ::write(file_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      if (!ended_) complain(path_, std::strerror(errno), early_end);
      ended_ = true;
      written_ = begin;
      cut_back();
      return false;
    }
    written_ += static_cast<uint64_t>(done);
    text.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

}  // namespace cohort::engine
