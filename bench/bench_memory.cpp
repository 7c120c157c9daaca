// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the resident memory that a launch adds. Each measurement runs in a process of its own, because pools keep
// their memory.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "benches.hpp"
#include "kernels.hpp"

namespace bench {

namespace {

double resident_kib() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  if (!file || std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

double growth_in_new_process(const char* what) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return 0;
  self[length] = 0;
  const std::string command = std::string("'") + self + "' --growth " + what;
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

int print_growth(const char* what) {
  const bool plain = std::strncmp(what, "plain-", 6) == 0;
  const kernel_set& kernels = plain ? plain_kernels : cohortcc_kernels;
  const char* kind = plain ? what + 6 : what;
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

void bench_memory(report& rows, const settings& how) {
  struct wanted {
    const char* name;
    const char* what;
    double mib;
  };
  // The bars of `never`: a stack for each of 1024 threads would take at least a page each, 4 MiB together, and the bar
  // is a quarter of that.
  const wanted all[] = {{"memory, 1024 threads that wait (cohortcc)", "wait", 20},
                        {"memory, 1024 threads that wait (g++)", "plain-wait", 20},
                        {"memory, 1024 threads that never wait (cohortcc)", "never", 1},
                        {"memory, 1024 threads that never wait (g++)", "plain-never", 1}};
  const int repeats = how.repeats < 5 ? 1 : 5;
  for (const wanted& w : all) {
    std::vector<double> grown;
    for (int i = 0; i < repeats; ++i) grown.push_back(growth_in_new_process(w.what) / 1024);
    rows.add_value(w.name, "MiB", median(grown), "limit", w.mib, bar::at_most(1), repeats);
  }
}

}  // namespace bench
