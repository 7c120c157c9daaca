// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose kernel fails. test_source_places.py runs it under unusual circumstances: failing_program REPORT
// [close-streams] [ignore-children]
// Writes the failure's report to the file REPORT, and after it a line with AT_SECURE of the auxiliary vector.
#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "cohort/launch.hpp"

// LeakSanitizer would fail: it cannot attach to a set-user-ID program, and such a program ignores its variables.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

namespace {

void write_through(volatile int* address) { *address = 1; }  // test_source_places.py finds this line by its name

void failing_kernel(volatile int* address) {
  if (cohort_current_thread->thread_rank == 3) write_through(address);
  cohort_wait_block();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "ignore-children") == 0) signal(SIGCHLD, SIG_IGN);
    if (std::strcmp(argv[i], "close-streams") == 0) {
      for (int stream : {0, 1, 2}) close(stream);
    }
  }
  const int error = cohort::launch(1, 32, failing_kernel, reinterpret_cast<volatile int*>(24)).number();
  std::string report(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(report.data(), report.size() + 1);
  std::FILE* file = std::fopen(argv[1], "w");
  if (!file) return 3;
  std::fprintf(file, "%sAT_SECURE=%lu\n", report.c_str(), getauxval(AT_SECURE));
  return std::fclose(file) == 0 && error == 700 ? 0 : 1;
}
