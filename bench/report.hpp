// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows that the benchmarks produce: one table on the terminal, one JSON file for each run.
#pragma once

#include <string>
#include <vector>

#include "harness.hpp"

namespace bench {

enum class bar_kind { none, at_most, at_least };

// What ours / theirs must be.
struct bar {
  bar_kind kind = bar_kind::none;
  double value = 0;

  static bar at_most(double value) { return {bar_kind::at_most, value}; }
  static bar at_least(double value) { return {bar_kind::at_least, value}; }
  bool holds(double ratio) const { return kind == bar_kind::at_most ? ratio <= value : ratio >= value; }
};

struct row {
  std::string name;
  std::string unit;
  std::string peer;  // who or what `theirs` is
  double ours = 0;
  double theirs = 0;  // 0: there is no peer to measure; `note` says why
  double ratio = 0;
  bar limit;
  int repeats = 0;
  double ratio_low = 0;  // 10% and 90% of the rounds' ratios
  double ratio_high = 0;
  std::string note;
};

class report {
 public:
  // A compared pair; both sides in `unit`.
  void add(const std::string& name, const std::string& unit, const std::string& peer, const comparison& measured,
           bar limit = {});
  // A value of ours that is held against a fixed number, such as a limit of memory.
  void add_value(const std::string& name, const std::string& unit, double ours, const std::string& peer, double theirs,
                 bar limit, int repeats);
  // A value of ours whose peer is not on this machine.
  void add_alone(const std::string& name, const std::string& unit, const std::vector<double>& ours,
                 const std::string& peer, const std::string& why);

  void print() const;
  // Writes `<folder>/<date>-<cpu>.json` and returns its path; empty, with a message on stderr, where it cannot.
  std::string write(const std::string& folder, const std::string& source_folder) const;
  int missed() const;

 private:
  std::vector<row> rows_;
};

}  // namespace bench
