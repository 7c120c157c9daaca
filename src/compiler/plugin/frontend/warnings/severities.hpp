// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The severity of each of nvcc's warnings at each place of the source, by options and pragmas.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/warnings/nvcc_table.hpp"
#include "llvm/ADT/StringRef.h"

namespace cohort {

enum class warning_severity { hidden, warning, once, error };

class warning_severities {
 public:
  // Reads a word of the command line, "suppress=177,550", "warn=..." or "error=..."; false: it is none of these.
  bool read_option(llvm::StringRef word);

  // Shows a warning that the table leaves hidden and an option of clang enables.
  void show(int number) { shown_.insert_or_assign(number, warning_severity::warning); }

  // Sets the severity that a pragma gives to a warning from `place` on. Called in the order of the source. Null
  // restores the severity of the command line.
  void set(clang::SourceLocation place, int number, const warning_severity* severity);
  void push(clang::SourceLocation place);
  // Restores the severities before the last push. Returns false if no push is open.
  bool pop(clang::SourceLocation place);

  warning_severity at(clang::SourceLocation place, const nvcc_warning& warning,
                      const clang::SourceManager& sources) const;

 private:
  struct change {
    enum class kind { set, restore, push, pop } what;
    clang::SourceLocation place;
    int number = 0;
    warning_severity severity = warning_severity::warning;
  };

  warning_severity of_command_line(const nvcc_warning& warning) const;

  std::map<int, warning_severity> shown_, options_;
  std::vector<change> changes_;
  int depth_ = 0;  // pushes that no pop has ended
};

}  // namespace cohort
