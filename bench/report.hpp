// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the rows of a run, prints them as a table and writes them to a JSON file.
#pragma once

#include <string>
#include <vector>

#include "harness.hpp"

namespace bench {

enum class bar_kind { none, at_most, at_least };

// The bar of the ratio ours / theirs.
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
  std::string peer;  // the name of `theirs`
  double ours = 0;
  double theirs = 0;  // 0 without a peer; then `note` has the reason
  double ratio = 0;
  bar limit;
  int repeats = 0;
  double ratio_low = 0;  // the 10 % and 90 % quantiles of the rounds' ratios
  double ratio_high = 0;
  std::string note;
};

class report {
 public:
  // Adds a compared pair, both sides in `unit`.
  void add(const std::string& name, const std::string& unit, const std::string& peer, const comparison& measured,
           bar limit = {});
  // Adds a value of ours with a fixed bar, such as a limit of memory.
  void add_value(const std::string& name, const std::string& unit, double ours, const std::string& peer, double theirs,
                 bar limit, int repeats);
  // Adds a value of ours whose peer is not installed.
  void add_alone(const std::string& name, const std::string& unit, const std::vector<double>& ours,
                 const std::string& peer, const std::string& why);

  void print() const;
  // Writes `<folder>/<date>-<cpu>.json` and returns its path. On an error it prints a message and returns an empty
  // path.
  std::string write(const std::string& folder, const std::string& source_folder) const;
  int missed() const;

 private:
  std::vector<row> rows_;
};

}  // namespace bench
