// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/compile.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "nvrtc/environment.hpp"
#include "nvrtc/log.hpp"
#include "nvrtc/options.hpp"
#include "nvrtc/process.hpp"

namespace cohort::nvrtc {
namespace {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A line that identifies this machine's CPU: images are compiled for it.
const std::string& cpu_features() {
  static const std::string line = [] {
    std::ifstream file("/proc/cpuinfo");
    for (std::string text; std::getline(file, text);) {
      if (text.rfind("flags", 0) == 0 || text.rfind("Features", 0) == 0) return text;
    }
    return std::string();
  }();
  return line;
}

std::string text_of(const read_file_stamp& stamp) {
  return stamp.path + ":" + std::to_string(stamp.nanoseconds) + ":" + std::to_string(stamp.bytes) + "\n";
}

// The text of all that an image depends on, except the files that the compiler reads. Each part begins with its length,
// so that two different lists of parts have different keys.
std::string key_of(const source_texts& texts, const option_set& options, const std::string& compiler) {
  std::string key;
  const auto add = [&](const std::string& part) { key += std::to_string(part.size()) + ":" + part; };
  const auto add_all = [&](const std::vector<std::string>& parts) {
    add(std::to_string(parts.size()));
    for (const std::string& part : parts) add(part);
  };
  add(text_of(stamp_of(compiler)) + text_of(stamp_of(parts_of(compiler) + "/plugin.so")));
  add(cpu_features());
  for (const char* name : {"COHORT_CLANG", "COHORT_SLEEF", "PATH", "CPATH", "CPLUS_INCLUDE_PATH"})
    add(environment_variable(name));
  std::error_code ignored;
  add(fs::current_path(ignored).string());
  add_all(options.words);
  add_all(options.include_folders);
  add(std::string{options.default_device ? 'd' : '-', options.source_folder ? 's' : '-', options.brief ? 'b' : '-',
                  options.numbers ? 'n' : '-', options.syntax_only ? 'y' : '-'});
  add(texts.name);
  add(texts.source);
  for (const auto& [name, text] : texts.headers) {
    add(name);
    add(text);
  }
  add_all(texts.expressions);
  return key;
}

// True for texts whose expansion depends on the time.
bool depends_on_time(const source_texts& texts) {
  const auto has_time = [](const std::string& text) {
    for (const char* macro : {"__TIME__", "__DATE__", "__TIMESTAMP__"}) {
      if (text.find(macro) != std::string::npos) return true;
    }
    return false;
  };
  if (has_time(texts.source)) return true;
  for (const auto& [name, text] : texts.headers) {
    if (has_time(text)) return true;
  }
  return false;
}

// The words of a rule of make, `target: a b \`, without the target.
std::vector<std::string> dependencies(const std::string& rule) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (size_t i = rule.find(": "); i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += next;
      ++i;
    } else if (c == '$' && next == '$') {
      word += c;
      ++i;
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      end();
    } else {
      word += c;
    }
  }
  end();
  if (!words.empty() && words[0] == ":") words.erase(words.begin());
  return words;
}

// Quotes `text`, so that cohortcc, which splits a value of -Xdevice at spaces and commas outside of quotes, keeps it
// whole.
std::string one_word(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::vector<std::string> command_of(const std::string& compiler, const option_set& options, const source_texts& texts,
                                    const source_files& files) {
  std::vector<std::string> words = {
      compiler, "-ptx", "-o", files.path("image.ptx"), "-MD", "-MF", files.path("files.d")};
  words.insert(words.end(), options.words.begin(), options.words.end());
  words.insert(words.end(), {"-I", files.headers()});
  for (const std::string& folder : options.include_folders) words.insert(words.end(), {"-I", folder});
  const auto device = [&](const std::string& word) { words.insert(words.end(), {"-Xdevice", one_word(word)}); };
  device("-D__CUDACC_RTC__=1");
  device("-fplugin-arg-cohort-lowered-names=" + files.path("names.txt"));
  device("-fno-diagnostics-show-line-numbers");
  if (!files.overlay().empty()) {
    device("-ivfsoverlay");
    device(files.overlay());
  }
  if (options.source_folder) {
    const std::string folder = fs::path(texts.name).parent_path().string();
    words.insert(words.end(), {"-iquote", folder.empty() ? "." : folder});
  }
  words.push_back(files.source());
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Reads the files that the compiler has written into `result`.
void read_results(const source_files& files, compiled* result) {
  result->image = read_file(files.path("image.ptx"));
  result->lowered_names = lines_of(read_file(files.path("names.txt")));
  for (const std::string& path : dependencies(read_file(files.path("files.d")))) {
    if (!files.holds(path)) result->files.push_back(stamp_of(path));
  }
}

nvrtcResult run_compiler(const std::string& compiler, const source_texts& texts, const option_set& options,
                         const std::function<bool()>& cancels, compiled* result) {
  const source_files files(texts, options.default_device);
  const run_result ended = run(command_of(compiler, options, texts, files), files.path("messages.txt"), cancels);
  if (ended.cancelled) return NVRTC_ERROR_CANCELLED;
  if (!ended.ended) throw std::runtime_error(ended.why);
  const std::string messages = read_file(files.path("messages.txt"));
  result->log = nvrtc_log(messages, {texts.name, options.brief, options.numbers});
  if (ended.status == 0) read_results(files, result);
  const bool complete = !result->image.empty() && result->lowered_names.size() == texts.expressions.size();
  if (ended.status == 0 && complete) return NVRTC_SUCCESS;
  // A message of cohortcc itself, such as one about a missing clang, is no error in the source.
  const bool is_own = messages.find("cohortcc: error: ") != std::string::npos || messages.empty();
  if (messages.empty())
    result->log = "nvrtc: error: " + compiler + " ended with status " + std::to_string(ended.status) + "\n";
  return is_own ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_COMPILATION;
}

outcome failure(nvrtcResult status, const std::string& log) {
  outcome failed;
  failed.status = status;
  failed.result.log = log;
  return failed;
}

}  // namespace

outcome compile(const source_texts& texts, int option_count, const char* const* options,
                const std::function<bool()>& cancels) {
  option_set chosen;
  if (const std::string problem = read_options(option_count, options, &chosen); !problem.empty()) {
    return failure(NVRTC_ERROR_INVALID_OPTION, problem);
  }
  std::string why;
  const std::string compiler = find_compiler(&why);
  if (compiler.empty()) return failure(NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: " + why + "\n");

  outcome made;
  made.has_cubin = chosen.real_architecture && !chosen.syntax_only;
  const bool caches = chosen.cache && !depends_on_time(texts);
  const std::string key = caches ? key_of(texts, chosen, compiler) : "";
  if (caches && find_compiled(key, &made.result)) {
    made.status = NVRTC_SUCCESS;
    return made;
  }
  try {
    made.status = run_compiler(compiler, texts, chosen, cancels, &made.result);
  } catch (const std::exception& error) {
    return failure(NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: " + std::string(error.what()) + "\n");
  }
  if (made.status != NVRTC_SUCCESS) {
    made.result.image.clear();
    made.has_cubin = false;
  } else {
    if (chosen.syntax_only) made.result.image.clear();
    if (caches) store_compiled(key, made.result);
  }
  return made;
}

}  // namespace cohort::nvrtc
