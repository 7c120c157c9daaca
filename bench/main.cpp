// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort_bench: measures each row beside its peer, prints one table, and writes the result file.
#include <cstdio>
#include <cstring>
#include <string>

#include "benches.hpp"

namespace {

constexpr const char* usage =
    "usage: cohort_bench [--quick] [--cpu-time] [--only PART] [--results FOLDER] [--source FOLDER]\n"
    "  --quick           few repeats, for a trial run\n"
    "  --only PART       switch, waiting, collectives, kernels or memory\n"
    "  --cpu-time        measure the CPU time of the process, not wall time; for a busy machine\n"
    "  --results FOLDER  write <date>-<cpu>.json to this folder; default: no file\n"
    "  --source FOLDER   the checkout whose commit is stored in the result\n";

int wrong(const char* argument) {
  std::fprintf(stderr, "cohort_bench: argument '%s' is unknown or lacks its value\n%s", argument, usage);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  std::string only, results, source = ".";
  bench::settings how;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool has_value = i + 1 < count;
    if (argument == "--help") {
      std::fputs(usage, stdout);
      return 0;
    }
    if (argument == "--quick") {
      how.repeats = 3;
    } else if (argument == "--cpu-time") {
      bench::clock_used = CLOCK_PROCESS_CPUTIME_ID;
    } else if (!has_value) {
      return wrong(arguments[i]);
    } else if (argument == "--growth") {
      return bench::print_growth(arguments[i + 1]);
    } else if (argument == "--only") {
      only = arguments[++i];
    } else if (argument == "--results") {
      results = arguments[++i];
    } else if (argument == "--source") {
      source = arguments[++i];
    } else {
      return wrong(arguments[i]);
    }
  }
  struct part {
    const char* name;
    void (*run)(bench::report&, const bench::settings&);
  };
  const part parts[] = {{"switch", bench::bench_switch},
                        {"waiting", bench::bench_waiting},
                        {"collectives", bench::bench_collectives},
                        {"kernels", bench::bench_whole_kernels},
                        {"memory", bench::bench_memory}};
  bench::opencl_peer opencl;
  how.opencl = &opencl;
  bench::report rows;
  bool ran = false;
  for (const part& p : parts) {
    if (!only.empty() && only != p.name) continue;
    std::fprintf(stderr, "cohort_bench: %s ...\n", p.name);
    p.run(rows, how);
    ran = true;
  }
  if (!ran) return wrong(only.c_str());
  const std::string path = results.empty() ? "" : rows.write(results, source);
  if (!path.empty()) std::fprintf(stderr, "cohort_bench: wrote %s\n", path.c_str());
  rows.print();
  if (rows.missed() > 0) std::printf("\n%d bar(s) missed\n", rows.missed());
  return 0;
}
