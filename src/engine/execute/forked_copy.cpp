// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/forked_copy.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/trace/trace.hpp"

namespace cohort::engine {

namespace {

// Bounds the wait for an answer. A copy has one OS thread, so a lock that another thread of the process held at the
// fork is never released in it.
constexpr int answer_timeout_ms = 5000;
constexpr size_t most_bytes = 256;

bool read_answer(int from, void* result, size_t bytes) {
  pollfd waited{from, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&waited, 1, answer_timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && read(from, result, bytes) == static_cast<ssize_t>(bytes);
}

}  // namespace

bool ask_forked_copy(void* result, size_t bytes, void (*answer)(void* state, void* buffer), void* state) {
  int ends[2];
  if (bytes > most_bytes || pipe(ends) != 0) return false;
  const pid_t copy = fork();
  if (copy == 0) {
    trace::abandon();
    alignas(16) char buffer[most_bytes];
    answer(state, buffer);
    _exit(write(ends[1], buffer, bytes) == static_cast<ssize_t>(bytes) ? 0 : 1);
  }
  close(ends[1]);
  worker* const w = current_worker();
  if (w) w->explains.store(true, std::memory_order_relaxed);
  const bool answered = copy > 0 && read_answer(ends[0], result, bytes);
  if (w) w->explains.store(false, std::memory_order_relaxed);
  close(ends[0]);
  if (copy > 0) {
    kill(copy, SIGKILL);
    while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return answered;
}

}  // namespace cohort::engine
