// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All rows, in the order of the table.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "row.hpp"

namespace bench {

// A function that allocates a row's inputs, runs each side once, compares the results with an independent model and
// returns the sides. It runs only in the process that measures the row.
using row_maker = std::function<row_sides()>;

struct suite_row {
  std::string part;
  row_spec spec;
  row_maker make;
};

class suite {
 public:
  // Begins a part, which `--only` selects.
  void begin_part(const std::string& part) { part_ = part; }
  void add(row_spec spec, row_maker make) { rows_.push_back({part_, std::move(spec), std::move(make)}); }
  const std::vector<suite_row>& rows() const { return rows_; }
  const suite_row* find(const std::string& name) const {
    for (const suite_row& r : rows_) {
      if (r.spec.name == name) return &r;
    }
    return nullptr;
  }

 private:
  std::string part_;
  std::vector<suite_row> rows_;
};

}  // namespace bench
