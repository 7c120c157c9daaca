// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort_check_bench: the CPU time of kernels under --check, beside the same source without it on fibers. Two programs
// of one source take turns, each with one worker.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../harness/report.hpp"
#include "../harness/timing.hpp"

namespace {

constexpr const char* usage =
    "usage: cohort_check_bench PLAIN CHECKED [--rounds N] [--results FOLDER] [--source FOLDER]\n"
    "  PLAIN, CHECKED    program.cu, compiled by cohortcc --cohort-gangs=off and by cohortcc --check\n"
    "  --rounds N        in which the programs take turns (5)\n"
    "  --results FOLDER  write <date>-<cpu>-check.json to this folder; default: no file\n"
    "  --source FOLDER   the checkout whose commit is stored in the result\n";

struct options {
  std::string plain, checked;
  int rounds = 5;
  std::string results;
  std::string source = ".";
};

bool read(int argc, char** argv, options& all) {
  if (argc < 3 || argc % 2 == 0) return false;
  all.plain = argv[1];
  all.checked = argv[2];
  for (int i = 3; i < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--rounds") {
      all.rounds = std::atoi(value.c_str());
    } else if (name == "--results") {
      all.results = value;
    } else if (name == "--source") {
      all.source = value;
    } else {
      return false;
    }
  }
  return all.rounds > 0;
}

struct times_of_kernel {
  std::vector<double> checked, plain;
};

// The CPU times of each kernel. `names` has the order of the program.
struct measurement {
  std::vector<std::string> names;
  std::map<std::string, times_of_kernel> times;
  bool failed = false;
};

// Runs the program once. Its lines are "<milliseconds> <kernel>".
void run(const std::string& program, std::vector<double> times_of_kernel::* side, measurement& all) {
  std::FILE* const lines = popen(("'" + program + "'").c_str(), "r");
  char name[128];
  double time = 0;
  while (lines && std::fscanf(lines, "%lf %127[^\n]", &time, name) == 2) {
    if (all.times.count(name) == 0) all.names.emplace_back(name);
    (all.times[name].*side).push_back(time);
  }
  all.failed = !lines || pclose(lines) != 0 || all.failed;
}

// The programs take turns, so the median of the ratios of each turn hides a load that comes and goes.
double ratio_of(const times_of_kernel& times) {
  std::vector<double> of_turns;
  for (size_t i = 0; i < times.plain.size() && i < times.checked.size(); ++i) {
    of_turns.push_back(times.checked[i] / times.plain[i]);
  }
  return bench::median(of_turns);
}

void print_summary(const char* kernels, const std::vector<double>& ratios) {
  if (ratios.empty()) return;
  // The two quantiles differ if the number of rows is even: their mean is then that of the two middle rows.
  const double middle = (bench::quantile(ratios, 0.4999) + bench::quantile(ratios, 0.5001)) / 2;
  std::printf("\n%s: median of the ratios %.2f (aim 3), worst %.1f (aim 6)\n", kernels, middle,
              bench::quantile(ratios, 1));
}

}  // namespace

int main(int argc, char** argv) {
  options all;
  if (!read(argc, argv, all)) {
    std::fputs(usage, stderr);
    return 2;
  }
  setenv("COHORT_WORKERS", "1", 1);
  setenv("COHORT_CHECK", "fail", 1);
  measurement measured;
  for (int round = 0; round < all.rounds; ++round) {
    run(all.plain, &times_of_kernel::plain, measured);
    run(all.checked, &times_of_kernel::checked, measured);
  }
  bench::clock_used = CLOCK_PROCESS_CPUTIME_ID;
  std::vector<bench::measured_row> rows;
  std::vector<double> ratios, further;  // ratios of the kernels that the checker was tuned with, and of further ones
  for (const std::string& name : measured.names) {
    const times_of_kernel& times = measured.times[name];
    bench::measured_row row;
    // A compare-and-exchange may take a lock, so the facts that sites keep end with it.
    const bool is_further = name.rfind("also: ", 0) == 0;
    const double most = is_further ? 60 : 10;
    row.spec = {.name = name, .unit = "ms", .peers = {{"on fibers, without --check", bench::bar::at_most(most)}}};
    row.ours = times.checked;
    row.peers = {times.plain};
    row.missing = {""};
    if (measured.failed) row.failure = "a program failed, or has a wrong result";
    (is_further ? further : ratios).push_back(ratio_of(times));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    std::fprintf(stderr, "cohort_check_bench: '%s' and '%s' measured nothing\n", all.plain.c_str(),
                 all.checked.c_str());
    return 1;
  }
  bench::report report(std::move(rows), -1);
  report.print();
  print_summary("the suite", ratios);
  print_summary("the further kernels", further);
  if (!all.results.empty() && report.write(all.results, all.source, "-check").empty()) return 1;
  return report.failed_rows() ? 1 : 0;
}
