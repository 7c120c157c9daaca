// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "result_file.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "timing.hpp"

namespace bench {

namespace {

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

void write_facts(std::FILE* file, const machine_facts& facts, int one_cpu,
                 const std::vector<std::pair<std::string, std::string>>& peers) {
  std::fprintf(file, "{\n  \"date\": %s,\n  \"time\": %s,\n  \"cpu\": %s,\n  \"cores\": %d,\n  \"kernel\": %s,\n",
               quoted(facts.date).c_str(), quoted(facts.time).c_str(), quoted(facts.cpu).c_str(), facts.cores,
               quoted(facts.system).c_str());
  std::fprintf(file, "  \"clock\": %s,\n  \"cpu of one-core rows\": %d,\n",
               clock_used == CLOCK_PROCESS_CPUTIME_ID ? "\"CPU time of the process\"" : "\"wall\"", one_cpu);
  std::fprintf(file, "  \"commit\": %s,\n  \"versions\": {", quoted(facts.commit).c_str());
  const char* comma = "";
  for (const auto* versions : {&facts.versions, &peers}) {
    for (const auto& [name, version] : *versions) {
      std::fprintf(file, "%s\n    %s: %s", comma, quoted(name).c_str(), quoted(version).c_str());
      comma = ",";
    }
  }
  std::fprintf(file, "\n  },\n");
}

void write_line(std::FILE* file, const result_line& l) {
  std::fprintf(file, "    {\"name\": %s, \"unit\": %s, \"cores\": \"%s\", \"ours\": %.6g, \"peer\": %s, ",
               quoted(l.name).c_str(), quoted(l.unit).c_str(), l.on == cpus::one ? "one" : "all", l.ours,
               quoted(l.peer).c_str());
  if (!l.failure.empty()) std::fprintf(file, "\"failure\": %s, ", quoted(l.failure).c_str());
  if (l.theirs == 0) {
    std::fprintf(file, "\"theirs\": null, \"note\": %s, \"repeats\": %d}", quoted(l.note).c_str(), l.rounds);
    return;
  }
  std::fprintf(file, "\"theirs\": %.6g, \"ratio\": %.4g, ", l.theirs, l.ratio);
  if (l.limit.kind != bar_kind::none) {
    std::fprintf(file, "\"bar\": %s, \"met\": %s, ", quoted(bar_text(l.limit)).c_str(),
                 l.limit.holds(l.ratio) ? "true" : "false");
  }
  std::fprintf(file, "\"repeats\": %d, \"spread\": [%.4g, %.4g]}", l.rounds, l.ratio_low, l.ratio_high);
}

}  // namespace

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
  return text;
}

std::string bar_text(const bar& limit) {
  if (limit.kind == bar_kind::none) return "";
  return (limit.kind == bar_kind::at_most ? "<= " : ">= ") + number(limit.value);
}

std::string write_results(const std::string& folder, const machine_facts& facts,
                          const std::vector<std::pair<std::string, std::string>>& peers, int one_cpu,
                          const std::vector<result_line>& lines) {
  std::error_code ignored;  // fopen reports the error
  std::filesystem::create_directories(folder, ignored);
  const std::string path = folder + "/" + facts.date + "-" + facts.cpu_slug + ".json";
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "cohort_bench: cannot write %s; name another folder with --results\n", path.c_str());
    return "";
  }
  write_facts(file, facts, one_cpu, peers);
  std::fprintf(file, "  \"rows\": [");
  for (size_t i = 0; i < lines.size(); ++i) {
    std::fprintf(file, "%s\n", i ? "," : "");
    write_line(file, lines[i]);
  }
  std::fprintf(file, "\n  ]\n}\n");
  std::fclose(file);
  return path;
}

}  // namespace bench
