// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/options.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

#include "options/option_table.hpp"
#include "options/words.hpp"

namespace cohort {
namespace {

const option_rule* find_rule(const std::string& name) {
  for (const auto& rule : option_rules()) {
    if (std::find(rule.names.begin(), rule.names.end(), name) != rule.names.end()) {
      return &rule;
    }
  }
  return nullptr;
}

// The rule of `-Idir`, an option with its value joined on; sets `value`. The longest name wins.
const option_rule* find_joined(const std::string& word, std::string& value) {
  const option_rule* best = nullptr;
  size_t length = 0;
  for (const auto& rule : option_rules()) {
    if (rule.argument != takes::joined_value) {
      continue;
    }
    const std::string& name = rule.names.front();
    if (name.size() > length && word.size() > name.size() && word.compare(0, name.size(), name) == 0) {
      best = &rule;
      length = name.size();
    }
  }
  if (best) {
    value = word.substr(length + (word[length] == '=' && best->names.front() != "D" ? 1 : 0));
  }
  return best;
}

// The name with its dashes: nvcc writes long names with two.
std::string dashed(const std::string& name) { return (name.size() > 12 ? "--" : "-") + name; }

// Edits (one letter inserted, removed or replaced) that turn `a` into `b`.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// Suggests the nearest name: one edit away, or two where the name has more than three letters.
[[noreturn]] void refuse_unknown(const std::string& argument, const std::string& name) {
  std::string hint = "Pass clang's own options with -Xcompiler; --help lists the options of cohortcc";
  size_t nearest = name.size() > 3 ? 3 : 2;
  for (const auto& rule : option_rules()) {
    for (const auto& known : rule.names) {
      if (known.size() > 2 && distance(name, known) < nearest) {
        nearest = distance(name, known);
        hint = "Did you mean " + dashed(known) + "?";
      }
    }
  }
  throw usage_error("unknown option '" + argument + "'. " + hint);
}

// The kind of an input. `language` is the value of the option -x, which holds for all sources; without it the file name
// decides.
input_file::kind kind_of(const std::string& path, std::optional<input_file::kind> language) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".cu") {
    return language.value_or(input_file::kind::cuda);
  }
  for (const char* cpp : {".cpp", ".cc", ".cxx", ".c++", ".C", ".c"}) {
    if (extension == cpp) {
      return language.value_or(extension == ".c" ? input_file::kind::c : input_file::kind::cpp);
    }
  }
  for (const char* object : {".o", ".a", ".so", ".obj", ".lo"}) {
    if (extension == object || path.find(".so.") != std::string::npos) {
      return input_file::kind::object;
    }
  }
  if (language) {
    return *language;
  }
  return input_file::kind::unknown;
}

void refuse_sanitizer(const std::string& argument) {
  const std::string prefix = "-fsanitize=";
  if (argument.rfind(prefix, 0) != 0) {
    return;
  }
  for (const std::string& name : split_list(argument.substr(prefix.size()))) {
    if (name == "thread") {
      throw usage_error(
          "-fsanitize=thread does not know the threads of a kernel; --check finds the data races of kernels");
    }
    if (name == "memory") {
      throw usage_error(
          "-fsanitize=memory takes all that Cohort's runtime writes for unwritten; --check=memory finds reads "
          "of memory that nothing wrote");
    }
  }
}

// Options that count lines. True if `argument` is such an option.
bool takes_coverage(options& result, const std::string& argument) {
  for (const char* word : {"--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage"}) {
    if (argument == word) {
      result.coverage.push_back("--coverage");
      return true;
    }
  }
  bool known = argument == "-fcoverage-mapping" || argument == "-fcoverage-mcdc";
  for (const char* start :
       {"-fprofile-instr-generate", "-fprofile-update=", "-fcoverage-prefix-map=", "-fcoverage-compilation-dir="}) {
    known = known || argument.rfind(start, 0) == 0;
  }
  if (known) {
    result.coverage.push_back(argument);
  }
  return known;
}

// Clang's sanitizers, for both passes and the link. True if `argument` belongs to them.
bool takes_sanitizer(options& result, const std::string& argument) {
  if (argument.rfind("-fsanitize", 0) != 0 && argument.rfind("-fno-sanitize", 0) != 0) {
    return false;
  }
  refuse_sanitizer(argument);
  result.frontend.push_back(argument);
  result.linker.push_back(argument);
  return true;
}

// True if `argument` is for g++ only.
bool drops_hint_for_gcc(options& result, const std::string& argument) {
  if (!is_hint_for_gcc(argument)) {
    return false;
  }
  result.notes.push_back(argument + " is an option of g++; clang compiles host code");
  return true;
}

// Families of clang's own options, which need no table of names. True if `argument` belongs to such a family.
bool takes_as_is(options& result, const std::string& written) {
  const std::string argument = written.rfind("--W", 0) == 0 ? written.substr(1) : written;
  if (argument.rfind("-W", 0) == 0) {
    const bool linker = argument.rfind("-Wl,", 0) == 0;
    (linker ? result.linker : result.frontend).push_back(argument);
    return true;
  }
  return takes_sanitizer(result, argument) || takes_coverage(result, written);
}

class parser {
 public:
  explicit parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  options parse() {
    for (next_ = 0; next_ < arguments_.size();) {
      const std::string& argument = arguments_[next_++];
      if (argument.size() < 2 || argument[0] != '-') {
        paths_.push_back(argument);
      } else {
        read_option(argument, argument.substr(argument[1] == '-' ? 2 : 1));
      }
    }
    read_preprocessor_options();
    // Sanitizer and coverage options after nvcc's -Xcompiler instrument kernels too.
    std::erase_if(result_.host, [&](const std::string& word) {
      return takes_sanitizer(result_, word) || takes_coverage(result_, word) || drops_hint_for_gcc(result_, word);
    });
    for (const auto& path : paths_) {
      result_.inputs.push_back({path, kind_of(path, result_.language)});
    }
    return std::move(result_);
  }

 private:
  // nvcc preprocesses the sources of both passes by the host compiler: folders of headers and macros after -Xcompiler
  // reach kernels.
  void read_preprocessor_options() {
    std::vector<std::string> words;
    words.swap(result_.host);
    for (size_t i = 0; i < words.size(); ++i) {
      const option_rule* rule = nullptr;
      std::string value;
      for (const std::string name : {"isystem", "iquote", "include", "I", "D", "U"}) {
        const bool alone = words[i] == "-" + name && i + 1 < words.size();
        const bool joined = !alone && name != "include" && words[i].size() > name.size() + 1;
        if (alone || (joined && words[i].rfind("-" + name, 0) == 0)) {
          rule = find_rule(name);
          value = alone ? words[++i] : words[i].substr(name.size() + 1);
          break;
        }
      }
      if (rule) {
        rule->apply(result_, value);
      } else {
        result_.host.push_back(words[i]);
      }
    }
  }

  // Reads one option. `word`: the argument without its dashes.
  void read_option(const std::string& argument, const std::string& word) {
    if (read_warning_kinds(word)) {
      return;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    const option_rule* rule = find_rule(word);
    if (!rule && takes_as_is(result_, argument)) {
      return;
    }
    if (!rule && equals != std::string::npos) {
      rule = find_rule(name);
      if (rule && rule->argument == takes::nothing) {
        throw usage_error("option -" + name + " takes no value");
      }
      value = word.substr(equals + 1);
    }
    if (!rule && argument[1] != '-') {
      std::string joined;
      rule = find_joined(word, joined);
      value = joined;
    }
    if (!rule && forward(argument)) {
      return;
    }
    if (!rule) {
      refuse_unknown(argument, name);
    }
    const bool needs_value = rule->argument == takes::value || rule->argument == takes::joined_value;
    if (needs_value && !value) {
      if (next_ == arguments_.size()) {
        throw usage_error("option " + argument + " needs a value");
      }
      value = arguments_[next_++];
    }
    rule->apply(result_, value.value_or(""));
  }

  bool written(const std::string& name) const {
    return std::any_of(arguments_.begin(), arguments_.end(),
                       [&](const std::string& word) { return word == "-" + name || word == "--" + name; });
  }

  // Gives an unknown option to the host compiler or the linker, if the command line requests that anywhere.
  bool forward(const std::string& argument) {
    const bool both = written("forward-unknown-opts");
    if (both || written("forward-unknown-to-host-compiler")) {
      result_.host.push_back(argument);  // goes to the link too
      return true;
    }
    if (written("forward-unknown-to-host-linker")) {
      result_.linker.push_back(argument);
      return true;
    }
    return false;
  }

  // nvcc's `-Werror=reorder,all-warnings` and `-Werror reorder`; any other -Werror is clang's.
  bool read_warning_kinds(const std::string& word) {
    if (word.rfind("Werror=", 0) == 0 && names_warning_kinds(word.substr(7))) {
      add_warning_kinds(result_, word.substr(7));
      return true;
    }
    if (word == "Werror" && next_ < arguments_.size() && names_warning_kinds(arguments_[next_])) {
      add_warning_kinds(result_, arguments_[next_++]);
      return true;
    }
    return false;
  }

  const std::vector<std::string>& arguments_;
  size_t next_ = 0;  // index of the argument to read next
  std::vector<std::string> paths_;
  options result_;
};

struct help_group {
  const char* title;
  std::set<std::string> names;  // names in the table; empty: all options without a group
};

const help_group help_groups[] = {
    {"Used most", {"o", "c", "I", "g", "check"}},
    {"Kernels",
     {"O", "G", "arch", "cpu", "count", "cohort-report", "cohort-gangs", "cohort-math", "use_fast_math", "fmad"}},
    {"Sources", {"D", "U", "isystem", "include", "cccl", "std", "x", "extended-lambda"}},
    {"Outputs", {"odir", "dc", "rdc", "dlink", "fatbin", "ptx", "E", "M", "MD", "shared"}},
    {"Link", {"L", "l", "Xlinker", "cudart"}},
    {"Messages and other tools", {}},
};

bool is_in_group(const std::string& name) {
  return std::any_of(std::begin(help_groups), std::end(help_groups),
                     [&](const help_group& group) { return group.names.count(name) != 0; });
}

}  // namespace

options parse_options(const std::vector<std::string>& arguments) { return parser(arguments).parse(); }

usage_error unknown_type(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin") {
    return usage_error("'" + path + "' holds GPU code; cohortcc compiles CUDA sources for the CPU");
  }
  if (path == "-") {
    return usage_error("the language of the standard input is unknown; pass -x cu");
  }
  return usage_error("the type of '" + path + "' is unknown; give it the ending .cu or pass -x cu");
}

std::string help_text() {
  std::string text =
      "Usage: cohortcc [options] file...\n"
      "Compiles CUDA sources (.cu) for the CPU and links them with Cohort's runtime; C++ files and objects may be\n"
      "among the files. Options are nvcc's; each may be written with one dash or two.\n";
  std::vector<std::pair<std::string, const option_rule*>> listed;  // the left column, and the rule with the rest
  size_t width = 0;
  for (const auto& rule : option_rules()) {
    if (!rule.help.empty()) {
      listed.emplace_back(dashed(rule.names.front()) + " " + rule.value_name, &rule);
      width = std::max(width, listed.back().first.size());
    }
  }
  for (const auto& [title, names] : help_groups) {
    text += std::string("\n") + title + ":\n";
    for (const auto& [left, rule] : listed) {
      if (names.count(rule->names.front()) || (names.empty() && !is_in_group(rule->names.front()))) {
        text += "  " + left + std::string(width - left.size() + 2, ' ') + rule->help + "\n";
      }
    }
  }
  text +=
      "\nEnvironment: COHORT_CLANG names the clang++ 19 to use; TMPDIR the folder for temporary files.\n"
      "cohortcc never uses an installed CUDA toolkit.\n";
  return text;
}

}  // namespace cohort
