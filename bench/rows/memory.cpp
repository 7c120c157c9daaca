// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the resident memory that a launch adds. Each measurement runs in a process of its own, because pools keep
// their memory.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../kernels/kernels.hpp"
#include "rows.hpp"

namespace bench {

namespace {

double resident_kib() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  if (!file || std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

double growth_in_new_process(const char* kind) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return 0;
  self[length] = 0;
  const std::string command = std::string("'") + self + "' --growth " + kind;
  std::FILE* pipe = popen(command.c_str(), "r");
  double kib = 0;
  if (!pipe || std::fscanf(pipe, "%lf", &kib) != 1) {
    std::fprintf(stderr, "cohort_bench: '%s' printed no number\n", command.c_str());
    std::exit(1);
  }
  pclose(pipe);
  return kib;
}

}  // namespace

int print_growth(const char* kind) {
  const bool plain = std::strncmp(kind, "plain-", 6) == 0;
  const kernel_set& kernels = plain ? plain_kernels : cohortcc_kernels;
  if (plain) kind += 6;
  kernels.never_wait(1, 1);  // excludes threads, tables and the first pages of code from the measurement
  const double before = resident_kib();
  if (std::strcmp(kind, "wait") == 0) {
    kernels.wait_once(1, 1024);
  } else {
    kernels.never_wait(1, 1024);
  }
  std::printf("%.0f\n", resident_kib() - before);
  return 0;
}

void add_memory_rows(suite& rows) {
  struct wanted {
    const char* name;
    const char* kind;
    double mib;
  };
  // The bars of `never`: a stack for each of 1024 threads would take at least a page each, 4 MiB together, and the bar
  // is a quarter of that.
  const wanted all[] = {{"memory, 1024 threads that wait (cohortcc)", "wait", 20},
                        {"memory, 1024 threads that wait (g++)", "plain-wait", 20},
                        {"memory, 1024 threads that never wait (cohortcc)", "never", 1},
                        {"memory, 1024 threads that never wait (g++)", "plain-never", 1}};
  for (const wanted& w : all) {
    rows.add({.name = w.name, .unit = "MiB", .on = cpus::all, .at_most = w.mib, .rounds = 3, .has_kernel = false},
             [w] { return row_sides{[w] { return growth_in_new_process(w.kind) / 1024; }}; });
  }
}

}  // namespace bench
