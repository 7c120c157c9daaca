// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "facts.hpp"

namespace bench {

namespace {

// Formats a number with three significant digits and without an exponent.
std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
  return text;
}

std::string bar_text(const bar& limit) {
  if (limit.kind == bar_kind::none) return "";
  return (limit.kind == bar_kind::at_most ? "<= " : ">= ") + number(limit.value);
}

std::string verdict(const row& r) {
  if (r.limit.kind == bar_kind::none || r.theirs == 0) return "";
  return r.limit.holds(r.ratio) ? "yes" : "NO";
}

// Pads by bytes, which is the width because the table is ASCII.
void pad(const std::string& text, int width) { std::printf("%-*s  ", width, text.c_str()); }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

void report::add(const std::string& name, const std::string& unit, const std::string& peer, const comparison& measured,
                 bar limit) {
  rows_.push_back({name, unit, peer, median(measured.ours), median(measured.theirs), measured.ratio(), limit,
                   static_cast<int>(measured.ours.size()), measured.ratio_quantile(0.1), measured.ratio_quantile(0.9),
                   ""});
}

void report::add_value(const std::string& name, const std::string& unit, double ours, const std::string& peer,
                       double theirs, bar limit, int repeats) {
  const double ratio = ours / theirs;
  rows_.push_back({name, unit, peer, ours, theirs, ratio, limit, repeats, ratio, ratio, ""});
}

void report::add_alone(const std::string& name, const std::string& unit, const std::vector<double>& ours,
                       const std::string& peer, const std::string& why) {
  rows_.push_back({name, unit, peer, median(ours), 0, 0, {}, static_cast<int>(ours.size()), 0, 0, why});
}

void report::print() const {
  std::vector<std::vector<std::string>> table = {
      {"what", "unit", "ours", "peer", "", "ratio", "10%..90%", "bar", "met?"}};
  for (const row& r : rows_) {
    if (r.theirs == 0) {
      table.push_back({r.name, r.unit, number(r.ours), "-", r.peer + ": " + r.note, "", "", "", ""});
    } else {
      table.push_back({r.name, r.unit, number(r.ours), number(r.theirs), r.peer, number(r.ratio),
                       number(r.ratio_low) + ".." + number(r.ratio_high), bar_text(r.limit), verdict(r)});
    }
  }
  std::vector<int> widths(table[0].size());
  for (const auto& line : table) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], static_cast<int>(line[i].size()));
  }
  std::printf("\n");
  for (const auto& line : table) {
    for (size_t i = 0; i < line.size(); ++i) pad(line[i], widths[i]);
    std::printf("\n");
  }
}

int report::missed() const {
  int count = 0;
  for (const row& r : rows_) count += verdict(r) == "NO";
  return count;
}

std::string report::write(const std::string& folder, const std::string& source_folder) const {
  const machine_facts facts = find_machine_facts(source_folder);
  std::error_code ignored;  // fopen reports the error
  std::filesystem::create_directories(folder, ignored);
  const std::string path = folder + "/" + facts.date + "-" + facts.cpu_slug + ".json";
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "cohort_bench: cannot write %s; name another folder with --results\n", path.c_str());
    return "";
  }
  std::fprintf(file, "{\n  \"date\": %s,\n  \"time\": %s,\n  \"cpu\": %s,\n  \"cores\": %d,\n  \"kernel\": %s,\n",
               quoted(facts.date).c_str(), quoted(facts.time).c_str(), quoted(facts.cpu).c_str(), facts.cores,
               quoted(facts.system).c_str());
  std::fprintf(file, "  \"clock\": %s,\n",
               clock_used == CLOCK_PROCESS_CPUTIME_ID ? "\"CPU time of the process\"" : "\"wall\"");
  std::fprintf(file, "  \"commit\": %s,\n  \"versions\": {", quoted(facts.commit).c_str());
  for (size_t i = 0; i < facts.versions.size(); ++i) {
    std::fprintf(file, "%s\n    %s: %s", i ? "," : "", quoted(facts.versions[i].first).c_str(),
                 quoted(facts.versions[i].second).c_str());
  }
  std::fprintf(file, "\n  },\n  \"rows\": [");
  for (size_t i = 0; i < rows_.size(); ++i) {
    const row& r = rows_[i];
    std::fprintf(file, "%s\n    {\"name\": %s, \"unit\": %s, \"ours\": %.6g, \"peer\": %s, ", i ? "," : "",
                 quoted(r.name).c_str(), quoted(r.unit).c_str(), r.ours, quoted(r.peer).c_str());
    if (r.theirs == 0) {
      std::fprintf(file, "\"theirs\": null, \"note\": %s, \"repeats\": %d}", quoted(r.note).c_str(), r.repeats);
      continue;
    }
    std::fprintf(file, "\"theirs\": %.6g, \"ratio\": %.4g, ", r.theirs, r.ratio);
    if (r.limit.kind != bar_kind::none) {
      std::fprintf(file, "\"bar\": %s, \"met\": %s, ", quoted(bar_text(r.limit)).c_str(),
                   r.limit.holds(r.ratio) ? "true" : "false");
    }
    std::fprintf(file, "\"repeats\": %d, \"spread\": [%.4g, %.4g]}", r.repeats, r.ratio_low, r.ratio_high);
  }
  std::fprintf(file, "\n  ]\n}\n");
  std::fclose(file);
  return path;
}

}  // namespace bench
