// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures each row with both builds in alternation and prints medians and ratios:
//   gpu-bench [--filter=PART OF A NAME] [--repeats=N] [JSON file]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "rows.hpp"

namespace {

struct options {
  std::string filter;
  int repeats = 21;
  std::string file;
};

struct result {
  row what;
  double ours, theirs, deviation;
  bool is_rate() const { return std::strcmp(what.unit, "GB/s") == 0; }
  double ratio() const { return ours / theirs; }
  bool holds() const {
    if (is_rate()) return ratio() >= what.bar;
    if (what.limit != 0 && ours > what.limit) return false;
    // A bar above 1 also admits one cycle more than the peer takes.
    return what.bar == 0 || ratio() <= what.bar ||
           (what.bar > 1 && std::strcmp(what.unit, "cycles") == 0 && ours <= theirs + 1);
  }
  std::string bar() const {
    char of_ratio[32] = "", of_ours[32] = "";
    if (what.bar != 0) std::snprintf(of_ratio, sizeof of_ratio, "%s %.3g", is_rate() ? ">=" : "<=", what.bar);
    if (what.limit != 0) std::snprintf(of_ours, sizeof of_ours, "<= %.0f %s", what.limit, what.unit);
    return std::string(of_ratio) + (*of_ratio != 0 && *of_ours != 0 ? " and " : "") + of_ours;
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Interquartile range of the ratios, relative to their median.
double deviation(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[values.size() * 3 / 4] - values[values.size() / 4]) / values[values.size() / 2];
}

result measure(const row& ours, const row& theirs, int repeats) {
  std::vector<double> our_times, their_times, ratios;
  ours.measure();
  theirs.measure();
  for (int i = 0; i < repeats; ++i) {
    our_times.push_back(ours.measure());
    their_times.push_back(theirs.measure());
    ratios.push_back(our_times.back() / their_times.back());
  }
  return {ours, median(our_times), median(their_times), deviation(ratios)};
}

// The peak rate of the card's memory in GB/s. CUDA gives its clock in kHz, and each cycle transfers data twice.
double memory_peak() {
  int clock = 0, bits = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0);
  return 2.0 * clock * (bits / 8) / 1e6;
}

void write(const std::string& path, const cudaDeviceProp& device, const std::vector<result>& results, int repeats) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  std::ofstream file(path);
  file << "{\n  \"device\": \"" << device.name << "\",\n  \"peak GB/s\": " << std::lround(memory_peak())
       << ",\n  \"driver supports CUDA\": \"" << driver / 1000 << '.' << driver % 1000 / 10 << "\",\n  \"toolkit\": \""
       << CUDART_VERSION / 1000 << '.' << CUDART_VERSION % 1000 / 10 << "\",\n  \"rows\": [\n";
  for (const result& r : results) {
    char line[512];
    std::snprintf(line, sizeof line,
                  "    {\"name\": \"%s\", \"unit\": \"%s\", \"ours\": %.2f, \"theirs\": %.2f, \"ratio\": %.4f, "
                  "\"bar\": \"%s\", \"met\": %s, \"repeats\": %d, \"spread\": %.4f}%s\n",
                  r.what.name, r.what.unit, r.ours, r.theirs, r.ratio(), r.bar().c_str(), r.holds() ? "true" : "false",
                  repeats, r.deviation, &r == &results.back() ? "" : ",");
    file << line;
  }
  file << "  ]\n}\n";
}

options parse(int count, char** arguments) {
  options chosen;
  for (int i = 1; i < count; ++i) {
    const std::string text = arguments[i];
    if (text.rfind("--filter=", 0) == 0) {
      chosen.filter = text.substr(9);
    } else if (text.rfind("--repeats=", 0) == 0) {
      chosen.repeats = std::max(1, std::atoi(text.c_str() + 10));
    } else if (text.rfind("--", 0) == 0) {
      std::fprintf(stderr, "%s is not an option; the options are --filter=PART OF A NAME and --repeats=N\n",
                   text.c_str());
      std::exit(2);
    } else {
      chosen.file = text;
    }
  }
  return chosen;
}

std::vector<row> join(std::vector<row> rows, const std::vector<row>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace

int main(int count, char** arguments) {
  const options chosen = parse(count, arguments);
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::puts("no NVIDIA GPU");
    return 77;
  }
  const std::vector<row> theirs = join(rows_of_nvidia(), sums_of_cub());
  std::vector<result> results;
  std::printf("%s\n%-40s %-6s %10s %10s %-34s %7s %8s\n", device.name, "", "", "ours", "theirs", "bar", "spread",
              "ratio");
  for (const row& mine : join(rows_of_cohort(), sums_of_cohort())) {
    if (std::string(mine.name).find(chosen.filter) == std::string::npos) continue;
    const auto peer = std::find_if(theirs.begin(), theirs.end(),
                                   [&](const row& other) { return std::strcmp(mine.name, other.name) == 0; });
    if (peer == theirs.end()) {
      std::printf("%-40s has no peer\n", mine.name);
      return 1;
    }
    results.push_back(measure(mine, *peer, chosen.repeats));
    const result& r = results.back();
    std::printf("%-40s %-6s %10.1f %10.1f %-34s %6.1f%% %8.3f%s\n", r.what.name, r.what.unit, r.ours, r.theirs,
                r.bar().c_str(), r.deviation * 100, r.ratio(), r.holds() ? "" : "  bar not met");
    std::fflush(stdout);
  }
  if (!chosen.file.empty()) write(chosen.file, device, results, chosen.repeats);
}
