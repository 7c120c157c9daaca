// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "environment.hpp"

extern char** environ;

namespace cohort {
namespace {

volatile sig_atomic_t was_interrupted = 0;

void on_interrupt(int) { was_interrupted = 1; }

}  // namespace

temporary_folder::temporary_folder() {
  const temporary_root root = find_temporary_root();
  std::string pattern = (std::filesystem::path(root.folder) / "cohortcc-XXXXXX").string();
  if (!mkdtemp(pattern.data())) {
    throw std::runtime_error(root.complaint("takes no new folder: " + std::string(std::strerror(errno))));
  }
  path_ = pattern;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

child::child(const std::vector<std::string>& command, const std::string& error_file) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (!error_file.empty()) {
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  const int error = posix_spawnp(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw std::runtime_error("cannot start " + command[0] + ": " + std::strerror(error));
  }
}

int child::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) {
      return 127;
    }
    if (was_interrupted) {
      stop();
    }
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child::stop() { kill(pid_, SIGTERM); }

std::string shell_quoted(const std::vector<std::string>& command) {
  std::string line;
  for (const auto& word : command) {
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") ==
            std::string::npos;
    line += line.empty() ? "" : " ";
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) {
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    line += '\'';
  }
  return line;
}

void handle_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: a signal ends waitpid()
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaction(signal, &action, nullptr);
  }
}

bool interrupted() { return was_interrupted != 0; }

}  // namespace cohort
