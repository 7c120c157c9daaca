// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "system/environment.hpp"

namespace cohort {
namespace {

volatile sig_atomic_t was_interrupted = 0;

void on_interrupt(int) { was_interrupted = 1; }

namespace fs = std::filesystem;

constexpr const char* folder_prefix = "cohortcc-";
constexpr const char* lock_name = ".cohortcc-lock";

// Locks the file in a folder of temporary files. Returns its descriptor, or -1 if it is another user's, or is missing
// or locked. The lock ends with the process, also in another container, where process numbers differ.
int lock(const fs::path& folder, int flags) {
  const int file = open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  struct stat found;
  // Between open() and flock() another program may remove the folder: its file is then locked, but has no name.
  if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
      flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &found) == 0 && found.st_nlink > 0) {
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

void remove_folders_of_killed_programs(const std::string& root) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    if (entry.path().filename().string().rfind(folder_prefix, 0) != 0) continue;
    if (const int file = lock(entry.path(), 0); file >= 0) {
      fs::remove_all(entry.path(), ignored);
      close(file);
    }
  }
}

}  // namespace

temporary_folder::temporary_folder() {
  const temporary_root root = find_temporary_root();
  remove_folders_of_killed_programs(root.folder);
  // Another program may take the new folder for one that was left, before the lock is held.
  for (int attempt = 0; lock_ < 0 && attempt < 8; ++attempt) {
    std::string pattern = (fs::path(root.folder) / (folder_prefix + std::string("XXXXXX"))).string();
    if (!mkdtemp(pattern.data())) {
      break;
    }
    path_ = pattern;
    lock_ = lock(path_, O_CREAT);
  }
  if (lock_ < 0) {
    throw std::runtime_error(root.complaint("takes no new folder: " + std::string(std::strerror(errno))));
  }
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

child::child(const std::vector<std::string>& command, const std::string& error_file) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  int failure[2];  // the child writes the reason if the program does not start
  if (pipe2(failure, O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot start " + command[0] + ": " + std::strerror(errno));
  }
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);  // the parent ended before prctl()
    if (!error_file.empty()) {
      const int file = open(error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (file >= 0) dup2(file, STDERR_FILENO);
    }
    execvp(arguments[0], arguments.data());
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  int error = pid_ < 0 ? errno : 0;
  close(failure[1]);
  if (pid_ > 0 && read(failure[0], &error, sizeof error) == sizeof error) waitpid(pid_, nullptr, 0);
  close(failure[0]);
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

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
