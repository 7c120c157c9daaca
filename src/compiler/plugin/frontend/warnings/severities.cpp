// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/severities.hpp"

#include "llvm/ADT/SmallVector.h"

namespace cohort {

bool warning_severities::read_option(llvm::StringRef word) {
  warning_severity severity;
  if (word.consume_front("suppress=")) {
    severity = warning_severity::hidden;
  } else if (word.consume_front("warn=")) {
    severity = warning_severity::warning;
  } else if (word.consume_front("error=")) {
    severity = warning_severity::error;
  } else {
    return false;
  }
  llvm::SmallVector<llvm::StringRef> names;
  word.split(names, ',');
  for (const llvm::StringRef name : names) {
    int number = 0;
    if (!name.getAsInteger(10, number)) {
      options_[number] = severity;
    } else if (const nvcc_warning* warning = find_warning(name)) {
      options_[warning->number] = severity;
    }
  }
  return true;
}

void warning_severities::set(clang::SourceLocation place, int number, const warning_severity* severity) {
  if (severity) {
    changes_.push_back({change::kind::set, place, number, *severity});
  } else {
    changes_.push_back({change::kind::restore, place, number});
  }
}

void warning_severities::push(clang::SourceLocation place) {
  ++depth_;
  changes_.push_back({change::kind::push, place});
}

bool warning_severities::pop(clang::SourceLocation place) {
  if (depth_ == 0) {
    return false;
  }
  --depth_;
  changes_.push_back({change::kind::pop, place});
  return true;
}

warning_severity warning_severities::of_command_line(const nvcc_warning& warning) const {
  for (const auto* chosen : {&options_, &shown_}) {
    if (const auto found = chosen->find(warning.number); found != chosen->end()) {
      return found->second;
    }
  }
  return warning.shown ? warning_severity::warning : warning_severity::hidden;
}

warning_severity warning_severities::at(clang::SourceLocation place, const nvcc_warning& warning,
                                        const clang::SourceManager& sources) const {
  const warning_severity usual = of_command_line(warning);
  if (warning.number == 0) {
    return usual;
  }
  warning_severity now = usual;
  llvm::SmallVector<warning_severity> saved;
  for (const change& next : changes_) {
    if (place.isValid() && !sources.isBeforeInTranslationUnit(next.place, place)) {
      break;
    }
    switch (next.what) {
      case change::kind::set:
        now = next.number == warning.number ? next.severity : now;
        break;
      case change::kind::restore:
        now = next.number == warning.number ? usual : now;
        break;
      case change::kind::push:
        saved.push_back(now);
        break;
      case change::kind::pop:
        now = saved.pop_back_val();
        break;
    }
  }
  return now;
}

}  // namespace cohort
