// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts.hpp"

#include <sys/utsname.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>

#include "cpus.hpp"

namespace bench {

namespace {

std::string first_line_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  char line[512] = "";
  if (!std::fgets(line, sizeof line, pipe)) line[0] = 0;
  pclose(pipe);
  line[std::strcspn(line, "\n")] = 0;
  return line;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname name{};
  uname(&name);
  return name.machine;
}

std::string slug(const std::string& text) {
  std::string out;
  for (char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || c == '.') {
      out += static_cast<char>(std::tolower(letter));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string formatted_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace

machine_facts find_machine_facts(const std::string& source_folder) {
  machine_facts facts;
  facts.date = formatted_time("%Y-%m-%d");
  facts.time = formatted_time("%H:%M:%S UTC");
  facts.cpu = cpu_name();
  facts.cpu_slug = slug(facts.cpu);
  utsname name{};
  uname(&name);
  facts.system = std::string(name.sysname) + " " + name.release;
  facts.cores = usable_cpus();
  facts.commit = first_line_of("git -C '" + source_folder + "' describe --always --dirty 2>/dev/null");
  if (facts.commit.empty()) facts.commit = "unknown";
  facts.versions.emplace_back("host compiler", __VERSION__);
  return facts;
}

}  // namespace bench
