// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of each program with instrumented code: the function that it calls, the events that open and close blocks, and
// the file of the report.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>

#include <cohort/machine/cpu/port/count/counter.hpp>

#include "count/gather/tool_ports.hpp"
#include "count/gather/worker_counts.hpp"
#include "count/report/program_report.hpp"

using namespace cohort::count;

namespace {

// The block that this OS thread runs; null if it is not counted. Another TLS model would call a function for the
// variable's address, and each access would save its registers around the call.
__attribute__((tls_model("initial-exec"))) __thread counted_block* running = nullptr;

// Has the parameters of cohort_count_access(), in the same registers, so that cohort_count_access() saves no register
// for this call.
__attribute__((noinline)) void join_running(cohort_count_site* site, const void* address, uint64_t key,
                                            uint32_t thread) {
  running->join(*site, address, key, thread);
}

}  // namespace

extern "C" {

// The linker is told to need this symbol, so that programs without an access write a report, too.
extern const char cohort_count_starts;
const char cohort_count_starts = 1;

__thread uint64_t cohort_count_context = 0;

void cohort_count_access(cohort_count_site* site, const void* address, uint64_t key, uint32_t thread) {
  if (running && !running->join_predicted(*site, address, key, thread)) join_running(site, address, key, thread);
}

}  // extern "C"

namespace cohort::count {

namespace {

uint32_t blocks_for_one = 1;  // N of COHORT_COUNT_BLOCKS=1/N: one block of N is counted
const char* path = nullptr;

worker_counts& counts_of_this_thread() {
  // Never destroyed, because a detached worker may run after exit().
  thread_local worker_counts* const counts = new worker_counts(blocks_for_one);
  return *counts;
}

void follow(const tools::launch_begun& e) { add_launch(e.launch); }
void follow(const tools::share_ended&) {
  running = nullptr;
  counts_of_this_thread().take(add_totals);
}
void follow(const tools::block_entered& e) { running = counts_of_this_thread().enter(e.block); }
void follow(const tools::block_left&) { running = nullptr; }
void follow(const tools::block_ended& e) {
  running = nullptr;
  counts_of_this_thread().end(e.block);
}
void follow(const tools::block_synchronised& e) { counts_of_this_thread().synchronise(e.block); }
template <class Event>
void follow(const Event&) {}

class follower : public tools::event_listener {
 public:
  void handle(const tools::event& raised) override {
    std::visit([](const auto& e) { follow(e); }, raised);
  }
};

// Reads N from COHORT_COUNT_BLOCKS=1/N.
uint32_t read_blocks_for_one() {
  constexpr const char* name = "COHORT_COUNT_BLOCKS";
  const char* const text = tools::read_form_setting(name);
  if (!text) return 1;
  char* end = nullptr;
  errno = 0;
  const unsigned long blocks = std::strncmp(text, "1/", 2) == 0 ? std::strtoul(text + 2, &end, 10) : 0;
  if (blocks == 0 || blocks > UINT32_MAX || errno != 0 || *end != '\0' || text[2] < '0' || text[2] > '9') {
    tools::refuse_form_setting(name);
  }
  return static_cast<uint32_t>(blocks);
}

// The path of the report: `path` with the number of the process in place of %p.
std::string path_of_process() {
  std::string result;
  for (const char* at = path; *at; ++at) {
    if (*at == '%' && (at[1] == 'p' || at[1] == '%')) {
      result += *++at == 'p' ? std::to_string(getpid()) : "%";
    } else {
      result += *at;
    }
  }
  return result;
}

bool write_all(int file, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

void write_report() {
  const std::string name = path_of_process();
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const bool is_written = file >= 0 && write_all(file, report_text(blocks_for_one));
  const int error = errno;
  if (file >= 0) close(file);
  if (!is_written) {
    std::fprintf(stderr, "cohort: COHORT_COUNT: %s: %s; the counts of this run are lost\n", name.c_str(),
                 std::strerror(error));
  }
}

__attribute__((constructor)) void begin_counting() {
  const char* const name = tools::read_form_setting("COHORT_COUNT");
  blocks_for_one = read_blocks_for_one();
  if (!name) return;
  path = strdup(name);  // the program may change its environment
  tools::add_listener(*new follower);
  std::atexit(write_report);
}

}  // namespace

}  // namespace cohort::count
