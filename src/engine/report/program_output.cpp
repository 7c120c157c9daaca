// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/program_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/settings/environment.hpp"

namespace cohort::engine {

namespace {

using steady = std::chrono::steady_clock;

// A report needs a few kilobytes. The limit keeps a program that never stops writing from filling the memory.
constexpr size_t most_output = size_t{16} << 20;

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Moves a descriptor out of the range of stdin, stdout and stderr. In a process that has closed them, a pipe gets these
// numbers.
descriptor above_standard(descriptor d) {
  if (d.number() > STDERR_FILENO) return d;
  return descriptor(fcntl(d.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

bool make_pipe(descriptor& reader, descriptor& writer) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  descriptor read_end(ends[0]), write_end(ends[1]);
  reader = above_standard(std::move(read_end));
  writer = above_standard(std::move(write_end));
  if (reader.number() < 0 || writer.number() < 0) return false;
  return fcntl(reader.number(), F_SETFL, O_NONBLOCK) == 0;
}

// Starts the program in its own process group, so it can be killed with all processes that it starts. Returns -1 on
// failure.
pid_t start(const std::vector<std::string>& command, int output) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  char* no_variables[] = {nullptr};
  char** environment = has_more_rights_than_caller() ? no_variables : environ;
  pid_t pid = -1;
  const int error = posix_spawn(&pid, arguments[0], &files, &attributes, arguments.data(), environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? pid : -1;
}

// A descriptor that is readable once the process has ended; none on Linux before 5.3.
descriptor watch(pid_t pid) {
#if defined(SYS_pidfd_open)
  return descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  return descriptor();
#endif
}

// Appends the content of the pipe. True if the pipe has ended.
bool drain(int reader, std::string& output) {
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(reader, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno != EAGAIN && errno != EWOULDBLOCK;
    if (count == 0) return true;
    output.append(buffer, static_cast<size_t>(count));
    if (output.size() > most_output) return true;
  }
}

// Reads until the program has ended or all writers have closed the pipe. A forked copy of this process may hold the
// pipe open for ever, so both are tested. False: the time is over.
bool read_output(int reader, int process, steady::time_point deadline, std::string& output) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady::now()).count();
    if (left <= 0) return false;
    pollfd watched[] = {{reader, POLLIN, 0}, {process, POLLIN, 0}};
    const int ready = poll(watched, 2, static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    // Tested before the last read: a program that has ended has written everything.
    const bool has_ended = watched[1].revents != 0;
    if (drain(reader, output) || has_ended) return true;
  }
}

// SIGKILL, because a program may ignore SIGTERM.
void kill_group(pid_t pid, int process) {
  // With SIGCHLD ignored, another process may already have the ended process's ID.
  pollfd ended{process, POLLIN, 0};
  if (process >= 0 && poll(&ended, 1, 0) == 1) return;
  kill(-pid, SIGKILL);
}

void reap(pid_t pid) {
  // ECHILD: SIGCHLD is ignored, or another thread of the process waits for all children.
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

program_result program_output(const std::vector<std::string>& command, std::chrono::milliseconds time_limit) {
  const steady::time_point deadline = steady::now() + time_limit;
  program_result result;
  descriptor reader, writer;
  if (!make_pipe(reader, writer)) return result;
  const pid_t pid = start(command, writer.number());
  writer = descriptor();
  if (pid < 0) return result;
  const descriptor process = watch(pid);
  result.ended = read_output(reader.number(), process.number(), deadline, result.output);
  kill_group(pid, process.number());
  reap(pid);
  return result;
}

}  // namespace cohort::engine
