// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace cohort::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr useconds_t poll_microseconds = 2000;  // the time between two calls of `cancels`

// The attributes and file actions of a process that is about to start.
class spawn_plan {
 public:
  explicit spawn_plan(const std::string& messages) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // The program may have blocked or ignored signals; the compiler starts with all of them at their defaults.
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  spawn_plan(const spawn_plan&) = delete;
  ~spawn_plan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }

  int start(const std::vector<std::string>& command, pid_t* process) const {
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return posix_spawn(process, words[0], &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::string find_compiler(std::string* why) {
  Dl_info own{};
  std::error_code ignored;
  if (!dladdr(reinterpret_cast<const void*>(&find_compiler), &own) || !own.dli_fname) {
    *why = "the place of this library is unknown";
    return "";
  }
  // This library is <root>/cohort-toolkit/compat-lib/libnvrtc.so.13 or <root>/lib/cohort/libnvrtc_by_path.so.
  const fs::path library = fs::weakly_canonical(own.dli_fname, ignored);
  const fs::path compiler = library.parent_path().parent_path().parent_path() / "bin" / "cohortcc";
  if (access(compiler.c_str(), X_OK) == 0) return compiler.string();
  *why = "Cohort's compiler is missing: " + compiler.string() +
         " is no program. Build or install Cohort completely (make product, make install), and leave this library in "
         "its place";
  return "";
}

std::string parts_of(const std::string& compiler) {
  return (fs::path(compiler).parent_path().parent_path() / "lib" / "cohort").string();
}

run_result run(const std::vector<std::string>& command, const std::string& messages,
               const std::function<bool()>& cancels) {
  run_result result;
  if (cancels && cancels()) {
    result.cancelled = true;
    return result;
  }
  pid_t process = -1;
  if (const int error = spawn_plan(messages).start(command, &process); error != 0) {
    result.why = "cannot start " + command[0] + ": " + std::strerror(error);
    return result;
  }
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(process, &status, cancels && !result.cancelled ? WNOHANG : 0);
    if (ended == process) break;
    if (ended < 0 && errno != EINTR) {  // if the program ignores SIGCHLD, the system has dropped the status
      result.ended = !result.cancelled;
      result.status = 0;
      return result;
    }
    if (ended == 0) {
      usleep(poll_microseconds);
      if (cancels()) {
        result.cancelled = true;
        kill(process, SIGTERM);
      }
    }
  }
  result.ended = !result.cancelled;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace cohort::nvrtc
