// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort_bench: measures each row beside its peers, prints one table, and writes the result file.
#include <cstdio>
#include <cstring>
#include <regex>
#include <string>

#include "harness/driver.hpp"
#include "harness/server.hpp"
#include "harness/timing.hpp"
#include "rows/rows.hpp"

namespace {

constexpr const char* usage =
    "usage: cohort_bench [--only PART] [--filter REGEX] [--modes] [--quick] [--seconds N] [--cpu-time]\n"
    "                    [--results FOLDER] [--source FOLDER] [--list]\n"
    "  --only PART       one part: switch, barriers, collectives, warp, sums, transpose, scan, divergence, matrix,\n"
    "                    transforms, libraries, arithmetic, black-scholes, samples, programs, write, launch or memory\n"
    "  --filter REGEX    only rows whose name contains a match\n"
    "  --modes           also run each kernel with COHORT_GANGS=off, and compare\n"
    "  --quick           three rounds a row, for a trial run\n"
    "  --seconds N       the time of a row, within which it repeats (6)\n"
    "  --cpu-time        measure the CPU time of the process, not wall time; for a busy machine\n"
    "  --results FOLDER  write <date>-<cpu>.json to this folder; default: no file\n"
    "  --source FOLDER   the checkout whose commit is stored in the result\n"
    "  --list            print the rows and run nothing\n"
    "The exit status is 1 if a row has a wrong result or a peer that contradicts another row's. Missed bars are no "
    "error.\n";

struct options {
  bench::plan how;
  std::string results;
  std::string source = ".";
  std::string growth;
  bool serve = false;
  bool list = false;
};

int wrong(const std::string& argument) {
  std::fprintf(stderr, "cohort_bench: argument '%s' is unknown or lacks its value\n%s", argument.c_str(), usage);
  return 2;
}

// Reads an option without a value; false if `name` is none.
bool read_flag(const std::string& name, options& all) {
  if (name == "--quick") {
    all.how.most_rounds = 3;
  } else if (name == "--modes") {
    all.how.both_modes = true;
  } else if (name == "--cpu-time") {
    bench::clock_used = CLOCK_PROCESS_CPUTIME_ID;
  } else if (name == "--serve") {
    all.serve = true;
  } else if (name == "--list") {
    all.list = true;
  } else {
    return false;
  }
  return true;
}

// Reads an option with a value; false if `name` is none, or if the value is wrong.
bool read_value(const std::string& name, const std::string& value, options& all) {
  if (name == "--only") {
    all.how.part = value;
  } else if (name == "--filter") {
    all.how.filter = value;
    try {
      const std::regex valid(value);
    } catch (const std::regex_error&) {
      return false;
    }
  } else if (name == "--seconds") {
    all.how.seconds_per_row = std::strtod(value.c_str(), nullptr);
    return all.how.seconds_per_row > 0;
  } else if (name == "--results") {
    all.results = value;
  } else if (name == "--source") {
    all.source = value;
  } else if (name == "--growth") {
    all.growth = value;
  } else {
    return false;
  }
  return true;
}

bench::suite all_rows() {
  struct part {
    const char* name;
    void (*add)(bench::suite&);
  };
  const part parts[] = {{"switch", bench::add_switch_rows},
                        {"barriers", bench::add_barrier_rows},
                        {"collectives", bench::add_collective_rows},
                        {"warp", bench::add_warp_rows},
                        {"sums", bench::add_sum_rows},
                        {"transpose", bench::add_transpose_rows},
                        {"scan", bench::add_scan_rows},
                        {"divergence", bench::add_divergence_rows},
                        {"matrix", bench::add_matrix_rows},
                        {"transforms", bench::add_transform_rows},
                        {"libraries", bench::add_library_rows},
                        {"arithmetic", bench::add_arithmetic_rows},
                        {"black-scholes", bench::add_black_scholes_rows},
                        {"samples", bench::add_sample_rows},
                        {"programs", bench::add_program_rows},
                        {"write", bench::add_write_rows},
                        {"launch", bench::add_launch_rows},
                        {"memory", bench::add_memory_rows}};
  bench::suite rows;
  for (const part& p : parts) {
    rows.begin_part(p.name);
    p.add(rows);
  }
  return rows;
}

}  // namespace

int main(int count, char** arguments) {
  options all;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--help") == 0) {
      std::fputs(usage, stdout);
      return 0;
    }
    if (read_flag(arguments[i], all)) continue;
    if (i + 1 == count || !read_value(arguments[i], arguments[i + 1], all)) return wrong(arguments[i]);
    ++i;
  }
  if (!all.growth.empty()) return bench::print_growth(all.growth.c_str());
  const bench::suite rows = all_rows();
  if (all.serve) return bench::serve(rows);
  if (all.list) {
    for (const auto& r : rows.rows()) std::printf("%s: %s\n", r.part.c_str(), r.spec.name.c_str());
    return 0;
  }
  const bench::report result = bench::measure(rows, all.how);
  if (result.empty()) {
    std::fprintf(stderr, "cohort_bench: no row has part '%s' and matches '%s'; --list prints the rows\n",
                 all.how.part.c_str(), all.how.filter.c_str());
    return 2;
  }
  const std::string path = all.results.empty() ? "" : result.write(all.results, all.source);
  if (!path.empty()) std::fprintf(stderr, "cohort_bench: wrote %s\n", path.c_str());
  result.print();
  return result.failed_rows() > 0 ? 1 : 0;
}
