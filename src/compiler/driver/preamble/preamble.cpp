// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "preamble/preamble.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "preamble/make_rule.hpp"
#include "preamble/record.hpp"
#include "system/environment.hpp"
#include "system/process.hpp"

namespace cohort {
namespace {

namespace fs = std::filesystem;

const std::string empty_source = "/dev/null";

// The plugin's facts about the headers, beside the precompiled header.
std::string facts_of(const std::string& header) { return header + ".facts"; }

std::string cache_folder() { return environment_variable("COHORT_CACHE"); }

uint64_t fnv(uint64_t state, const std::string& text) {
  for (const unsigned char c : text) {
    state = (state ^ c) * 0x100000001b3u;
  }
  return state;
}

std::string name_of(const std::string& key) {
  char name[64];
  std::snprintf(name, sizeof name, "preamble-%016llx%016llx",
                static_cast<unsigned long long>(fnv(0xcbf29ce484222325u, key)),
                static_cast<unsigned long long>(fnv(0x9e3779b97f4a7c15u, key)));
  return name;
}

// A line that identifies this machine's CPU.
std::string cpu_features() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) {
      return line;
    }
  }
  return "";
}

// One line: the command, and the CPU if the command compiles for the one of this machine.
std::string key_of(const std::vector<std::string>& command) {
  std::string key = shell_quoted(command);
  std::replace(key.begin(), key.end(), '\n', ' ');
  return key.find("=native") == std::string::npos ? key : key + " # " + cpu_features();
}

// The record of a key in a folder, if nothing has changed since.
std::optional<preamble_record> read_record(const std::string& folder, const std::string& key) {
  const fs::path path = fs::path(folder) / (name_of(key) + ".txt");
  auto record = parse_record(read_file(path.string()), key);
  return record && record->is_current() ? record : std::nullopt;
}

// The macros that users' macros cannot change, since the headers hide users' macros of these names.
std::set<std::string> hidden_macros(const toolchain& tools) {
  std::ifstream file(tools.include + "/cohort/base/user_macros/off.hpp");
  const std::string begin = "#pragma push_macro(\"";
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(begin, 0) == 0) {
      names.insert(line.substr(begin.size(), line.find('"', begin.size()) - begin.size()));
    }
  }
  return names;
}

void collect_identifiers(const std::string& text, std::set<std::string>& names) {
  const auto is_letter = [](char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)); };
  const auto is_part = [&](char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)); };
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_part(text[at])) {
      ++at;
    }
    if (at == begin) {
      ++at;
    } else if (is_letter(text[begin])) {
      names.insert(text.substr(begin, at - begin));
    }
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// Temporary names for one precompiled header in its folder. The destructor removes the files that are left.
struct part_files {
  explicit part_files(const fs::path& stem) : header(stem.string() + ".pch"), stem_(stem) {}
  ~part_files() {
    std::error_code ignored;
    for (const char* ending : {".d", ".searched", ".errors", ".part"}) {
      fs::remove(file(ending), ignored);
    }
    if (!keeps_header) {
      fs::remove(header, ignored);
      fs::remove(facts_of(header), ignored);
    }
  }
  std::string file(const char* ending) const { return stem_.string() + ending; }

  const std::string header;
  bool keeps_header = false;

 private:
  const fs::path stem_;
};

// Reads what the pass has written. False if the files cannot stand for later compilations: one changed meanwhile.
bool fill(preamble_record& record, const part_files& parts, const toolchain& tools, long long begin) {
  const auto words = prerequisites(read_file(parts.file(".d")), "x");
  if (!words || words->empty() || words->front() != empty_source) {
    return false;
  }
  record.words.assign(words->begin() + 1, words->end());
  record.searched = lines_of(read_file(parts.file(".searched")));
  std::set<std::string> paths = {tools.clang, tools.plugin, tools.include + "/cohort/base/user_macros/off.hpp"};
  std::set<std::string> identifiers;
  for (const std::string& word : record.words) {
    if (paths.insert(unescaped(word)).second) {
      collect_identifiers(read_file(unescaped(word)), identifiers);
    }
  }
  for (const std::string& path : paths) {
    record.files.push_back(stamp_of(path));
    if (record.files.back().nanoseconds >= begin || path.find('\n') != std::string::npos) {
      return false;
    }
  }
  for (const std::string& name : hidden_macros(tools)) {
    identifiers.erase(name);
  }
  record.identifiers = "\n";
  for (const std::string& name : identifiers) {
    record.identifiers += name + '\n';
  }
  return true;
}

// True if clang's messages have an error at a line of a file, and not only errors about clang itself.
bool has_error_in_source(const std::string& messages) {
  for (size_t at = 0; (at = messages.find("error: ", at)) != std::string::npos; ++at) {
    const std::string before = messages.substr(0, at);
    const size_t colon = before.find_last_not_of(before.ends_with("fatal ") ? "fatal :" : " :");
    if (colon != std::string::npos && std::isdigit(static_cast<unsigned char>(before[colon])) != 0) {
      return true;
    }
  }
  return false;
}

// Makes the precompiled header of a command. Readers find a whole record or none, and a record names a header of its
// own: compilations side by side may make the same one. Returns false if the folder takes no files.
bool make_in(const std::string& folder, const std::vector<std::string>& command, const toolchain& tools) {
  const std::string key = key_of(command);
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const long long begin = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  const fs::path stem = fs::path(folder) / name_of(key);
  part_files parts(stem.string() + "-" + std::to_string(getpid()) + "-" + std::to_string(begin));
  std::vector<std::string> words = command;
  for (const std::string& word :
       {std::string("-Xclang"), std::string("-emit-pch"), std::string("-Xclang"), std::string("-fno-pch-timestamp"),
        "-fplugin-arg-cohort-preamble=" + parts.file(".searched"), std::string("-MD"), std::string("-MT"),
        std::string("x"), std::string("-MF"), parts.file(".d"), std::string("-c"), empty_source, std::string("-o"),
        parts.header}) {
    words.push_back(word);
  }
  preamble_record record;
  record.key = key;
  const bool is_made = child(words, parts.file(".errors")).wait() == 0 && read_file(parts.file(".errors")).empty();
  if (interrupted()) {
    return false;
  }
  if (is_made && fill(record, parts, tools, begin)) {
    record.header = fs::path(parts.header).filename().string();
    record.files.push_back(stamp_of(parts.header));
    record.files.push_back(stamp_of(facts_of(parts.header)));
  } else if (is_made) {
    return true;  // a file has changed during this pass: a later compilation makes the header
  } else if (!has_error_in_source(read_file(parts.file(".errors")))) {
    return false;  // clang has ended early, or could not write: another compilation may succeed
  } else {
    record.files = {stamp_of(tools.clang), stamp_of(tools.plugin), stamp_of(tools.cudart + "/cuda_runtime.h")};
    record.identifiers = "\n";
  }
  const auto before = parse_record(read_file(stem.string() + ".txt"), key);
  if (!(std::ofstream(parts.file(".part"), std::ios::binary) << text_of(record)).flush()) {
    return false;
  }
  fs::rename(parts.file(".part"), stem.string() + ".txt", ignored);
  parts.keeps_header = !ignored && !record.header.empty();
  if (!ignored && before && !before->header.empty()) {
    const fs::path old = fs::path(folder) / before->header;
    fs::remove(old, ignored);
    fs::remove(facts_of(old.string()), ignored);
    ignored.clear();
  }
  return !ignored;
}

struct found_record {
  std::string folder;
  preamble_record record;
};

std::string own_folder(const toolchain& tools) { return fs::path(tools.plugin).parent_path().string() + "/preamble"; }

// The user's folder of an installation that the user cannot write; empty where the environment names none. The XDG base
// directory specification: a relative path is ignored.
std::string user_folder() {
  const std::string cache = environment_variable("XDG_CACHE_HOME"), home = environment_variable("HOME");
  if (!cache.empty() && cache[0] == '/') {
    return cache + "/cohort/preamble";
  }
  return home.empty() ? "" : home + "/.cache/cohort/preamble";
}

bool takes_files(const std::string& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  return fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK) == 0;
}

// The folder for forms that the user makes with --make-preamble.
std::string folder_to_fill(const toolchain& tools) {
  if (const std::string cache = cache_folder(); !cache.empty()) {
    return cache;
  }
  const std::string own = own_folder(tools), user = user_folder();
  return user.empty() || takes_files(own) ? own : user;
}

std::optional<found_record> find_or_make(const std::vector<std::string>& command, const toolchain& tools) {
  const std::string key = key_of(command), cache = cache_folder();
  for (const std::string& folder : {own_folder(tools), user_folder(), cache}) {
    if (folder.empty()) {
      continue;
    }
    if (auto record = read_record(folder, key)) {
      return found_record{folder, std::move(*record)};
    }
  }
  if (cache.empty() || !make_in(cache, command, tools)) {
    return std::nullopt;
  }
  auto record = read_record(cache, key);
  return record ? std::optional(found_record{cache, std::move(*record)}) : std::nullopt;
}

// True if a folder of the user has a header that the preamble searches.
bool is_shadowed(const preamble_record& record, const std::vector<std::string>& folders) {
  std::error_code ignored;
  return fs::exists("cuda_runtime.h", ignored) ||  // -include searches the current folder first
         std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
           return std::any_of(record.searched.begin(), record.searched.end(), [&](const std::string& name) {
             return access((folder + "/" + name).c_str(), F_OK) == 0;
           });
         });
}

std::optional<preamble> usable(const std::optional<found_record>& found, const std::vector<std::string>& folders) {
  if (!found || found->record.header.empty() || is_shadowed(found->record, folders)) {
    return std::nullopt;
  }
  return preamble{(fs::path(found->folder) / found->record.header).string(), found->record.words};
}

bool begins(const std::string& word, const char* start) { return word.rfind(start, 0) == 0; }

// True for -Werror and -Werror=NAME: clang compares them with those of the precompiled header.
bool is_error_option(const std::string& word) { return begins(word, "-Werror") && word.find(',') == std::string::npos; }

// True for options about warnings that are no errors. -Wp,-DNAME is none.
bool is_warning(const std::string& word) {
  return word == "-w" || (begins(word, "-W") && !begins(word, "-Werror") && word.find(',') == std::string::npos);
}

// "NAME" of -DNAME=VALUE, -D'NAME(x)=VALUE' and -UNAME.
std::string macro_name(const std::string& word) { return word.substr(2, word.find_first_of("=(", 2) - 2); }

// The macros of the user that may change the preamble.
std::vector<std::string> effective_macros(const preamble_record& record, const preamble_context& context) {
  std::vector<std::string> macros;
  for (const std::string& word : context.macros) {
    const std::string name = macro_name(word);
    if (begins(name, "_") || record.has_identifier(name)) {
      macros.push_back(word);
    }
  }
  return macros;
}

// Makes the form of a command unless it exists. Throws as preamble_store::make().
preamble_record make_form(const std::vector<std::string>& command, const toolchain& tools) {
  const std::string folder = folder_to_fill(tools);
  if (const auto known = read_record(folder, key_of(command)); known && !known->header.empty()) {
    return *known;
  }
  if (!make_in(folder, command, tools)) {
    throw std::runtime_error("cannot write the preamble to '" + folder + "'; COHORT_CACHE names another folder");
  }
  const auto record = read_record(folder, key_of(command));
  if (!record || record->header.empty()) {
    throw std::runtime_error("clang cannot make the preamble with these options, or a header has just changed");
  }
  return *record;
}

// Text without the sequences that colour it.
std::string without_colors(const std::string& text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\033') {
      at = text.find('m', at);
      if (at == std::string::npos) {
        break;
      }
    } else {
      plain += text[at];
    }
  }
  return plain;
}

}  // namespace

std::vector<std::string> preamble::replace_in(std::vector<std::string> command) const {
  for (size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == "-include" && command[i + 1] == "cuda_runtime.h") {
      command[i] = "-include-pch";
      command[i + 1] = header;
      break;
    }
  }
  command.push_back("-fplugin-arg-cohort-preamble-facts=" + facts_of(header));
  return command;
}

bool preamble::is_named_in(const std::string& diagnostics) const {
  std::set<std::string> names = {"<built-in>"};
  for (const std::string& word : words) {
    names.insert(unescaped(word));
  }
  const std::string begin = "In file included from ";
  if (diagnostics.find(header) != std::string::npos) {  // clang exits with 0 if it cannot read the header
    return true;
  }
  for (std::string line : lines_of(without_colors(diagnostics))) {
    line.erase(0, begins(line, begin.c_str()) ? begin.size() : 0);
    if (names.count(line.substr(0, line.find(':'))) != 0) {
      return true;
    }
  }
  return false;
}

std::optional<std::string> preamble::rule(const std::string& written, const std::string& target,
                                          const std::string& source, bool has_system_headers) const {
  const auto listed = prerequisites(written, target);
  if (!listed) {
    return std::nullopt;
  }
  std::set<std::string> known(words.begin(), words.end());
  known.insert(empty_source);
  std::vector<std::string> result, others;
  for (const std::string& word : *listed) {
    if (unescaped(word) == source && result.empty()) {
      result.push_back(word);
    } else if (known.count(word) == 0) {
      others.push_back(word);
    }
  }
  if (has_system_headers) {
    result.insert(result.end(), words.begin(), words.end());
  }
  result.insert(result.end(), others.begin(), others.end());
  return make_rule(target, result);
}

std::optional<preamble> preamble_store::find(const preamble_command& command, const preamble_context& context) const {
  std::error_code ignored;
  if (fs::canonical(tools_.clang, ignored).filename() == "ccache") {  // ccache cannot cache such a pass
    return std::nullopt;
  }
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) {
    if (!environment_variable(name).empty()) {
      return std::nullopt;
    }
  }
  const auto plain = find_or_make(command({}), tools_);
  if (!plain || plain->record.header.empty()) {
    return std::nullopt;
  }
  const std::vector<std::string> macros = effective_macros(plain->record, context);
  return usable(macros.empty() ? plain : find_or_make(command(macros), tools_), context.folders);
}

void preamble_store::make(const preamble_command& command, const preamble_context& context) const {
  const preamble_record plain = make_form(command({}), tools_);
  if (const auto macros = effective_macros(plain, context); !macros.empty()) {
    make_form(command(macros), tools_);
  }
}

std::optional<options> preamble_options(const options& chosen, const std::string& optimization,
                                        preamble_context* context) {
  options plain = chosen;
  plain.frontend.clear();
  for (size_t i = 0; i < chosen.frontend.size(); ++i) {
    const std::string& word = chosen.frontend[i];
    const bool has_value = word == "-I" || word == "-isystem" || word == "-iquote" || word == "-include";
    if (has_value && i + 1 < chosen.frontend.size()) {
      if (++i, word != "-include") {
        context->folders.push_back(chosen.frontend[i]);
      }
    } else if (begins(word, "-D") || begins(word, "-U")) {
      context->macros.push_back(word);
    } else if (word == "-pthread" || is_error_option(word)) {
      plain.frontend.push_back(word);
    } else if (!is_warning(word) && !begins(word, "-ftemplate-")) {
      return std::nullopt;
    }
  }
  plain.host.clear();
  for (const std::string& word : chosen.host) {
    if (word == "-fPIC" || word == "-fopenmp" || word == "-pthread" || is_error_option(word)) {
      plain.host.push_back(word);
    } else if (!is_warning(word)) {
      return std::nullopt;
    }
  }
  if (!chosen.device.empty() || !chosen.coverage.empty()) {
    return std::nullopt;
  }
  const std::string level = optimization.substr(2);
  plain.optimization = level == "1" || level == "2" ? "3" : level;
  plain.debug = plain.report = plain.count = plain.relaxed_constexpr = plain.warnings_are_errors = false;
  plain.gangs = "auto";
  plain.warnings.clear();
  return plain;
}

}  // namespace cohort
