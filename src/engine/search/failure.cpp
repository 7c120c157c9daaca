// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/search/failure.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace cohort::engine {

namespace {

bool begins_with(std::string_view text, std::string_view word) { return text.substr(0, word.size()) == word; }

std::string_view up_to(std::string_view line, std::string_view word) { return line.substr(0, line.find(word)); }

// The title in a line; empty if the line begins no report.
std::string_view title_in(std::string_view line) {
  constexpr std::string_view text = "cohort: ", failure = "{\"report\": \"cohort: ", finding = "{\"check\": ";
  // Leaves out the count of a finding, which differs between orders.
  if (begins_with(line, finding)) return up_to(line.substr(finding.size()), ", \"count\"");
  if (begins_with(line, failure)) return up_to(line.substr(failure.size()), " <<<");
  if (!begins_with(line, text)) return {};
  line.remove_prefix(text.size());
  if (begins_with(line, "warning:") || begins_with(line, "note:")) return {};
  return up_to(up_to(line, ", found "), " <<<");
}

}  // namespace

std::set<std::string> report_titles(const std::string& text) {
  std::set<std::string> titles;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view title = title_in(std::string_view(text).substr(begin, end - begin));
    if (!title.empty()) titles.emplace(title);
    begin = end + 1;
  }
  return titles;
}

run_failure::run_failure(const run_result& r, const run_result& own)
    : end(describe_end(r)), changes_out(r.out != own.out) {
  const std::set<std::string> now = report_titles(r.err), before = report_titles(own.err);
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::inserter(reports, reports.end()));
  changes_err = reports.empty() && r.err != own.err;
}

}  // namespace cohort::engine
