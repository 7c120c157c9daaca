// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the measured rows as a table and writes them to a JSON file. A row has one line for each peer, one for a bar
// in its own unit, and one for the comparison with fibers. Geometric means of sets of rows follow.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measured.hpp"

namespace bench {

// One line of the table, and one element of `rows` in the file.
struct result_line {
  std::string name;
  std::string unit;
  std::string peer;
  cpus on = cpus::one;
  int rounds = 0;
  double ours = 0;
  double theirs = 0;  // 0 without a peer; then `note` has the reason
  double ratio = 0;
  bar limit = {};
  double ratio_low = 0;  // 10 % and 90 % quantile of the ratios of single rounds
  double ratio_high = 0;
  std::string note = {};     // why the peer is missing; else empty
  std::string failure = {};  // why the row does not count; else empty
};

class report {
 public:
  report(std::vector<measured_row> rows, int one_cpu);

  void set_peer_versions(std::vector<std::pair<std::string, std::string>> versions) { versions_ = std::move(versions); }
  bool empty() const { return lines_.empty(); }
  void print() const;
  // Writes `<folder>/<date>-<cpu><part>.json` and returns its path. On an error it prints a message and returns an
  // empty path.
  std::string write(const std::string& folder, const std::string& source_folder, const std::string& part = "") const;
  int missed_bars() const;
  // The number of rows that failed: wrong results, or a peer that contradicts other rows.
  int failed_rows() const;

 private:
  std::vector<result_line> lines_;
  std::vector<std::string> failures_;
  std::vector<std::pair<std::string, std::string>> versions_;
  int one_cpu_;
};

}  // namespace bench
