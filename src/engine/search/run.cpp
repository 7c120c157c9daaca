// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/report/json_text.hpp"
#include "engine/schedule/order_file.hpp"
#include "engine/schedule/own_order.hpp"

namespace cohort::engine {

namespace {

using clock = std::chrono::steady_clock;

constexpr useconds_t poll_microseconds = 200;

[[noreturn]] void refuse(const char* call) {
  std::fprintf(stderr, "cohort: search: %s: %s\n", call, std::strerror(errno));
  _exit(2);
}

int make_file(const char* name) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) refuse("memfd_create");
  return file;
}

std::string take_text(int file) {
  std::string text;
  char buffer[65536];
  off_t at = 0;
  for (ssize_t count; (count = pread(file, buffer, sizeof buffer, at)) > 0; at += count) {
    text.append(buffer, static_cast<size_t>(count));
  }
  close(file);
  return text;
}

// Stores the content of a pipe in a file.
int keep_input() {
  const int file = make_file("input");
  char buffer[65536];
  for (ssize_t count; (count = read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) {
    if (write(file, buffer, static_cast<size_t>(count)) != count) refuse("write");
  }
  return file;
}

// Memory that the copies of the process share with it.
template <class T>
T* share() {
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) refuse("mmap");
  return static_cast<T*>(memory);
}

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

}  // namespace

runner::runner() : shared_(share<schedule_counts>()), noted_(share<order_record>()), order_(make_file("order")) {
  struct stat input;
  if (fstat(STDIN_FILENO, &input) != 0) return;
  if (S_ISREG(input.st_mode)) {
    input_ = STDIN_FILENO;
    input_offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  } else if (isatty(STDIN_FILENO)) {
    input_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  } else if (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode)) {
    input_ = keep_input();
  }
}

void runner::become_run(const plan& p, int out, int err, bool notes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) refuse("dup2");
  if (input_ >= 0 && input_ != STDIN_FILENO && dup2(input_, STDIN_FILENO) < 0) refuse("dup2");
  setenv("COHORT_SCHEDULE", p.text().c_str(), 1);
  count_in(*shared_);
  leave_schedule_out();
  if (notes) note_order_in(*noted_);
}

std::string runner::file_of(const std::vector<order_switch>& switches) {
  const std::string text = order_text(switches);
  if (ftruncate(order_, 0) != 0) refuse("ftruncate");
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = pwrite(order_, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (count <= 0) refuse("write");
    at += static_cast<size_t>(count);
  }
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(order_);
}

run_result runner::run(const plan& p, double limit, bool notes) {
  std::fflush(nullptr);
  const int out = make_file("stdout"), err = make_file("stderr");
  if (input_ >= 0) lseek(input_, input_offset_, SEEK_SET);
  *shared_ = {};
  noted_->clear();
  const clock::time_point begin = clock::now();
  const pid_t copy = fork();
  if (copy < 0) refuse("fork");
  if (copy == 0) {
    become_run(p, out, err, notes);
    throw is_copy();
  }
  run_result result;
  for (;;) {
    const pid_t ended = waitpid(copy, &result.status, WNOHANG);
    if (ended == copy) {
      result.ended = true;
      break;
    }
    if (ended < 0 && errno != EINTR) refuse("waitpid");
    if (seconds_since(begin) > limit) {
      kill(copy, SIGKILL);
      while (waitpid(copy, &result.status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    usleep(poll_microseconds);
  }
  result.seconds = seconds_since(begin);
  result.out = take_text(out);
  result.err = take_text(err);
  result.counts = *shared_;
  return result;
}

std::string describe_end(const run_result& r) {
  if (!r.ended) return "no end";
  if (WIFSIGNALED(r.status)) return "signal " + std::to_string(WTERMSIG(r.status));
  return "exit status " + std::to_string(WEXITSTATUS(r.status));
}

}  // namespace cohort::engine
