// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that a report runs: their output arrives, none outlives its time limit, none stays a zombie.
#include "engine/report/program_output.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace cohort::engine;
using std::chrono::milliseconds;

constexpr std::chrono::seconds ample{100};

program_result run_shell(const std::string& script, milliseconds limit = ample) {
  return program_output({"/bin/sh", "-c", script}, limit);
}

bool has_children() { return !(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD); }

// True once the process has ended, also if its new parent leaves it a zombie.
bool ends(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    if (!(file >> number >> name >> state) || state == "Z" || state == "X") return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(ProgramOutput, ArgumentsArriveAsTheyAre) {
  const program_result result =
      program_output({"/usr/bin/printf", "%s|", "a b", "c;d", "it's \"e\"", "f\ng", "$(h)", "", "-e"}, ample);
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.output, "a b|c;d|it's \"e\"|f\ng|$(h)||-e|");
  EXPECT_FALSE(has_children());
}

TEST(ProgramOutput, IsStdoutAlone) {
  EXPECT_EQ(run_shell("echo out; echo err >&2; cat").output, "out\n");  // cat reads an empty input
}

TEST(ProgramOutput, IsEmptyWithoutAProgram) {
  for (const char* path : {"/nonexistent/program", "/etc/passwd", "/"}) {
    const program_result result = program_output({path}, ample);
    EXPECT_TRUE(result.ended);
    EXPECT_EQ(result.output, "");
  }
  EXPECT_FALSE(has_children());
}

TEST(ProgramOutput, EndsAtTheTimeLimit) {
  for (const char* script : {"echo $$; exec sleep 1000", "echo $$; trap '' TERM INT HUP; while :; do sleep 1; done"}) {
    const program_result result = run_shell(script, milliseconds(500));
    EXPECT_FALSE(result.ended);
    EXPECT_FALSE(has_children());
    ASSERT_NE(std::atoi(result.output.c_str()), 0);
    EXPECT_TRUE(ends(std::atoi(result.output.c_str()))) << script;
  }
}

TEST(ProgramOutput, EndsWithWhatTheProgramStarted) {
  const program_result result = run_shell("sleep 1000 & echo $!; wait", milliseconds(500));
  EXPECT_FALSE(result.ended);
  ASSERT_NE(std::atoi(result.output.c_str()), 0);
  EXPECT_TRUE(ends(std::atoi(result.output.c_str())));
}

TEST(ProgramOutput, EndsWhenTheProgramClosesIt) {
  const program_result result = run_shell("echo $$; exec >/dev/null; exec sleep 1000");
  EXPECT_TRUE(result.ended);
  EXPECT_TRUE(ends(std::atoi(result.output.c_str())));
  EXPECT_FALSE(has_children());
}

TEST(ProgramOutput, EndsWithTheProgramWhileAnotherHoldsThePipe) {
  const program_result result = run_shell("sleep 1000 & echo $!");
  EXPECT_TRUE(result.ended);
  const pid_t holder = std::atoi(result.output.c_str());
  ASSERT_GT(holder, 0);
  kill(holder, SIGKILL);
}

TEST(ProgramOutput, OfAnEndlessWriterIsCut) {
  const program_result result = run_shell("while :; do echo 0123456789012345678901234567890123456789; done | cat");
  EXPECT_TRUE(result.ended);
  EXPECT_GT(result.output.size(), size_t{1} << 20);
  EXPECT_FALSE(has_children());
}

// Runs `prepare` and a shell in a child process, whose exit status tells whether the output was right.
template <class Prepare>
bool works_after(Prepare prepare) {
  const pid_t pid = fork();
  if (pid == 0) {
    prepare();
    const program_result quick = run_shell("cat; echo right; echo wrong >&2");
    const program_result slow = run_shell("sleep 1000", milliseconds(200));
    _exit(quick.ended && quick.output == "right\n" && !slow.ended ? 0 : 1);
  }
  int status = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ProgramOutput, ArrivesWithStandardStreamsClosed) {
  for (unsigned closed = 1; closed < 8; ++closed) {
    EXPECT_TRUE(works_after([&] {
      for (int i = 0; i < 3; ++i) {
        if (closed >> i & 1) close(i);
      }
    })) << closed;
  }
}

TEST(ProgramOutput, ArrivesWithChildrenIgnored) {
  EXPECT_TRUE(works_after([] { signal(SIGCHLD, SIG_IGN); }));
}

void reap_all(int) {
  const int saved = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  errno = saved;
}

TEST(ProgramOutput, ArrivesWithChildrenReapedByAHandler) {
  EXPECT_TRUE(works_after([] { signal(SIGCHLD, reap_all); }));
}

TEST(ProgramOutput, StartsWithSignalsAsUsual) {
  EXPECT_TRUE(works_after([] {
    signal(SIGPIPE, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    const auto signals = [](const std::string& field) {
      return std::stoull(run_shell("grep ^" + field + " /proc/self/status | cut -f 2").output, nullptr, 16);
    };
    if (signals("SigBlk") != 0) _exit(2);
    if (signals("SigIgn") & 1ull << (SIGPIPE - 1)) _exit(3);
  }));
}

}  // namespace
