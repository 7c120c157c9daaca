// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures each row with both builds, by turns, and prints medians and ratios:  gpu-bench [JSON file]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "rows.hpp"

namespace {

constexpr int repeats = 21;

struct result {
  row what;
  double ours, theirs, spread;
  double ratio() const { return ours / theirs; }
  // One cycle more is within a bar that asks for the same.
  bool holds() const { return ratio() <= what.bar || (what.bar > 1 && ours <= theirs + 1); }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The middle half of the ratios, relative to their median.
double spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[values.size() * 3 / 4] - values[values.size() / 4]) / values[values.size() / 2];
}

result measure(const row& ours, const row& theirs) {
  std::vector<double> our_times, their_times, ratios;
  ours.measure();
  theirs.measure();
  for (int i = 0; i < repeats; ++i) {
    our_times.push_back(ours.measure());
    their_times.push_back(theirs.measure());
    ratios.push_back(our_times.back() / their_times.back());
  }
  return {ours, median(our_times), median(their_times), spread(ratios)};
}

void write(const char* path, const char* device, const std::vector<result>& results) {
  std::ofstream file(path);
  file << "{\n  \"device\": \"" << device << "\",\n  \"rows\": [\n";
  for (const result& r : results) {
    char line[512];
    std::snprintf(line, sizeof line,
                  "    {\"name\": \"%s\", \"unit\": \"%s\", \"ours\": %.2f, \"theirs\": %.2f, \"ratio\": %.4f, "
                  "\"bar\": %.3f, \"repeats\": %d, \"spread\": %.4f}%s\n",
                  r.what.name, r.what.unit, r.ours, r.theirs, r.ratio(), r.what.bar, repeats, r.spread,
                  &r == &results.back() ? "" : ",");
    file << line;
  }
  file << "  ]\n}\n";
}

}  // namespace

int main(int count, char** arguments) {
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::puts("no NVIDIA GPU");
    return 77;
  }
  const std::vector<row> ours = rows_of_cohort();
  const std::vector<row> theirs = rows_of_nvidia();
  std::vector<result> results;
  std::printf("%s\n%-40s %10s %10s %8s %7s %7s\n", device.name, "", "ours", "theirs", "ratio", "bar", "spread");
  for (const row& mine : ours) {
    const auto peer = std::find_if(theirs.begin(), theirs.end(),
                                   [&](const row& other) { return std::strcmp(mine.name, other.name) == 0; });
    if (peer == theirs.end()) {
      std::printf("%-40s has no peer\n", mine.name);
      return 1;
    }
    results.push_back(measure(mine, *peer));
    const result& r = results.back();
    std::printf("%-40s %10.1f %10.1f %8.3f %7.3f %6.1f%% %s\n", r.what.name, r.ours, r.theirs, r.ratio(), r.what.bar,
                r.spread * 100, r.holds() ? "" : "above the bar");
    std::fflush(stdout);
  }
  if (count > 1) write(arguments[1], device.name, results);
}
