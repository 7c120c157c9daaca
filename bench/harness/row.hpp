// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row: our side of a comparison and its peers.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

// The CPUs of a row: one that the whole process is pinned to, or all that the process may use.
enum class cpus { one, all };

// How kernels of cohortcc run: as compiled, or with a fiber for each thread that may wait (COHORT_GANGS=off).
enum class gangs { as_compiled, off };

struct peer_spec {
  std::string name;
  bar limit = {};
  // Peers of one quantity measure the same thing. A row whose peer differs from the others' median by more than
  // `contradiction_factor` fails.
  std::string quantity = {};
  // Peers that have the same `mean`, of any rows, get a line after the last row: the geometric mean of their ratios,
  // with the least and the largest one.
  std::string mean = {};
  bar mean_limit = {};
  // A row with a smaller ratio ours / theirs fails: our side contains the peer's work, so the ratio must be a wrong
  // measurement.
  double lowest_ratio = 0;
};

struct row_spec {
  std::string name;
  std::string unit;
  std::vector<peer_spec> peers = {};
  cpus on = cpus::one;
  gangs mode = gangs::as_compiled;
  double at_most = 0;       // a bar of our value in the row's unit; 0: no bar
  bar against_fibers = {};  // a bar of the ratio to our side with COHORT_GANGS=off
  int rounds = 0;           // 0: as many rounds as the time of a row allows
  bool has_kernel = true;   // false: our side runs no kernel of cohortcc, so COHORT_GANGS=off would change nothing
};

// One side of a comparison: a call measures once and returns the time or the rate of one unit.
using side = std::function<double()>;

struct peer_side {
  side measure;
  std::string missing = {};  // why there is no such peer here; then `measure` is empty
};

// The sides of a row, in the order of `row_spec::peers`.
struct row_sides {
  side ours;
  std::vector<peer_side> peers = {};
};

// True if more of the unit is better.
inline bool is_rate(const std::string& unit) { return unit.find("/s") != std::string::npos; }

}  // namespace bench
