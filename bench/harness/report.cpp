// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "result_file.hpp"
#include "timing.hpp"

namespace bench {

namespace {

// Returns the quantile of the ratios of single rounds.
double ratio_quantile(const std::vector<double>& ours, const std::vector<double>& theirs, double part) {
  std::vector<double> ratios;
  for (size_t i = 0; i < ours.size() && i < theirs.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
  return quantile(ratios, part);
}

void compare(result_line& line, const std::vector<double>& ours, const std::vector<double>& theirs, bar limit) {
  line.theirs = median(theirs);
  line.ratio = line.ours / line.theirs;
  line.ratio_low = ratio_quantile(ours, theirs, 0.1);
  line.ratio_high = ratio_quantile(ours, theirs, 0.9);
  line.limit = limit;
}

std::vector<result_line> lines_of(const measured_row& row) {
  const result_line common{.name = row.spec.name,
                           .unit = row.spec.unit,
                           .peer = "",
                           .on = row.spec.on,
                           .rounds = static_cast<int>(row.ours.size()),
                           .ours = median(row.ours),
                           .failure = row.failure};
  if (row.ours.empty()) return {common};
  std::vector<result_line> lines;
  for (size_t i = 0; i < row.peers.size(); ++i) {
    result_line line = common;
    line.peer = row.spec.peers[i].name;
    line.note = row.missing[i];
    if (!row.peers[i].empty()) compare(line, row.ours, row.peers[i], row.spec.peers[i].limit);
    lines.push_back(line);
  }
  if (row.spec.at_most > 0) {
    result_line line = common;
    line.peer = "limit";
    compare(line, row.ours, std::vector<double>(row.ours.size(), row.spec.at_most), bar::at_most(1));
    lines.push_back(line);
  }
  if (!row.fibers.empty()) {
    result_line line = common;
    line.peer = "COHORT_GANGS=off";
    compare(line, row.ours, row.fibers, row.spec.against_fibers);
    lines.push_back(line);
  }
  if (lines.empty()) lines.push_back(common);
  return lines;
}

// Returns a line for each `peer_spec::mean`, in the order of the rows. A failed row is left out, as in other lines.
std::vector<result_line> mean_lines(const std::vector<measured_row>& rows) {
  std::vector<result_line> lines;
  for (const measured_row& row : rows) {
    for (size_t i = 0; i < row.peers.size(); ++i) {
      const peer_spec& peer = row.spec.peers[i];
      if (peer.mean.empty() || row.peers[i].empty() || row.ours.empty()) continue;
      const double ours = median(row.ours), theirs = median(row.peers[i]), ratio = ours / theirs;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const result_line& l) { return l.name == peer.mean; });
      if (line == lines.end()) {
        lines.push_back({.name = peer.mean, .unit = row.spec.unit, .peer = peer.name, .on = row.spec.on});
        line = lines.end() - 1;
        line->limit = peer.mean_limit;
        line->ratio_low = line->ratio_high = ratio;
      }
      ++line->rounds;
      line->ours += std::log(ours);
      line->theirs += std::log(theirs);
      line->ratio_low = std::min(line->ratio_low, ratio);
      line->ratio_high = std::max(line->ratio_high, ratio);
    }
  }
  for (result_line& line : lines) {
    line.ours = std::exp(line.ours / line.rounds);
    line.theirs = std::exp(line.theirs / line.rounds);
    line.ratio = line.ours / line.theirs;
  }
  return lines;
}

std::string verdict(const result_line& line) {
  if (line.limit.kind == bar_kind::none || line.theirs == 0) return "";
  return line.limit.holds(line.ratio) ? "yes" : "NO";
}

// Pads by bytes, which is the width because the table is ASCII.
void pad(const std::string& text, size_t width) { std::printf("%-*s  ", static_cast<int>(width), text.c_str()); }

}  // namespace

report::report(std::vector<measured_row> rows, int one_cpu) : one_cpu_(one_cpu) {
  for (const measured_row& r : rows) {
    for (result_line& line : lines_of(r)) lines_.push_back(std::move(line));
    if (!r.failure.empty()) failures_.push_back(r.spec.name + ": " + r.failure);
  }
  for (result_line& line : mean_lines(rows)) lines_.push_back(std::move(line));
}

void report::print() const {
  std::vector<std::vector<std::string>> table = {
      {"row", "unit", "ours", "peer's", "peer", "ratio", "10%..90%", "bar", "met?"}};
  std::map<std::string, int> left_out;
  for (const result_line& l : lines_) {
    if (l.theirs == 0) {
      if (!l.note.empty()) ++left_out[l.peer + ": " + l.note];
      table.push_back({l.name, l.unit, number(l.ours), "-", l.peer, "", "", "", ""});
    } else {
      table.push_back({l.name, l.unit, number(l.ours), number(l.theirs), l.peer, number(l.ratio),
                       number(l.ratio_low) + ".." + number(l.ratio_high), bar_text(l.limit), verdict(l)});
    }
  }
  std::vector<size_t> widths(table[0].size());
  for (const auto& line : table) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::printf("\n");
  for (const auto& line : table) {
    for (size_t i = 0; i < line.size(); ++i) pad(line[i], widths[i]);
    std::printf("\n");
  }
  for (const auto& reason : left_out)
    std::printf("\n%d comparison(s) left out: %s", reason.second, reason.first.c_str());
  if (missed_bars() > 0) std::printf("\n%d bar(s) missed", missed_bars());
  for (const std::string& failure : failures_) std::printf("\nFAILED: %s", failure.c_str());
  std::printf("\n");
}

int report::missed_bars() const {
  int count = 0;
  for (const result_line& l : lines_) count += verdict(l) == "NO";
  return count;
}

int report::failed_rows() const { return static_cast<int>(failures_.size()); }

std::string report::write(const std::string& folder, const std::string& source_folder, const std::string& part) const {
  machine_facts facts = find_machine_facts(source_folder);
  facts.cpu_slug += part;
  return write_results(folder, facts, versions_, one_cpu_, lines_);
}

}  // namespace bench
