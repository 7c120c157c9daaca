// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cpus.hpp"
#include "timing.hpp"

namespace bench {

namespace {

[[noreturn]] void become_server(int one_cpu, gangs mode, int input, int output) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  if (mode == gangs::off) setenv("COHORT_GANGS", "off", 1);
  if (one_cpu >= 0) {
    pin_to_cpu(one_cpu);
    for (const char* name : {"POCL_MAX_PTHREAD_COUNT", "OPENBLAS_NUM_THREADS"}) setenv(name, "1", 1);
  } else {
    setenv("POCL_AFFINITY", "1", 1);  // gives each thread of pocl a CPU of its own
  }
  const char* const clock = clock_used == CLOCK_PROCESS_CPUTIME_ID ? "--cpu-time" : nullptr;
  execl("/proc/self/exe", "cohort_bench", "--serve", clock, nullptr);
  std::perror("cohort_bench: cannot start a measuring process");
  _exit(127);
}

}  // namespace

measuring_process::measuring_process(int one_cpu, gangs mode) {
  std::signal(SIGPIPE, SIG_IGN);  // a write to a process that ended returns an error
  int commands[2], answers[2];
  if (pipe2(commands, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) {
    std::perror("cohort_bench: pipe");
    std::exit(1);
  }
  pid_ = fork();
  if (pid_ == 0) become_server(one_cpu, mode, commands[0], answers[1]);
  close(commands[0]);
  close(answers[1]);
  to_ = fdopen(commands[1], "w");
  from_ = fdopen(answers[0], "r");
}

measuring_process::~measuring_process() {
  std::fclose(to_);  // ends the server, which reads its commands from here
  std::fclose(from_);
  waitpid(pid_, nullptr, 0);
}

bool measuring_process::send(const std::string& command) {
  return std::fprintf(to_, "%s\n", command.c_str()) > 0 && std::fflush(to_) == 0;
}

std::optional<std::string> measuring_process::receive() {
  char* line = nullptr;
  size_t bytes = 0;
  const ssize_t length = getline(&line, &bytes, from_);
  std::optional<std::string> text;
  if (length > 0) text = std::string(line, static_cast<size_t>(length - 1));
  std::free(line);
  return text;
}

std::optional<std::vector<std::string>> measuring_process::make_row(const std::string& name) {
  if (!send("row " + name)) return std::nullopt;
  const auto answer = receive();
  if (!answer || answer->rfind("sides ", 0) != 0) return std::nullopt;
  std::vector<std::string> missing(std::strtoul(answer->c_str() + 6, nullptr, 10));
  for (std::string& reason : missing) reason = receive().value_or("");
  return missing;
}

std::optional<double> measuring_process::run(size_t side) {
  if (!send("run " + std::to_string(side))) return std::nullopt;
  const auto answer = receive();
  if (!answer || answer->rfind("value ", 0) != 0) return std::nullopt;
  return std::strtod(answer->c_str() + 6, nullptr);
}

std::vector<std::pair<std::string, std::string>> measuring_process::peer_versions() {
  std::vector<std::pair<std::string, std::string>> all;
  if (!send("version")) return all;
  for (auto line = receive(); line && line->rfind("peer ", 0) == 0; line = receive()) {
    const size_t colon = line->find(": ");
    all.emplace_back(line->substr(5, colon - 5), line->substr(colon + 2));
  }
  return all;
}

}  // namespace bench
