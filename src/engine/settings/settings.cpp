// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/settings.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cohort/base/limits.hpp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "engine/settings/environment.hpp"

namespace cohort::engine {

namespace {

constexpr double most_bytes = 9e18;

const char* const guard_words[] = {"off", "page", "strict", nullptr};
const char* const gang_words[] = {"off", "auto", nullptr};
const char* const tensor_words[] = {"exact", "fast", nullptr};
const char* const report_words[] = {"text", "json", nullptr};
const char* const gpu_words[] = {
#define COHORT_GPU(name, ...) name,
#include "engine/settings/gpus.inc"
#undef COHORT_GPU
    nullptr};
const char* const check_words[] = {"report", "fail", "json", nullptr};

const setting all_settings[] = {
    {"COHORT_DEVICES", "virtual devices", "1", 1, max_devices, true},
    {"COHORT_GPU", "the GPU whose limits, size and compute capability the virtual device has",
     "none: one of capability 9.0", 0, 0, true, gpu_words},
    {"COHORT_SMS", "streaming multiprocessors of the virtual device", "those of COHORT_GPU, else the number of workers",
     1, 65536, true},
    {"COHORT_WORKERS", "OS threads that run the blocks of a device",
     "CPUs that the process may use, shared by the devices", 1, 4096, true},
    {"COHORT_STACK", "bytes of address space for the stack of a CUDA thread", "262144", 256 * kib, 1024 * 1024 * kib,
     true},
    {"COHORT_TIMEOUT", "seconds after which a grid that only spins is ended with a report; 0 is never", "60", 0, 1e9,
     false},
    {"COHORT_LAUNCH_LIMIT", "seconds after which any launch that still runs is ended with a report; 0 is never", "0", 0,
     1e9, false},
    {"COHORT_SHARED_PER_BLOCK", "bytes of shared memory of a block without opt-in", "49152", 1024, 1024 * 1024 * kib,
     true},
    {"COHORT_SHARED_PER_BLOCK_OPTIN", "bytes of shared memory of a block with opt-in", "232448", 1024,
     1024 * 1024 * kib, true},
    {"COHORT_SHARED_PER_SM", "bytes of shared memory of a multiprocessor", "233472", 2048, 1024 * 1024 * kib, true},
    {"COHORT_MEMORY", "bytes of memory of a device", "memory of the machine, shared by the devices", 1024 * kib,
     most_bytes, true},
    {"COHORT_GUARD", "pages around allocations that no kernel may access: none, around each, or at its very end",
     "page", 0, 2, true, guard_words},
    {"COHORT_GANGS", "vector functions that run many threads of a block at once, where a kernel has them", "auto", 0, 1,
     true, gang_words},
    {"COHORT_CPU", "the CPU whose version of the kernels runs, of those that cohortcc --cpu made",
     "the last one in the list of --cpu that this machine can run", 0, 0, false, nullptr, false, "the name of a CPU"},
    {"COHORT_TENSOR", "products of tensor cores: the bits of an H100, or the CPU's fused multiply-add", "exact", 0, 1,
     true, tensor_words},
    {"COHORT_WORLD_SHARED", "processes of one host access each other's symmetric memory directly: 0 is no, 1 is yes",
     "1", 0, 1, true},
    {"COHORT_REPORT", "the form of reports about failed launches: text, or one JSON object on a line", "text", 0, 1,
     true, report_words},
    {"COHORT_CHECK", "what a program compiled with cohortcc --check does with findings", "report", 0, 2, true,
     check_words},
    {"COHORT_COUNT", "a file for the memory transactions of a program compiled with cohortcc --count", "no counts", 0,
     0, false, nullptr, false, "a path, in which %p stands for the process"},
    {"COHORT_COUNT_BLOCKS", "the blocks of a grid that COHORT_COUNT counts", "all", 0, 0, false, nullptr, false,
     "1/N for one block of N"},
    {"COHORT_SCHEDULE",
     "the order of the threads of a launch: one order by its seed or file, or a search for one that differs",
     "the engine's own order, on all workers", 0, 0, false, nullptr, false,
     "seed:N or search:N, either with ,depth:D behind it, shrink:N, or file:PATH"},
    {"COHORT_TRACE", "a file for launches, blocks, barriers, copies and ranges, in the format of Chromium and Perfetto",
     "no trace", 0, 0, false, nullptr, false, "a path, in which %p stands for the process"},
    {"COHORT_TRACE_SIZE", "bytes of a trace, beyond which events are dropped", "67108864", 4096, most_bytes, true},
    {"COHORT_ADDR2LINE", "the program that finds source lines for reports",
     "addr2line or llvm-addr2line in an absolute folder of PATH", 0, 0, false, nullptr, true},
    {nullptr, nullptr, nullptr, 0, 0, true},
};

// Finds a setting by its name; null if there is none.
const setting* find_setting(const char* name) {
  const setting* s = all_settings;
  while (s->name && std::strcmp(s->name, name) != 0) ++s;
  return s->name ? s : nullptr;
}

std::string value_text(const setting& s, double value) {
  if (is_bytes(s)) return bytes_text(value);
  char text[64];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

[[noreturn]] void refuse(const setting& s, const char* value) {
  if (s.words || s.program || s.form) {
    std::fprintf(stderr, "cohort: %s=%s is not valid: expected %s (%s)\n", s.name, value,
                 s.program ? "the absolute path of a program" : range_text(s).c_str(), s.meaning);
    std::exit(2);
  }
  std::fprintf(stderr, "cohort: %s=%s is not valid: expected %s %s (%s)\n", s.name, value,
               s.integer ? "a whole number" : "a number", range_text(s).c_str(), s.meaning);
  std::exit(2);
}

}  // namespace

const setting* settings() { return all_settings; }

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  char text[64];
  int unit = -1;
  double scaled = bytes;
  while (scaled >= 1024 && unit < 5) {
    scaled /= 1024;
    ++unit;
  }
  if (unit < 0) {
    std::snprintf(text, sizeof text, "%.0f", bytes);
  } else {
    std::snprintf(text, sizeof text, "%.0f (%.4g %s)", bytes, scaled, units[unit]);
  }
  return text;
}

bool is_bytes(const setting& s) { return std::strncmp(s.meaning, "bytes of", 8) == 0; }

std::string range_text(const setting& s) {
  if (s.program) return "a program";
  if (s.form) return s.form;
  if (s.words) return list_words(s);
  constexpr double exbibyte = 1024.0 * 1024 * 1024 * 1024 * 1024 * 1024;
  if (is_bytes(s) && s.most >= exbibyte) return "of at least " + value_text(s, s.least);
  return "from " + value_text(s, s.least) + " to " + value_text(s, s.most);
}

std::string list_words(const setting& s) {
  std::string list;
  for (const char* const* word = s.words; *word; ++word) {
    if (!list.empty()) list += word[1] ? ", " : " or ";
    list += *word;
  }
  return list;
}

const char* text_of(const setting& s) { return environment_variable(s.name); }

double read_setting(const char* name, double fallback) {
  const setting* s = find_setting(name);
  const char* text = s ? text_of(*s) : nullptr;
  if (!text) return fallback;
  for (const char* const* word = s->words; word && *word; ++word) {
    if (std::strcmp(*word, text) == 0) return static_cast<double>(word - s->words);
  }
  if (s->words) refuse(*s, text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || errno == ERANGE || std::isnan(value)) refuse(*s, text);
  if (value < s->least || value > s->most) refuse(*s, text);
  if (s->integer && value != std::floor(value)) refuse(*s, text);
  return value;
}

bool is_program(const std::string& path) {
  struct stat found;
  return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string read_program_setting(const char* name) {
  const setting* s = find_setting(name);
  const char* text = s ? text_of(*s) : nullptr;
  if (!text) return "";
  if (text[0] != '/' || !is_program(text)) refuse(*s, text);
  return text;
}

const char* read_form_setting(const char* name) {
  const setting* s = find_setting(name);
  return s ? text_of(*s) : nullptr;
}

void refuse_form_setting(const char* name) {
  const setting& s = *find_setting(name);
  refuse(s, text_of(s));
}

namespace {

constexpr const char* prefix = "COHORT_";

// Variables of cohortcc and of the project's tests, which the engine does not use.
constexpr const char* variables_of_others[] = {"COHORT_CACHE",          "COHORT_CLANG",        "COHORT_EXTRA_PROGRAMS",
                                               "COHORT_FULL_SIZE",      "COHORT_NVRTC",        "COHORT_OPENMPI5",
                                               "COHORT_PROPERTY_CASES", "COHORT_PROPERTY_SEED"};
// Prefix of further variables of tests.
constexpr const char* test_prefix = "COHORT_TEST_";

std::vector<std::string> known_names() {
  std::vector<std::string> names(std::begin(variables_of_others), std::end(variables_of_others));
  for (const setting* s = settings(); s->name; ++s) names.emplace_back(s->name);
  return names;
}

// The number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
// (optimal string alignment).
size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::vector<size_t>> steps(from.size() + 1, std::vector<size_t>(to.size() + 1));
  for (size_t i = 0; i <= from.size(); ++i) {
    for (size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const size_t substituted = steps[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  }
  return steps[from.size()][to.size()];
}

// Whether a name is a mistyped one: at most a third of its letters after the prefix differ.
bool is_similar(const std::string& name, size_t distance) {
  return distance <= std::max<size_t>(1, (name.size() - std::strlen(prefix)) / 3);
}

}  // namespace

std::string warn_of_variable(const std::string& name) {
  if (name.rfind(test_prefix, 0) == 0) return "";
  std::string nearest;
  size_t least = ~size_t{0};
  for (const std::string& known : known_names()) {
    const size_t distance = edit_distance(name, known);
    if (distance == 0) return "";
    if (distance < least) {
      least = distance;
      nearest = known;
    }
  }
  const std::string sentence = "cohort: warning: " + name + " is set, but Cohort has no such variable";
  if (is_similar(name, least)) return sentence + "; " + nearest + " has a similar name\n";
  return sentence + "; `cohort-info --env` lists them\n";
}

void warn_of_unknown_variables() {
  for (const std::string& name : variables_with_prefix(prefix)) {
    const std::string sentence = warn_of_variable(name);
    if (!sentence.empty()) std::fputs(sentence.c_str(), stderr);
  }
}

}  // namespace cohort::engine
